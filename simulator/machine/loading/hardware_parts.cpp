#include "simulator/machine/loading/hardware_parts.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::YamlNode;

constexpr std::size_t kMostKinds = 16;

bool is_layer_name(std::string_view name) {
    const auto word = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !name.empty() && std::all_of(name.begin(), name.end(), word) && name != "node" && name != "network";
}

Located<NodeParts> read_kind(const YamlNode::Entry& entry, Diagnostics& faults) {
    if (!is_layer_name(entry.key)) {
        faults.add(DiagnosticKind::bad_parts, entry.key_range, fmt::format("parts cannot be called `{}`", entry.key),
                   "expected a word of lower-case letters other than `node` and `network`, such as `socket`");
    }
    const std::int64_t count = input::parse_integer(entry.value.scalar, entry.value.range, 1, kMostCores, faults);
    return {{entry.key, static_cast<std::uint32_t>(count)}, entry.value.range};
}

void check_nesting(const std::vector<Located<NodeParts>>& parts, Diagnostics& faults) {
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
        const NodeParts& inner = parts[k].value;
        const NodeParts& outer = parts[k + 1].value;
        if (inner.count % outer.count == 0) continue;
        faults.add(DiagnosticKind::bad_parts, parts[k].range,
                   fmt::format("{} of `{}` cannot be shared out over {} of `{}`", inner.count, inner.name, outer.count,
                               outer.name),
                   "expected kinds of parts from the innermost out, each number a multiple of the next");
    }
}

/// False, and a fault, if the cores cannot be divided evenly.
bool divides(const Located<std::uint32_t>& parts, std::uint32_t cores, DiagnosticKind kind, std::string_view what,
             Diagnostics& faults) {
    if (cores % parts.value == 0) return true;
    faults.add(kind, parts.range, fmt::format("{} cores cannot be shared out over {} {}", cores, parts.value, what),
               "expected a divisor of the cores of a host");
    return false;
}

}  // namespace

std::vector<Located<NodeParts>> read_parts(MappingReader& reader, Diagnostics& faults) {
    const auto chips = static_cast<std::uint32_t>(reader.integer("chips", 1, kMostCores).value_or(1));
    std::vector<Located<NodeParts>> parts{{{"chip", chips}, reader.range_of("chips")}};
    const YamlNode* node = reader.take("parts");
    if (node == nullptr) return parts;
    if (reader.has("chips")) {
        faults.add(DiagnosticKind::conflicting_keys, reader.range_of("chips"), "`chips` beside `parts`",
                   "expected one of the two: `chips: 2` is `parts: {chip: 2}`");
    }
    if (node->kind != YamlNode::Kind::mapping || node->entries.empty() || node->entries.size() > kMostKinds) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, "`parts` is no mapping of kinds to numbers",
                   fmt::format("expected 1 to {} kinds, such as `{{die: 8, socket: 2}}`", kMostKinds));
        return parts;
    }
    parts.clear();
    for (const YamlNode::Entry& entry : node->entries) parts.push_back(read_kind(entry, faults));
    check_nesting(parts, faults);
    return parts;
}

std::vector<std::string> layer_names(const std::vector<Located<NodeParts>>& parts) {
    std::vector<std::string> names;
    for (const Located<NodeParts>& kind : parts) names.push_back(kind.value.name);
    names.insert(names.end(), {"node", "network"});
    return names;
}

bool check_counts(const HardwareFile& file, std::uint32_t cores, Diagnostics& faults) {
    divides(file.groups, cores, DiagnosticKind::uneven_groups, "groups", faults);
    const auto own_count = [&](const Located<std::uint32_t>& count, std::string_view what) {
        if (count.value != file.groups.value) divides(count, cores, DiagnosticKind::uneven_groups, what, faults);
    };
    if (file.bus) own_count({file.bus->count, file.bus_count_range}, "buses");
    if (file.nic || file.topology.value) own_count({file.nics, file.nic_count_range}, "NICs");
    if (file.memory) own_count({file.memory->count, file.memory_count_range}, "memories");
    bool even = true;
    for (const Located<NodeParts>& kind : file.parts) {
        const Located<std::uint32_t> count{kind.value.count, kind.range};
        even = divides(count, cores, DiagnosticKind::uneven_chips, fmt::format("of `{}`", kind.value.name), faults) &&
               even;
    }
    return even;
}

void check_layers(const HardwareFile& file, std::uint32_t cores, Diagnostics& faults) {
    const auto require = [&](std::size_t locality, bool needed, const std::string& why) {
        if (!needed || file.layers[locality].described) return;
        faults.add(DiagnosticKind::missing_key, file.layers_range,
                   fmt::format("`layers` has no `{}`", file.layers[locality].name), why);
    };
    std::uint32_t inner = cores;
    std::string inner_name = "cores";
    for (std::size_t kind = 0; kind < file.parts.size(); ++kind) {
        const NodeParts& parts = file.parts[kind].value;
        require(kind, inner > parts.count, fmt::format("a {} has {} {}", parts.name, inner / parts.count, inner_name));
        inner = parts.count;
        inner_name = fmt::format("of `{}`", parts.name);
    }
    require(file.parts.size(), inner > 1, fmt::format("a node has {} {}", inner, inner_name));
    require(file.parts.size() + 1, true, "expected the costs of messages between nodes");
}

}  // namespace warpfront::machine
