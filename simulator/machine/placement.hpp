// The placement of ranks. The process grid is cut into patches of Cx x Cy x Cz ranks, one for each node. The last patch
// of a row, a column or a line through the planes may be smaller. Patches are numbered like ranks, row by row and plane
// by plane. The number of a patch is that of its node, the engine's logical process. The positions within a patch are
// numbered in the same way. A table assigns a core to each position (placement/cores.hpp), and a rule assigns a host to
// each node (placement/rules.hpp).
//
// Ranks may also be dealt or listed one by one (placement/seats.hpp). Then a table contains the node and the core of
// each rank, its seat. In this case `cores` contains every core that any node uses, in ascending order, and the patch
// is a row of that many ranks.
//
// Several jobs on one machine have one placement each. The ranks and nodes of a job are numbered after those of the
// previous job.
// previous job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/units/ids.hpp"

namespace warpfront::machine {

/// The Cx x Cy x Cz ranks of one node.
struct Patch : Extents {
    /// Returns the number of ranks. A node must have a core for each of them.
    constexpr std::uint32_t ranks() const { return static_cast<std::uint32_t>(count()); }
};

/// Returns the number of a position in a grid, row by row and plane by plane. x, y and z count from 0.
constexpr std::uint32_t number_in(const Extents& array, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return (z * array.rows + y) * array.columns + x;
}

/// The node and core of a rank that belongs to no patch.
struct Seat {
    Node node;
    std::uint32_t core = 0;
};

struct Placement {
    RankGrid grid;
    Patch patch;
    /// core of each position in the patch, all different; empty if position k has core k
    std::vector<std::uint32_t> cores;
    Extents node_array;           // the grid of nodes: ceil(columns / Cx), ceil(rows / Cy), ceil(planes / Cz)
    std::vector<Host> host_of;    // host of each node
    std::vector<Seat> seats{};    // seat of each rank; empty if ranks are in patches
    std::vector<Placement> jobs;  // placement of each of several jobs; replaces all members above except `host_of`

    std::uint32_t nodes() const {
        if (jobs.empty()) return static_cast<std::uint32_t>(node_array.count());
        std::uint32_t sum = 0;
        for (const Placement& job : jobs) sum += job.nodes();
        return sum;
    }
    Node node_of(Rank rank) const {
        if (!jobs.empty()) {
            const RankInJob own = in_job(rank);
            return {own.first_node + own.job.node_of(own.rank).index};
        }
        if (!seats.empty()) return seats[rank.index].node;
        const std::uint32_t x = (grid.column(rank) - 1) / patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) / patch.rows;
        const std::uint32_t z = (grid.plane(rank) - 1) / patch.planes;
        return {(z * node_array.rows + y) * node_array.columns + x};
    }
    /// Returns the position of a rank in the patch of its node. Requires that ranks are in patches.
    std::uint32_t place_of(Rank rank) const {
        return number_in(patch, (grid.column(rank) - 1) % patch.columns, (grid.row(rank) - 1) % patch.rows,
                         (grid.plane(rank) - 1) % patch.planes);
    }
    std::uint32_t core_of(Rank rank) const {
        if (!jobs.empty()) {
            const RankInJob own = in_job(rank);
            return own.job.core_of(own.rank);
        }
        return seats.empty() ? core_of_place(place_of(rank)) : seats[rank.index].core;
    }
    std::uint32_t core_of_place(std::uint32_t place) const { return cores.empty() ? place : cores[place]; }
    /// Returns the core of a position in the patch. x, y and z count from 0. Requires that ranks are in patches.
    std::uint32_t core_at(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) const {
        return core_of_place(number_in(patch, x, y, z));
    }
    /// Returns the cores that have a rank on any node, in ascending order.
    std::vector<std::uint32_t> cores_in_use() const {
        std::vector<std::uint32_t> all(jobs.empty() ? patch.ranks() : 0);
        for (std::uint32_t place = 0; place < all.size(); ++place) all[place] = core_of_place(place);
        for (const Placement& job : jobs) {
            const std::vector<std::uint32_t> of_job = job.cores_in_use();
            all.insert(all.end(), of_job.begin(), of_job.end());
        }
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
    /// Returns the key that selects one of several parallel links (network/server.hpp). It is the sum of the rank's
    /// column, row and plane within the node, so that adjacent ranks have different keys. For a rank without a patch it
    /// is the index of its core among the cores in use.
    std::uint32_t link_key(Rank rank) const {
        if (!jobs.empty()) {
            const RankInJob own = in_job(rank);
            return own.job.link_key(own.rank);
        }
        if (!seats.empty()) {
            return static_cast<std::uint32_t>(std::ranges::lower_bound(cores, core_of(rank)) - cores.begin());
        }
        return (grid.column(rank) - 1) % patch.columns + (grid.row(rank) - 1) % patch.rows +
               (grid.plane(rank) - 1) % patch.planes;
    }

private:
    struct RankInJob {
        const Placement& job;
        Rank rank;                     // number of the rank within its job
        std::uint32_t first_node = 0;  // first node of the job
    };
    RankInJob in_job(Rank rank) const {
        std::uint32_t first_node = 0;
        std::size_t k = 0;
        for (; rank.index >= jobs[k].grid.ranks(); ++k) {
            rank.index -= static_cast<std::uint32_t>(jobs[k].grid.ranks());
            first_node += jobs[k].nodes();
        }
        return {jobs[k], rank, first_node};
    }
};

/// Divides `grid` into patches whose ranks fill the cores in order. The hosts remain empty.
inline Placement cut(RankGrid grid, Patch patch) {
    Placement placement;
    placement.grid = grid;
    placement.patch = patch;
    placement.node_array = {(grid.columns - 1) / patch.columns + 1, (grid.rows - 1) / patch.rows + 1,
                            (grid.planes - 1) / patch.planes + 1};
    return placement;
}

}  // namespace warpfront::machine
