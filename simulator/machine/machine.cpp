#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

Locality Machine::locality(Rank a, Rank b) const {
    if (placement.node_of(a) != placement.node_of(b)) return Locality::network;
    const std::uint32_t per_chip = cores / chips;
    return placement.core_of(a) / per_chip == placement.core_of(b) / per_chip ? Locality::chip : Locality::node;
}

Time Machine::extra_latency(Rank a, Rank b) const {
    const Host from = placement.host_of[placement.node_of(a).index];
    const Host to = placement.host_of[placement.node_of(b).index];
    return routes.extra_latency(from, to);
}

}  // namespace warpfront::machine
