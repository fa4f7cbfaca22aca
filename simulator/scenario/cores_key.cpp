#include "simulator/scenario/placement_key.hpp"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::scenario {

using machine::CoreRequest;

namespace {

const std::vector<std::string> kFills{"pack", "spread"};

/// Reads the cores of one item of the list; a core that occurs in an earlier item is an error.
void read_item(const YamlNode& item, std::map<std::uint32_t, const YamlNode*>& items, CoreRequest& request,
               Diagnostics& faults) {
    const auto range = read_numbers(item.scalar, item.range, "core", kMostOnNode, faults);
    if (!range) return;
    for (std::int64_t k = 0; k < range->count(); ++k) {
        const auto core = static_cast<std::uint32_t>(range->first + k * range->step);
        const auto [before, is_new] = items.emplace(core, &item);
        if (!is_new) {
            faults.add(DiagnosticKind::core_taken_twice, item.range, fmt::format("core {} already has a rank", core),
                       fmt::format("expected a different core for each rank; `{}` already contains this core",
                                   before->second->scalar));
            return;
        }
        request.listed.push_back({core, item.range});
    }
}

void read_list(const YamlNode& node, const machine::Patch& patch, CoreRequest& request, Diagnostics& faults) {
    if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, node.range, "`cores` is not a list of cores",
                   "expected the core of each rank of the patch, such as `[0..7, 32..39]`");
        return;
    }
    const std::size_t before = faults.count();
    std::map<std::uint32_t, const YamlNode*> items;
    for (const YamlNode& item : node.items) read_item(item, items, request, faults);
    const std::size_t listed = request.listed.size();
    if (faults.count() != before || listed == patch.count()) return;
    faults.add(DiagnosticKind::core_list_length,
               listed > patch.count() ? request.listed[patch.count()].range : node.range,
               fmt::format("`cores` lists {} for the {} of a patch of {}", input::counted(listed, "core"),
                           input::counted(patch.count(), "rank"), as_text(patch)),
               "expected one core for each rank; `fill: spread` deals any number of ranks over the parts of a node");
}

}  // namespace

CoresKey read_cores(MappingReader& node, const machine::Patch& patch, Diagnostics& faults) {
    CoresKey cores;
    cores.request.fill = static_cast<machine::NodeFill>(node.choice("fill", kFills).value_or(0));
    const YamlNode* const list = node.take("cores");
    if (list == nullptr) return cores;
    if (node.has("fill")) {
        faults.add(DiagnosticKind::conflicting_keys, node.range_of("fill"), "both `fill` and `cores` are given",
                   "expected only one of the two: `cores` gives every rank its core");
    }
    cores.as_written = *list;
    read_list(*list, patch, cores.request, faults);
    return cores;
}

const std::string& name_of(machine::NodeFill fill) { return kFills.at(static_cast<std::size_t>(fill)); }

}  // namespace warpfront::scenario
