#include "simulator/scenario/model_bindings.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::scenario {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::YamlNode;

namespace {

/// Formats a list in the model's language: "[8B, 16B]".
std::string list_text(const YamlNode& list, Diagnostics& faults) {
    std::vector<std::string> items;
    for (const YamlNode& item : list.items) {
        if (item.kind == YamlNode::Kind::scalar) {
            items.push_back(item.scalar);
        } else {
            faults.add(DiagnosticKind::wrong_yaml_type, item.range, "a list or a mapping within a list",
                       "expected single values");
        }
    }
    return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace

void read_bindings(const YamlNode& node, MappingReader& reader, std::map<std::string, psl::Binding>& bindings,
                   Diagnostics& faults) {
    for (const YamlNode::Entry& entry : node.entries) {
        if (entry.value.kind == YamlNode::Kind::sequence) {
            bindings[entry.key] = {list_text(entry.value, faults), entry.value.range};
        } else if (const auto text = reader.text(entry.key)) {
            bindings[entry.key] = {*text, entry.value.range};
        }
    }
}

}  // namespace warpfront::scenario
