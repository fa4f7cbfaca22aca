#include "simulator/engine/state/layout_nodes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace warpfront::engine {

namespace {

constexpr std::uint32_t kMostRanksOfNode = 1 << 16;  // state.hpp: bits of RankLine::core

}  // namespace

void lay_out_nodes(const machine::Machine& machine, Layout& layout) {
    const machine::Placement& placement = machine.placement;
    layout.nodes = placement.nodes();
    layout.cores = placement.patch.ranks();
    if (layout.cores > kMostRanksOfNode)
        throw std::length_error("a node holds more ranks than the engine can number (2^16)");
    layout.ranks_on.assign(std::size_t{layout.nodes} * layout.cores, kNone);
    const std::uint32_t per_bus = machine.cores_of_each(machine.bus ? machine.bus->count : 1);
    const std::uint32_t per_nic = machine.cores_of_each(machine.nics());
    const bool cables = machine.routes.cabling.cables > 1;
    layout.rails = machine.routes.cabling.rails;
    for (std::uint32_t core = 0; core < layout.cores; ++core) {
        layout.bus_of_core.push_back(static_cast<std::uint16_t>(core / per_bus));
        layout.nic_of_core.push_back(static_cast<std::uint16_t>(core / per_nic));
    }
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const Node node = placement.node_of({rank});
        const std::uint32_t core = placement.core_of({rank});
        layout.node_of.push_back(node.index);
        layout.ranks_on[std::size_t{node.index} * layout.cores + core] = rank;
        if (cables) layout.nic_of_rank.push_back(layout.nic_of_core[core]);
    }
    for (const Host host : placement.host_of) layout.host_of.push_back(host);
}

void lay_out_memory(const machine::Machine& machine, Layout& layout) {
    if (!machine.memory) return;
    const auto whole = [](Bandwidth bandwidth) {
        return std::max<std::int64_t>(1, std::llround(bandwidth.bytes_per_second));
    };
    layout.memory = {true, machine.cores_of_each(machine.memory->count), whole(machine.memory->bandwidth),
                     whole(machine.memory->per_core)};
    layout.shares = true;
}

/// Column plus row plus plane within the node: the same again and again along no side of it.
void number_link_keys(const machine::Placement& placement, Layout& layout) {
    if (layout.links.parallel == 1 || layout.links.choice != machine::LinkChoice::deterministic) return;
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const Rank core{placement.core_of({rank})};  // a rank of the patch
        const RankGrid patch{placement.patch};
        const std::uint32_t key = patch.column(core) + patch.row(core) + patch.plane(core) - 3;
        layout.link_keys.push_back(static_cast<std::uint16_t>(key));
    }
}

void number_servers(const machine::Machine& machine, const LinkOwners& owners, Layout& layout) {
    HotStateLayout& hot = layout.hot;
    hot.nics = machine.nic ? machine.nic->count : 0;
    hot.arrival = layout.cores;
    hot.flights = hot.arrival + 1;
    hot.buses = layout.cores + (layout.ejects ? 2 : 0);
    hot.injection = hot.buses + (machine.bus ? machine.bus->count : 0);
    hot.ejection = hot.injection + hot.nics;
    hot.links = hot.ejection + hot.nics;
    hot.used = hot.links + owners.most_own() * layout.links.parallel;
    hot.stride = std::bit_ceil(hot.used);
    const std::uint64_t on_nodes = std::uint64_t{hot.stride} * layout.nodes;
    const std::uint64_t count = on_nodes + owners.link_count() * layout.links.parallel;
    if (count >= kNone) throw std::length_error("the machine has more shared resources than the engine can number");
    layout.server_count = static_cast<std::uint32_t>(count);
    layout.link_server = owners.servers(hot, layout.links.parallel);
}

}  // namespace warpfront::engine
