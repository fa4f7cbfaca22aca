// Ranks that are dealt over nodes and cores, or listed one by one, instead of in patches (machine/placement.hpp).
//
// A distribution deals the ranks in the order of their numbers over M = ceil(ranks / N) nodes, with N ranks on each.
// Its terms are Slurm's: N is `--ntasks-per-node`. `--distribution` names an order for nodes and, after a colon, an
// order for the cores of a node.
//
//   block      node r / N has rank r
//   cyclic     node r mod M has rank r
//   plane=K    blocks of K ranks are dealt in turn: node (r / K) mod M has rank r; K divides N
//   ...:block  rank number i of a node has core i
//   ...:cyclic rank number i of a node has core i of an order that deals over the node's parts, such as its sockets:
//              the order of `spread` (cores.hpp)
//
// The ranks of each node may form a patch of the process grid, for example with `block` if N divides the columns. Then
// they are placed as this patch.
//
// A list names the host of every rank, and optionally its core. Nodes are numbered by their first occurrence in the
// order of ranks. A rank without a listed core has the lowest free core of its node. Ranks with lower numbers choose
// first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/placement/cores.hpp"

namespace warpfront::machine {

enum class NodeOrder : std::uint8_t { block, cyclic, plane };

/// The distribution of ranks over nodes and cores, as a scenario states it.
struct Distribution {
    std::uint32_t ranks_per_node = 1;
    NodeOrder nodes = NodeOrder::block;
    std::uint32_t plane = 1;  // number of ranks in a block of the order `plane`
    NodeFill cores = NodeFill::pack;
    SourceRange range{};  // range of `ranks_per_node`
};

/// An entry of a list of ranks: several ranks on one host.
struct ListedRanks {
    input::NumberRange ranks{};
    std::uint32_t host = 0;
    std::optional<input::NumberRange> cores{};  // core of each of these ranks
    SourceRange range{};
};

/// Returns the number of nodes that a distribution uses.
std::uint64_t nodes_of(const Distribution& distribution, std::uint64_t ranks);

/// Returns the patch that the ranks of each node form. Returns nothing if they do not form one.
std::optional<Patch> patch_of(const Distribution& distribution, const RankGrid& grid);

/// Deals the ranks over nodes. The function seat_on_cores assigns their cores later.
Placement deal(const RankGrid& grid, const Distribution& distribution);

/// Returns the nodes of listed ranks, with their hosts. The function seat_on_cores assigns their cores later.
/// Diagnostics: out_of_range for a rank that does not exist, duplicate_key for a rank that is listed twice,
/// rank_file_length for ranks that are not listed.
Placement seat(const RankGrid& grid, const std::vector<ListedRanks>& listed, Diagnostics& faults);

/// Assigns cores to dealt ranks. Diagnostic: patch_too_large for more ranks than a node has cores.
void seat_on_cores(const Distribution& distribution, const NodeCores& node, Placement& placement, Diagnostics& faults);

/// Assigns cores to listed ranks. Diagnostics: out_of_range for a core that a node does not have, core_taken_twice,
/// patch_too_large.
void seat_on_cores(const std::vector<ListedRanks>& listed, const NodeCores& node, Placement& placement,
                   Diagnostics& faults);

/// Checks the hosts of listed ranks. Diagnostic: out_of_range for a host that the platform does not have.
void check_hosts(const std::vector<ListedRanks>& listed, std::uint32_t hosts, Diagnostics& faults);

}  // namespace warpfront::machine
