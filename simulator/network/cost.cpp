#include "simulator/network/cost.hpp"

#include <stdexcept>

namespace warpfront::network {

namespace {

Time rounded(Bytes size, Gap gap) {
    const std::optional<Time> cost = cost_of(size, gap);
    if (!cost) throw std::overflow_error("a message cost is longer than virtual time allows");
    return *cost;
}

}  // namespace

MessageCost fold(const machine::ProfileRow& row, Bytes size, Time beyond_L, const machine::Bus* bus) {
    MessageCost cost;
    cost.busy_send = row.o_send;
    cost.request = row.L + beyond_L;
    cost.flight = cost.request + rounded(size, row.G);
    cost.busy_recv = row.o_recv + rounded(size, row.G_recv);
    cost.handshake = row.protocol == machine::Protocol::handshake;
    cost.holds_bus = row.holds_bus && bus != nullptr;
    if (cost.holds_bus) cost.bus = bus->o_dma + rounded(size, bus->G_dma);
    return cost;
}

}  // namespace warpfront::network
