#include "tools/calibration/calibrated_file.hpp"

#include <fmt/format.h>

#include "simulator/scenario/overrides.hpp"

namespace warpfront::tools {

namespace {

using input::YamlNode;

/// In quotes if it has a row in brackets, such as `network[last]`, which YAML would take for a list within braces.
std::string key_text(const std::string& key) {
    return key.find('[') == std::string::npos ? key : fmt::format("\"{}\"", key);
}

std::string in_braces(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::scalar) return node.scalar;
    const bool is_list = node.kind == YamlNode::Kind::sequence;
    std::string text;
    for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + in_braces(item);
    for (const YamlNode::Entry& entry : node.entries) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key_text(entry.key), in_braces(entry.value));
    }
    return is_list ? "[" + text + "]" : "{" + text + "}";
}

void append(const YamlNode& tree, unsigned levels, std::size_t indent, std::string& text) {
    for (const YamlNode::Entry& entry : tree.entries) {
        const bool opens = levels > 1 && entry.value.kind == YamlNode::Kind::mapping && !entry.value.entries.empty();
        text +=
            std::string(indent, ' ') + key_text(entry.key) + ":" + (opens ? "\n" : " " + in_braces(entry.value) + "\n");
        if (opens) append(entry.value, levels - 1, indent + 2, text);
    }
}

}  // namespace

YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values) {
    YamlNode tree = plan.fixed;
    input::Diagnostics faults;
    for (std::size_t k = 0; k < plan.terms.size(); ++k) {
        const PlannedTerm& term = plan.terms[k];
        for (const std::string& path : term.sets) {
            scenario::apply(scenario::scalar_override(path, plan.terms_range, term.text(values[k]), plan.terms_range),
                            tree, faults);
        }
    }
    faults.raise();
    return tree;
}

std::string yaml_text(const YamlNode& tree, unsigned levels) {
    std::string text;
    append(tree, levels, 0, text);
    return text;
}

}  // namespace warpfront::tools
