// Ranks that are dealt over nodes and cores, or listed one by one, in place of patches (machine/placement.hpp).
//
// A distribution deals the ranks, in the order of their numbers, over M = ceil(ranks / N) nodes with N ranks each, in
// the terms of Slurm: N is `--ntasks-per-node`, and `--distribution` has an order for nodes and, after a colon, one for
// the cores of a node.
//
//   block      node r / N has rank r
//   cyclic     node r mod M has rank r
//   plane=K    blocks of K ranks are dealt in turn: node (r / K) mod M has rank r; K divides N
//   ...:block  rank number i of a node has core i
//   ...:cyclic rank number i of a node has core i of the order in which ranks are dealt over the node's parts, such as
//              its sockets: that of `spread` (cores.hpp)
//
// If the ranks of each node form a patch of the process grid, as with `block` if N divides its columns, they are placed
// as that patch.
//
// A list names the host of every rank, and its core if wanted. Nodes are numbered in the order in which they first
// occur in the order of ranks. A rank without a listed core has the lowest core of its node that no rank has, after
// those with lower numbers.
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

/// The rule by which a scenario deals the ranks over nodes and cores.
struct Distribution {
    std::uint32_t ranks_per_node = 1;
    NodeOrder nodes = NodeOrder::block;
    std::uint32_t plane = 1;  // ranks in a block of `plane`
    NodeFill cores = NodeFill::pack;
    SourceRange range{};  // place of `ranks_per_node`
};

/// An entry of a list of ranks: several ranks on one host.
struct ListedRanks {
    input::NumberRange ranks{};
    std::uint32_t host = 0;
    std::optional<input::NumberRange> cores{};  // one core for each rank
    SourceRange range{};
};

/// Returns the number of nodes over which a distribution deals the ranks.
std::uint64_t nodes_of(const Distribution& distribution, std::uint64_t ranks);

/// Returns the patch that the ranks of each node form; nothing if they do not form one.
std::optional<Patch> patch_of(const Distribution& distribution, const RankGrid& grid);

/// Deals the ranks over nodes; their cores are assigned later.
Placement deal(const RankGrid& grid, const Distribution& distribution);

/// Returns the nodes of listed ranks with their hosts; their cores are assigned later. Diagnostics: out_of_range for a
/// rank that does not exist, duplicate_key for a rank that is listed twice, rank_file_length for ranks that are not
/// listed.
Placement seat(const RankGrid& grid, const std::vector<ListedRanks>& listed, Diagnostics& faults);

/// Gives the dealt ranks their cores. Diagnostic: patch_too_large for more ranks than a node has cores.
void seat_on_cores(const Distribution& distribution, const NodeCores& node, Placement& placement, Diagnostics& faults);

/// Gives the listed ranks their cores. Diagnostics: out_of_range for a core that a node does not have,
/// core_taken_twice, patch_too_large.
void seat_on_cores(const std::vector<ListedRanks>& listed, const NodeCores& node, Placement& placement,
                   Diagnostics& faults);

/// Checks the hosts of a list. Diagnostic: out_of_range for a host that the platform does not have.
void check_hosts(const std::vector<ListedRanks>& listed, std::uint32_t hosts, Diagnostics& faults);

}  // namespace warpfront::machine
