#include "simulator/machine/loading/node_placement.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

#include <fmt/format.h>

#include "simulator/machine/loading/growth.hpp"
#include "simulator/machine/placement/host_allocation.hpp"

namespace warpfront::machine {

using input::Diagnostics;

std::optional<RankFile> rank_file_of(const MachineRequest& request, Diagnostics& faults) {
    if (request.placement.rule != PlacementRule::file) return std::nullopt;
    try {
        return read_rank_file(request.placement.rank_file, request.placement.range);
    } catch (const input::BadInput& bad) {
        faults.add(bad.faults());
        return std::nullopt;
    }
}

NodeHosts place_nodes(const MachineRequest& request, const Placement& placement, std::uint32_t hosts,
                      const Platform& platform, const std::optional<RankFile>& listed) {
    if (listed) return {listed->host_of, 0};
    const auto* torus = std::get_if<TorusRoutes>(&platform.zone);
    if (torus == nullptr) return allocate_hosts(placement, request.placement, hosts, {});
    return allocate_hosts(placement, request.placement, hosts, torus->dimensions);
}

std::vector<HostPair> pairs_to_route(const MachineRequest& request, const Placement& placement) {
    std::vector<HostPair> pairs;
    if (!request.pairs) return pairs;
    request.pairs([&](Rank from, Rank to) {
        const Node a = placement.node_of(from);
        const Node b = placement.node_of(to);
        if (a != b) pairs.push_back({placement.host_of[a.index], placement.host_of[b.index]});
    });
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

void add_placement_notes(const MachineRequest& request, std::uint32_t displaced, Machine& machine) {
    const PlacementRequest& wanted = request.placement;
    const std::uint64_t taken = machine.hosts - count_free_hosts(machine.hosts, wanted.fragmentation);
    if (wanted.rule == PlacementRule::random) {
        machine.notes.push_back(fmt::format("nodes stand on hosts in a random order (seed {})", wanted.seed.value));
    }
    if (wanted.rule == PlacementRule::file) {
        machine.notes.push_back(fmt::format("nodes stand on the hosts that `{}` lists", wanted.rank_file.string()));
    }
    if (taken > 0) {
        machine.notes.push_back(fmt::format("others have taken {} of {} hosts (fragmentation {}, seed {})", taken,
                                            machine.hosts, wanted.fragmentation.of_one, wanted.seed.value));
    }
    if (displaced > 0) {
        machine.notes.push_back(fmt::format("{} of {} nodes moved on from a host that others have taken", displaced,
                                            machine.placement.nodes()));
    }
}

}  // namespace warpfront::machine
