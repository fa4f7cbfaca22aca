#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

Layer Machine::layer(Rank a, Rank b) const {
    if (placement.node_of(a) != placement.node_of(b)) return Layer::network;
    const std::uint32_t per_chip = cores / chips;
    return placement.core_of(a) / per_chip == placement.core_of(b) / per_chip ? Layer::chip : Layer::node;
}

Time Machine::beyond_L(Rank a, Rank b) const {
    const Node from{placement.host_of[placement.node_of(a).index]};
    const Node to{placement.host_of[placement.node_of(b).index]};
    return routes.beyond_L(from, to);
}

}  // namespace warpfront::machine
