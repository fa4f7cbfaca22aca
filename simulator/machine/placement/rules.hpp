// The rules that give each node (a patch of the rank array, machine/placement.hpp) a host of the platform.
//   block   the array of patches is folded into the torus so that neighbours stay neighbours if the dimensions
//           allow it (torus_folding.hpp); on other platforms the same as linear
//   linear  patch k is placed on the k-th host
//   random  patch k is placed on the k-th host of a random order, which the seed determines
//   file    a rank file lists the hosts (rank_file.hpp)
// On a fragmented machine other jobs occupy hosts that the seed determines (host_allocation.hpp). Linear and random
// skip these hosts. Block moves only the nodes whose hosts are occupied: one after another, each to the next higher
// host (wrapping around) that is neither occupied nor in use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/placement/host_allocation.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::machine {

enum class PlacementRule : std::uint8_t { block, linear, random, file };

/// The placement that a scenario requests.
struct PlacementRequest {
    PlacementRule rule = PlacementRule::block;
    Seed seed;                        // of `random` and of the hosts that other jobs occupy
    Share fragmentation;              // of all hosts, occupied by other jobs; 0 for `file`
    std::filesystem::path rank_file;  // of `file`
    input::SourceRange range;         // of the file's name, or of the fragmentation
};

struct NodeHosts {
    std::vector<Host> host_of;    // by node, as many as the placement has
    std::uint32_t displaced = 0;  // nodes whose host by `block` is occupied
};
/// Applies the rule, which is not `file`. `hosts` must include enough free ones. `torus` has the dimensions if the
/// platform is a torus, and is empty otherwise.
NodeHosts allocate_hosts(const Placement& placement, const PlacementRequest& request, std::uint32_t hosts,
                         const std::vector<std::uint32_t>& torus);

/// Torus hosts (first dimension fastest) for an array of patches; `dimensions` must hold them all.
std::vector<Host> fold(const Extents& array, const std::vector<std::uint32_t>& dimensions);

}  // namespace warpfront::machine
