// The rules by which the patches of a rank array (machine/placement.hpp) stand on the hosts of a platform.
//   block   the 2D array of patches is folded into the torus so that neighbours stay neighbours where the dimensions
//           allow it (torus_folding.hpp says how); on other platforms as linear
//   linear  patch k stands on the k-th host
//   random  patch k stands on the k-th of all hosts in a random order, given by the seed
//   file    the hosts are listed (rank_file.hpp)
// Where the machine is fragmented, others have taken hosts, picked by the seed (host_allocation.hpp says how). Linear
// and random pass them by; of a block, patches whose host is taken move on, one after another, to the next host by
// number (after the last comes the first) that is neither taken nor in use, and all others stay.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/placement/host_allocation.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::machine {

enum class PlacementRule : std::uint8_t { block, linear, random, file };

/// What a scenario asks for.
struct PlacementRequest {
    PlacementRule rule = PlacementRule::block;
    Seed seed;                        // of `random` and of the hosts that others have taken
    Share fragmentation;              // of all hosts, taken by others; 0 for `file`
    std::filesystem::path rank_file;  // of `file`
    input::SourceRange range;         // of the file's name, or of the fragmentation
};

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
