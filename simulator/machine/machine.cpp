#include "simulator/machine/machine.hpp"

#include <algorithm>

namespace warpfront::machine {

Locality Machine::locality(Rank a, Rank b) const {
    if (placement.node_of(a) != placement.node_of(b)) return network();
    const auto share = [&](const NodeParts& kind) {
        const std::uint32_t cores_each = cores_of_each(kind.count);
        return placement.core_of(a) / cores_each == placement.core_of(b) / cores_each;
    };
    return {static_cast<std::uint8_t>(std::find_if(parts.begin(), parts.end(), share) - parts.begin())};
}

Time Machine::extra_latency(Rank a, Rank b) const { return routes.extra_latency(nic_of(a), nic_of(b)); }

}  // namespace warpfront::machine
