// Which rank runs where. The rank array is cut into patches of Cx x Cy ranks (one node each; the last patch of a row
// or column may be cut short); patches are numbered row by row and these numbers are the engine's logical processes.
// A rule then says which host of the platform each patch stands on.
//   block   the 2D array of patches is folded into the torus so that neighbours stay neighbours where the dimensions
//           allow it (torus.hpp says how); on other platforms as linear
//   linear  patch k stands on the k-th host
//   random  patch k stands on the k-th of all hosts in a random order, given by the seed
//   file    the hosts are listed (rank_file.hpp)
// Where the machine is fragmented, others have taken hosts, picked by the seed (free_hosts.hpp says how). Linear and
// random pass them by; of a block, patches whose host is taken move on, one after another, to the next host by number
// (after the last comes the first) that is neither taken nor in use, and all others stay.
// Cores of a patch are numbered row by row too; core c sits on chip c / (cores / chips).
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::machine {

/// Cx x Cy ranks of one node.
struct Patch {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    constexpr std::uint32_t ranks() const { return columns * rows; }
};

enum class PlacementRule : std::uint8_t { block, linear, random, file };

/// A part of a whole, in [0, 1).
struct Share {
    double of_one = 0.0;
    friend constexpr bool operator==(Share, Share) = default;
};

/// What a scenario asks for.
struct PlacementRequest {
    PlacementRule rule = PlacementRule::block;
    Seed seed;                          // of `random` and of the hosts that others have taken
    Share fragmentation;                // of all hosts, taken by others; 0 for `file`
    std::filesystem::path rank_file;    // of `file`
    input::Place place;                 // of the file's name, or of the fragmentation
};

struct Placement {
    RankGrid grid;
    Patch patch;
    std::uint32_t node_columns = 1;          // ceil(columns / Cx)
    std::uint32_t node_rows = 1;
    std::vector<std::uint32_t> host_of;      // by node (patch number)

    std::uint32_t nodes() const { return node_columns * node_rows; }
    Node node_of(Rank rank) const {
        const std::uint32_t x = (grid.column(rank) - 1) / patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) / patch.rows;
        return {y * node_columns + x};
    }
    std::uint32_t core_of(Rank rank) const {
        const std::uint32_t x = (grid.column(rank) - 1) % patch.columns;
        const std::uint32_t y = (grid.row(rank) - 1) % patch.rows;
        return y * patch.columns + x;
    }
};

/// The patches of `grid`, host_of left empty.
Placement cut(RankGrid grid, Patch patch);

/// By node, as many as `placement` has; `moved` of them do not stand where a block would have them.
struct LaidOut {
    std::vector<std::uint32_t> host_of;
    std::uint32_t moved = 0;
};
/// Applies the rule, which is not `file`; `hosts` must have enough free ones. `torus` has the dimensions of a platform
/// that is one, and is empty for another.
LaidOut lay_out(const Placement& placement, const PlacementRequest& request, std::uint32_t hosts,
                const std::vector<std::uint32_t>& torus);

/// Torus hosts (first dimension fastest) for node_columns x node_rows patches; `dimensions` must hold them all.
std::vector<std::uint32_t> fold(std::uint32_t node_columns, std::uint32_t node_rows,
                                const std::vector<std::uint32_t>& dimensions);

}  // namespace warpfront::machine
