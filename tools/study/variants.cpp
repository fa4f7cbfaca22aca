#include "tools/study/axis.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

/// A variant as the file describes it.
struct Variant {
    std::string name;
    SourceRange range;  // range of the name
    std::vector<scenario::Override> changes;
};

Variant read_variant(const YamlNode& item, Diagnostics& faults) {
    MappingReader keys(item, "a variant", faults, "expected a name with changes: {name: half of L, set: {KEY: VALUE}}");
    Variant variant;
    if (keys.require("name") != nullptr) variant.name = keys.text("name").value_or("");
    variant.range = keys.range_of("name");
    variant.changes = scenario::read_changes(keys.take("set"), faults);
    keys.finish();
    return variant;
}

/// Returns a text of a variant's changes. Variants with the same changes have the same text, whatever their order.
std::string meaning_of(const Variant& variant) {
    std::map<std::string, std::string> sorted;
    for (const scenario::Override& each : variant.changes) {
        sorted[scenario::canonical_path(scenario::path_of(each))] = canonical_text(each.value);
    }
    std::string text;
    for (const auto& [path, value] : sorted) text += fmt::format("{}={}\n", path, value);
    return text;
}

void check_differences(const std::vector<Variant>& variants, Diagnostics& faults) {
    for (auto variant = variants.begin(); variant != variants.end(); ++variant) {
        for (auto before = variants.begin(); before != variant; ++before) {
            if (variant->name == before->name) {
                faults.add(DiagnosticKind::duplicate_key, variant->range,
                           fmt::format("two variants have the name `{}`", variant->name),
                           "expected a different name for each variant");
                break;
            }
            if (meaning_of(*variant) != meaning_of(*before)) continue;
            faults.add(DiagnosticKind::duplicate_key, variant->range,
                       variant->changes.empty()
                           ? fmt::format("variants `{}` and `{}` both change nothing", before->name, variant->name)
                           : fmt::format("variants `{}` and `{}` make the same changes", before->name, variant->name),
                       variant->changes.empty() ? "expected changes in `set`, since only one variant may change nothing"
                                                : "expected only one of them");
            break;
        }
    }
}

/// Returns the key of `axis` with this path; adds it if it is missing. A mapping precedes the keys within it, so that
/// these change it.
AxisKey& key_for(const scenario::Override& given, StudyAxis& axis) {
    const std::string path = scenario::path_of(given);
    const auto known = std::ranges::find(axis.keys, path, &AxisKey::path);
    if (known != axis.keys.end()) return *known;
    const auto within =
        std::ranges::find_if(axis.keys, [&](const AxisKey& key) { return scenario::lies_within(key.path, path); });
    return *axis.keys.insert(within, {path, given.path.front().range, std::vector<std::optional<YamlNode>>(axis.size)});
}

}  // namespace

StudyAxis read_variants(const YamlNode& list, Diagnostics& faults) {
    StudyAxis axis;
    if (list.kind != YamlNode::Kind::sequence || list.items.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, list.range, "`variants` is not a list",
                   "expected a list: [{name: as it is}, {name: half of L, set: {KEY: VALUE}}]");
        return axis;
    }
    const std::size_t before = faults.count();
    std::vector<Variant> variants;
    for (const YamlNode& item : list.items) variants.push_back(read_variant(item, faults));
    if (faults.count() == before) check_differences(variants, faults);
    axis.has_variants = true;
    axis.size = variants.size();
    axis.label = AxisLabel{std::string(kVariant), list.range, {}};
    for (std::size_t k = 0; k < variants.size(); ++k) {
        axis.label->texts.push_back(variants[k].name);
        for (const scenario::Override& each : variants[k].changes) key_for(each, axis).values[k] = each.value;
    }
    if (axis.keys.empty() && faults.count() == before) {
        faults.add(DiagnosticKind::missing_key, list.range, "no variant changes anything",
                   "expected changes in `set` of a variant");
    }
    if (axis.keys.empty()) axis.size = 0;  // after an error the axis has no value
    return axis;
}

}  // namespace warpfront::tools
