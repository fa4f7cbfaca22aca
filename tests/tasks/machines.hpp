// Machines for lists of tasks: nodes and their channels to cluster memory.
#pragma once

#include "simulator/machine/machine.hpp"
#include "tests/tasks/lists.hpp"

namespace warpfront::test {

/// Returns `nodes` nodes of `per_node` cores; a channel of 1 MB/s for each node, for reads and writes each or for both.
inline machine::Machine cluster(std::uint32_t nodes, std::uint32_t per_node, bool shared = false) {
    machine::Machine machine;
    machine.placement = machine::cut(RankGrid{{nodes * per_node, 1, 1}}, machine::Patch{{per_node, 1, 1}});
    machine.cores = per_node;
    machine.cluster_memory.node = {Bandwidth{1e6}, shared ? std::nullopt : std::optional(Bandwidth{1e6}), shared};
    return machine;
}

/// Returns `nodes` nodes of one core, whose transfers are limited only by servers.
inline machine::Machine served(std::uint32_t nodes, const machine::DataChannel& server) {
    machine::Machine machine = cluster(nodes, 1);
    machine.cluster_memory.node = {};
    machine.cluster_memory.server = server;
    return machine;
}

}  // namespace warpfront::test
