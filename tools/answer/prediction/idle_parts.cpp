#include "tools/answer/prediction/context.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/machine/placement/cores.hpp"
#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

namespace {

/// A kind of parts, with the number of parts that the ranks of a node use.
struct Kind : NodeKind {
    std::size_t used = 0;
    std::size_t used_if_spread = 0;
};

}  // namespace

std::vector<NodeKind> node_kinds(const Experiment& prepared) {
    const machine::Machine& machine = prepared.machine;
    std::vector<NodeKind> kinds;
    if (!prepared.program.tasks) {
        for (const machine::NodeParts& each : machine.parts) kinds.push_back({each.name, each.count});
        std::reverse(kinds.begin(), kinds.end());
        if (machine.bus) kinds.push_back({"bus", machine.bus->count});
        if (machine.processing && !(machine.bus && machine.bus->count == machine.processing->count)) {
            kinds.push_back({"message-processing core", machine.processing->count});
        }
        if (machine.nic || machine.routes.cabling.cables > 1) kinds.push_back({"NIC", machine.nics()});
    }
    if (machine.memory) kinds.push_back({"memory", machine.memory->count});
    std::erase_if(kinds, [](const NodeKind& kind) { return kind.parts == 1; });
    return kinds;
}

std::vector<std::uint32_t> places_with_ranks(const machine::Placement& placement) {
    const machine::Patch& patch = placement.patch;
    std::vector<std::uint32_t> places;
    if (!placement.seats.empty()) {
        places.resize(patch.ranks());
        std::iota(places.begin(), places.end(), 0U);
        return places;
    }
    for (std::uint32_t z = 0; z < std::min(patch.planes, placement.grid.planes); ++z) {
        for (std::uint32_t y = 0; y < std::min(patch.rows, placement.grid.rows); ++y) {
            for (std::uint32_t x = 0; x < std::min(patch.columns, placement.grid.columns); ++x) {
                places.push_back(machine::number_in(patch, x, y, z));
            }
        }
    }
    return places;
}

namespace {

std::string listed(const std::vector<std::string>& items) {
    if (items.size() == 1) return items.front();
    return fmt::format("{} and {}", fmt::join(items.begin(), items.end() - 1, ", "), items.back());
}

/// Returns the kinds of parts of which some have no rank.
std::vector<Kind> idle_kinds(const Experiment& prepared, const std::vector<std::uint32_t>& places) {
    const machine::Machine& machine = prepared.machine;
    const auto used = [&](const Kind& kind, const auto& core_of_place) {
        std::set<std::uint32_t> parts;
        for (const std::uint32_t place : places) {
            parts.insert(core_of_place(place) / machine.cores_of_each(kind.parts));
        }
        return parts.size();
    };
    std::vector<Kind> idle;
    for (const NodeKind& each : node_kinds(prepared)) idle.push_back({{results::plural(each.name), each.parts}});
    for (Kind& kind : idle) {
        kind.used = used(kind, [&](std::uint32_t place) { return machine.placement.core_of_place(place); });
    }
    std::erase_if(idle, [](const Kind& kind) { return kind.used == kind.parts; });
    if (idle.empty() || !machine.placement.seats.empty()) return idle;
    const std::vector<std::uint32_t> spread =
        machine::cores_of(machine.placement.patch, {.fill = machine::NodeFill::spread}, node_cores(machine));
    for (Kind& kind : idle) kind.used_if_spread = used(kind, [&](std::uint32_t place) { return spread[place]; });
    return idle;
}

void note_empty_parts(const Experiment& prepared, std::vector<std::string>& notes) {
    const std::vector<std::uint32_t> places = places_with_ranks(prepared.machine.placement);
    const std::vector<Kind> idle = idle_kinds(prepared, places);
    if (idle.empty()) return;
    std::vector<std::string> uses;
    std::vector<std::string> uses_if_spread;
    for (const Kind& kind : idle) {
        uses.push_back(fmt::format("{} of {} {}", kind.used, kind.parts, kind.name));
        uses_if_spread.push_back(fmt::format("{}", kind.used_if_spread));
    }
    std::string note = places.size() == 1 ? fmt::format("the only rank of a node uses {}", listed(uses))
                                          : fmt::format("the {} ranks of a node use {}", places.size(), listed(uses));
    const machine::CoreRequest& request = prepared.scenario.cores.request;
    const bool helps = std::ranges::any_of(idle, [](const Kind& kind) { return kind.used_if_spread > kind.used; });
    const bool is_dealt = prepared.scenario.placement.request.distribution.has_value();
    if (helps && request.listed.empty()) {
        note += fmt::format("; with {} {}", is_dealt ? "`cyclic` within a node" : "`node.fill: spread`",
                            listed(uses_if_spread));
    }
    notes.push_back(std::move(note));
}

/// Adds a note on idle links. A rank selects one of the parallel links by its column + row + plane within the node.
void note_idle_links(const Experiment& prepared, std::vector<std::string>& notes) {
    const machine::Machine& machine = prepared.machine;
    if (!machine.links || machine.links->choice != machine::LinkChoice::deterministic || prepared.program.tasks) return;
    const auto holds = [](const machine::ProfileRow& row) { return row.holds_links; };
    if (std::ranges::none_of(machine.profile(machine.network()), holds)) return;
    const machine::Patch& patch = machine.placement.patch;
    const RankGrid& grid = machine.placement.grid;
    const std::uint32_t chosen = !machine.placement.seats.empty()
                                     ? patch.ranks()
                                     : std::min(patch.columns, grid.columns) + std::min(patch.rows, grid.rows) +
                                           std::min(patch.planes, grid.planes) - 2;
    if (machine.placement.nodes() == 1 || chosen >= machine.links->parallel) return;
    notes.push_back(
        fmt::format("the ranks of a node send over {} of {} parallel links, which `links.choice: "
                    "deterministic` selects by sender; `adaptive` and `round_robin` use all",
                    chosen, machine.links->parallel));
}

/// Adds a note on idle servers. Element k of a record is on server k modulo the number of servers.
void note_idle_servers(const Experiment& prepared, std::vector<std::string>& notes) {
    const machine::ClusterMemory& memory = prepared.machine.cluster_memory;
    if (!prepared.program.tasks || memory.in_nodes || memory.server == machine::DataChannel{}) return;
    const program::TaskLists& lists = *prepared.program.tasks;
    const program::TaskNumbers numbers(lists);
    double most = 0.0;
    for (const program::TaskRecord& record : lists.records) {
        double items = 1.0;
        for (const program::Extent& extent : numbers.extents(record.indices, {})) {
            items *= static_cast<double>(extent.count);
        }
        most = std::max(most, items);
    }
    if (most == 0.0 || most >= memory.servers) return;
    notes.push_back(fmt::format("no record has more than {} items, so {} of {} servers of cluster memory hold no item",
                                most, memory.servers - static_cast<std::uint32_t>(most), memory.servers));
}

}  // namespace

std::vector<std::string> notes_on_idle_parts(const Experiment& prepared) {
    std::vector<std::string> notes;
    const bool is_dealt = prepared.scenario.placement.request.distribution.has_value();
    // without a patch, another note reports all idle cores
    if (prepared.scenario.has_node || is_dealt) note_empty_parts(prepared, notes);
    note_idle_links(prepared, notes);
    note_idle_servers(prepared, notes);
    return notes;
}

}  // namespace warpfront::tools
