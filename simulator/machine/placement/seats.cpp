#include "simulator/machine/placement/seats.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "simulator/input/words.hpp"

namespace warpfront::machine {

namespace {

constexpr std::uint32_t kNoCore = UINT32_MAX;

std::uint32_t ranks_of(const RankGrid& grid) { return static_cast<std::uint32_t>(grid.ranks()); }

/// Sets `cores` and the patch of a placement. Its seats must have their cores.
void list_cores(Placement& placement) {
    std::set<std::uint32_t> used;
    for (const Seat& seat : placement.seats) used.insert(seat.core);
    placement.cores.assign(used.begin(), used.end());
    placement.patch = {static_cast<std::uint32_t>(used.size()), 1, 1};
}

Placement on_nodes(const RankGrid& grid, std::uint32_t nodes) {
    Placement placement;
    placement.grid = grid;
    placement.node_array = {nodes, 1, 1};
    placement.seats.resize(ranks_of(grid));
    return placement;
}

/// Returns the entry that lists each rank; nullptr for a rank that no entry lists.
std::vector<const ListedRanks*> entries_by_rank(const std::vector<ListedRanks>& listed, std::uint32_t ranks) {
    std::vector<const ListedRanks*> entries(ranks, nullptr);
    for (const ListedRanks& entry : listed) {
        for (std::int64_t k = 0; k < entry.ranks.count(); ++k) {
            const std::int64_t rank = entry.ranks.first + k * entry.ranks.step;
            if (rank < ranks && entries[static_cast<std::size_t>(rank)] == nullptr) {
                entries[static_cast<std::size_t>(rank)] = &entry;
            }
        }
    }
    return entries;
}

void check_ranks(const std::vector<ListedRanks>& listed, const std::vector<const ListedRanks*>& entries,
                 Diagnostics& faults) {
    const auto ranks = static_cast<std::int64_t>(entries.size());
    for (const ListedRanks& entry : listed) {
        for (std::int64_t k = 0; k < entry.ranks.count(); ++k) {
            const std::int64_t rank = entry.ranks.first + k * entry.ranks.step;
            if (rank >= ranks) {
                faults.add(DiagnosticKind::out_of_range, entry.range, fmt::format("there is no rank {}", rank),
                           fmt::format("expected a rank from 0 to {}", ranks - 1));
                break;
            }
            if (entries[static_cast<std::size_t>(rank)] == &entry) continue;
            faults.add(DiagnosticKind::duplicate_key, entry.range, fmt::format("rank {} already has a host", rank),
                       "expected each rank only once");
            break;
        }
    }
    const auto missing = std::ranges::find(entries, nullptr);
    if (missing == entries.end()) return;
    const auto count = std::ranges::count(entries, nullptr);
    faults.add(DiagnosticKind::rank_file_length, listed.back().range,
               count == 1 ? fmt::format("rank {} has no host", missing - entries.begin())
                          : fmt::format("{} ranks have no host; the first of them is rank {}", count,
                                        missing - entries.begin()),
               fmt::format("expected a host for each of {}", input::counted(entries.size(), "rank")));
}

}  // namespace

std::uint64_t nodes_of(const Distribution& distribution, std::uint64_t ranks) {
    return (ranks + distribution.ranks_per_node - 1) / distribution.ranks_per_node;
}

std::optional<Patch> patch_of(const Distribution& distribution, const RankGrid& grid) {
    const std::uint32_t each = distribution.ranks_per_node;
    const bool in_order = distribution.nodes == NodeOrder::block || nodes_of(distribution, grid.ranks()) == 1 ||
                          (distribution.nodes == NodeOrder::plane && distribution.plane == each);
    if (!in_order) return std::nullopt;
    if (grid.columns % each == 0) return Patch{each, 1, 1};
    if (each % grid.columns != 0) return std::nullopt;
    const std::uint32_t rows = each / grid.columns;
    if (grid.rows % rows == 0) return Patch{grid.columns, rows, 1};
    if (rows % grid.rows != 0 || grid.planes % (rows / grid.rows) != 0) return std::nullopt;
    return Patch{grid.columns, grid.rows, rows / grid.rows};
}

Placement deal(const RankGrid& grid, const Distribution& distribution) {
    const auto nodes = static_cast<std::uint32_t>(nodes_of(distribution, grid.ranks()));
    Placement placement = on_nodes(grid, nodes);
    for (std::uint32_t rank = 0; rank < ranks_of(grid); ++rank) {
        const std::uint32_t node = distribution.nodes == NodeOrder::block    ? rank / distribution.ranks_per_node
                                   : distribution.nodes == NodeOrder::cyclic ? rank % nodes
                                                                             : rank / distribution.plane % nodes;
        placement.seats[rank].node = {node};
    }
    placement.patch = {std::min(distribution.ranks_per_node, ranks_of(grid)), 1, 1};
    return placement;
}

Placement seat(const RankGrid& grid, const std::vector<ListedRanks>& listed, Diagnostics& faults) {
    const std::vector<const ListedRanks*> entries = entries_by_rank(listed, ranks_of(grid));
    check_ranks(listed, entries, faults);
    Placement placement = on_nodes(grid, 1);
    std::map<std::uint32_t, Node> node_on;
    for (std::uint32_t rank = 0; rank < ranks_of(grid); ++rank) {
        if (entries[rank] == nullptr) continue;  // the missing rank has already been reported
        const auto number = static_cast<std::uint32_t>(node_on.size());
        const auto [node, is_new] = node_on.try_emplace(entries[rank]->host, Node{number});
        if (is_new) placement.host_of.push_back({node->first});
        placement.seats[rank].node = node->second;
    }
    placement.node_array.columns = std::max(1U, static_cast<std::uint32_t>(node_on.size()));
    return placement;
}

void seat_on_cores(const Distribution& distribution, const NodeCores& node, Placement& placement, Diagnostics& faults) {
    const std::uint32_t most = std::min(distribution.ranks_per_node, ranks_of(placement.grid));
    if (most > node.count) {
        faults.add(
            DiagnosticKind::patch_too_large, distribution.range,
            fmt::format("a node with {} has only {}", input::counted(most, "rank"), input::counted(node.count, "core")),
            "expected at most one rank for each core, or a larger `cores` of the machine");
        return;
    }
    std::vector<std::uint32_t> order;
    if (distribution.cores == NodeFill::spread) order = spread_order(node, most);
    std::vector<std::uint32_t> seated(placement.nodes(), 0);
    for (Seat& each : placement.seats) {
        const std::uint32_t number = seated[each.node.index]++;
        each.core = order.empty() ? number : order[number];
    }
    list_cores(placement);
}

void seat_on_cores(const std::vector<ListedRanks>& listed, const NodeCores& node, Placement& placement,
                   Diagnostics& faults) {
    const std::size_t before = faults.count();
    std::vector<std::map<std::uint32_t, std::uint32_t>> rank_on(placement.nodes());  // rank on each core of each node
    for (Seat& each : placement.seats) each.core = kNoCore;
    for (const ListedRanks& entry : listed) {
        if (!entry.cores) continue;
        const std::int64_t last = entry.cores->first + (entry.cores->count() - 1) * entry.cores->step;
        if (last >= node.count) {
            faults.add(DiagnosticKind::out_of_range, entry.range, fmt::format("a node has no core {}", last),
                       fmt::format("expected a core from 0 to {}, or a larger `cores` of the machine", node.count - 1));
            continue;
        }
        for (std::int64_t k = 0; k < entry.ranks.count(); ++k) {
            const auto rank = static_cast<std::uint32_t>(entry.ranks.first + k * entry.ranks.step);
            const auto core = static_cast<std::uint32_t>(entry.cores->first + k * entry.cores->step);
            Seat& own = placement.seats[rank];
            own.core = core;
            const auto [taken, is_new] = rank_on[own.node.index].try_emplace(core, rank);
            if (is_new) continue;
            faults.add(DiagnosticKind::core_taken_twice, entry.range,
                       fmt::format("core {} of host {} already has rank {}", core, entry.host, taken->second),
                       "expected a different core for each rank");
            break;
        }
    }
    if (faults.count() != before) return;
    const std::vector<const ListedRanks*> entries = entries_by_rank(listed, ranks_of(placement.grid));
    std::vector<std::uint32_t> next(placement.nodes(), 0);
    for (std::uint32_t rank = 0; rank < entries.size(); ++rank) {
        Seat& own = placement.seats[rank];
        if (own.core != kNoCore) continue;
        const auto& taken = rank_on[own.node.index];
        std::uint32_t& core = next[own.node.index];
        while (taken.contains(core)) ++core;
        if (core >= node.count) {
            faults.add(DiagnosticKind::patch_too_large, entries[rank]->range,
                       fmt::format("host {} has no core left for rank {}: a node has {}", entries[rank]->host, rank,
                                   input::counted(node.count, "core")),
                       "expected at most one rank for each core, or a larger `cores` of the machine");
            return;
        }
        own.core = core++;
    }
    list_cores(placement);
}

void check_hosts(const std::vector<ListedRanks>& listed, std::uint32_t hosts, Diagnostics& faults) {
    for (const ListedRanks& entry : listed) {
        if (entry.host < hosts) continue;
        faults.add(DiagnosticKind::out_of_range, entry.range, fmt::format("there is no host {}", entry.host),
                   fmt::format("expected a host from 0 to {}", hosts - 1));
        return;
    }
}

}  // namespace warpfront::machine
