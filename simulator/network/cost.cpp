#include "simulator/network/cost.hpp"

#include <stdexcept>

namespace warpfront::network {

Time hold_of(Bytes size, Gap gap) {
    const std::optional<Time> cost = cost_of(size, gap);
    if (!cost) throw std::overflow_error("a message cost is longer than virtual time allows");
    return *cost;
}

MessageCost fold(const machine::ProfileRow& row, Bytes size, Time beyond_L, const machine::Machine& machine) {
    MessageCost cost;
    cost.busy_send = row.o_send;
    cost.request = row.L + beyond_L;
    cost.flight = cost.request + hold_of(size, row.G);
    cost.busy_recv = row.o_recv + hold_of(size, row.G_recv);
    cost.handshake = row.protocol == machine::Protocol::handshake;
    cost.holds_bus = row.holds_bus && machine.bus;
    cost.holds_nic = row.holds_nic && machine.nic;
    cost.holds_links = row.holds_links && machine.links;
    if (cost.holds_bus) cost.bus = machine.bus->o_dma + hold_of(size, machine.bus->G_dma);
    if (cost.holds_nic) cost.inject = hold_of(size, machine.nic->injection);
    if (cost.holds_nic) cost.eject = hold_of(size, machine.nic->ejection);
    return cost;
}

}  // namespace warpfront::network
