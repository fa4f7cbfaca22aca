// The core of each rank in the patch of a node (machine/placement.hpp). The cores of a node are numbered from 0. A
// division of the node is a kind of N equal parts, such as its sockets, NICs or memories. Part k begins with core k *
// cores / N.
//
//   pack     The ranks fill the cores in order. In `--distribution` of Slurm's sbatch(1) this is `block` for the
//            sockets of a node.
//   spread   The ranks are dealt round-robin over the parts of the coarsest division, within each part over the parts
//            of the next finer division, and so on. If a node has only sockets, this is Slurm's `cyclic`. In general
//            each rank takes a free core whose part of the coarsest division has the fewest ranks. If there are
//            several, their parts of the next division are compared in the same way, and so on. Of equal cores the
//            lowest is taken. So divisions that do not nest, such as two sockets and three NICs, are filled evenly too.
//   a list   The scenario states the core of every rank.
//
// Ranks are dealt in the order of their positions in the patch, row by row and plane by plane. Square groups
// (`core_order: squares` of a hardware file) change which rank has which of these cores. Each group of cores then
// contains a block of the patch: the block nearest to a square or cube that divides the patch. The ranks take the cores
// in order, block by block.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement.hpp"

namespace warpfront::machine {

enum class NodeFill : std::uint8_t { pack, spread };

/// The assignment of cores to the ranks of a node, as a scenario states it.
struct CoreRequest {
    struct Listed {
        std::uint32_t core = 0;
        SourceRange range{};
    };

    NodeFill fill = NodeFill::pack;
    std::vector<Listed> listed{};  // core of each position in the patch; empty if `fill` decides
};

/// The cores of one node, and how they are divided.
struct NodeCores {
    std::uint32_t count = 1;
    std::vector<std::uint32_t> divisions{};  // numbers of parts, ascending and all different
    /// number of core groups that contain a block of the patch each; 1 if there are no blocks
    std::uint32_t square_groups = 1;
};
inline NodeCores node_cores(const Machine& machine) {
    return {machine.cores, machine.divisions, machine.square_groups};
}

/// Returns the first `ranks` cores in the order of `spread`. The node must have that many.
std::vector<std::uint32_t> spread_order(const NodeCores& node, std::uint32_t ranks);

/// Returns the most nearly square patch with this many ranks that divides `whole` in every direction: the one with the
/// least sum of sides, and the wider of two equal ones. Returns a patch of one rank if there is none.
Patch near_square(const Patch& whole, std::uint32_t ranks);

/// Returns the block of the patch that each group of cores contains. Returns a patch of one rank if there are no such
/// blocks.
Patch block_of(const Patch& patch, NodeFill fill, const NodeCores& node);

/// Returns the core of each position in the patch. The node must have enough cores.
std::vector<std::uint32_t> cores_of(const Patch& patch, const CoreRequest& request, const NodeCores& node);

/// Returns, for each rank, true if its node has a core without a rank. A node has `cores` cores.
std::vector<bool> ranks_beside_idle_cores(const Placement& placement, std::uint32_t cores);

}  // namespace warpfront::machine
