#include "tools/study/cases/hidden_arguments.hpp"

#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/scenario/overrides.hpp"

namespace warpfront::tools {

using input::YamlNode;

namespace {

/// Calls `found` with the range of every scalar, or list, that an argument of --set contains.
void for_each_argument(const YamlNode& node, const std::function<void(const input::SourceRange&)>& found) {
    for (const YamlNode::Entry& entry : node.entries) for_each_argument(entry.value, found);
    if (node.kind == YamlNode::Kind::mapping || !node.range.source) return;
    if (node.range.source->name().starts_with(scenario::kArgumentName)) found(node.range);
}

}  // namespace

void HiddenArguments::add(const YamlNode& base, const YamlNode& row) {
    const auto key = [](const input::SourceRange& range) { return std::pair(range.source->name(), range.offset); };
    for_each_argument(base, [&](const input::SourceRange& range) { values_.try_emplace(key(range), Value{range}); });
    for_each_argument(row, [&](const input::SourceRange& range) {
        if (const auto value = values_.find(key(range)); value != values_.end()) value->second.is_kept = true;
    });
}

void HiddenArguments::refuse() const {
    input::Diagnostics faults;
    for (const auto& [place, value] : values_) {
        if (value.is_kept) continue;
        faults.add(input::DiagnosticKind::conflicting_keys, value.range,
                   fmt::format("`{}` has no effect: every row of the table sets this key", place.first),
                   "expected a key that the table does not set");
    }
    faults.raise();
}

}  // namespace warpfront::tools
