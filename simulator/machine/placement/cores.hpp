// The core of each rank of a node's patch (machine/placement.hpp). The cores of a node are numbered from 0. A division
// of the node is a kind of N equal parts, such as its sockets, NICs or memories: part k has the cores from
// k * cores / N.
//
//   pack     The ranks fill the cores in order: `block` for the sockets of a node, in `--distribution` of Slurm's
//            sbatch(1).
//   spread   The ranks are dealt round-robin over the parts of the coarsest division, within each of these over the
//            parts of the next finer one, and so on. On a node of sockets alone this is Slurm's `cyclic`. In general
//            each rank in turn takes a free core whose part of the coarsest division has the fewest ranks; among such
//            cores, one whose part of the next division has the fewest, and so on; among equal ones, the lowest. So
//            divisions that do not nest, such as two sockets and three NICs, are filled evenly too.
//   a list   The scenario gives the core of every rank.
//
// Ranks are dealt in the order of their places in the patch, row by row and plane by plane. With square groups
// (`core_order: squares` of a hardware file) the same cores have ranks, but each group of cores has a block of the
// patch, the nearest to a square or cube that divides the patch: the ranks take the cores in order, block by block.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement.hpp"

namespace warpfront::machine {

enum class NodeFill : std::uint8_t { pack, spread };

/// The cores that a scenario requests for the ranks of a node.
struct CoreRequest {
    struct Listed {
        std::uint32_t core = 0;
        SourceRange range{};
    };

    NodeFill fill = NodeFill::pack;
    std::vector<Listed> listed{};  // core of each place in the patch; empty: `fill` decides
};

/// The cores of one node.
struct NodeCores {
    std::uint32_t count = 1;
    std::vector<std::uint32_t> divisions{};  // numbers of parts, ascending, each once
    std::uint32_t square_groups = 1;         // groups of cores that have a block of the patch each; 1: no blocks
};
inline NodeCores node_cores(const Machine& machine) {
    return {machine.cores, machine.divisions, machine.square_groups};
}

/// Returns the first `ranks` cores in the order of `spread`. Requires that the node has that many.
std::vector<std::uint32_t> spread_order(const NodeCores& node, std::uint32_t ranks);

/// Returns the patch of this many ranks that divides `whole` in every direction and has the least sum of sides, so is
/// the nearest to a square or cube; of two equal ones the wider. Returns a patch of one rank if there is none.
Patch near_square(const Patch& whole, std::uint32_t ranks);

/// Returns the block of the patch that each group of cores has; a patch of one rank if there are no such blocks.
Patch block_of(const Patch& patch, NodeFill fill, const NodeCores& node);

/// Returns the core of each place of the patch. Requires a core of the node for each.
std::vector<std::uint32_t> cores_of(const Patch& patch, const CoreRequest& request, const NodeCores& node);

/// Returns for each rank true if its node has a core without a rank. `cores` is the number of cores of a node.
std::vector<bool> ranks_beside_idle_cores(const Placement& placement, std::uint32_t cores);

}  // namespace warpfront::machine
