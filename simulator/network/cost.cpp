#include "simulator/network/cost.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::network {

namespace {

[[noreturn]] void throw_too_long() { throw std::overflow_error("a message cost is longer than virtual time allows"); }

/// Returns the latency of a rendezvous' request. Its acknowledgement has the same latency.
Time handshake_latency(const machine::ProfileRow& row, Time extra_latency) {
    return row.latency_factor ? row.L : row.L + extra_latency;
}

/// Returns the time that a handshake adds to an eager message. It is zero unless the row describes a rendezvous. Then
/// the row's numbers come from ping-pong runs, which include a handshake.
Time kept_handshake(const machine::ProfileRow& row, Bytes size, Time extra_latency) {
    if (is_rendezvous(row, size) || row.protocol != machine::Protocol::rendezvous) return {};
    return handshake_latency(row, extra_latency) * 2 + row.o_request + row.o_ack;
}

/// Adds the services of a message at the buses of its ranks, or at the one bus of both.
void hold_buses(MessageCost& cost, Time of_each, Time transfer, Buses buses) {
    if (buses == Buses::one) {
        cost.service = std::min(of_each * 2, cost.flight + cost.before_service);
        cost.service_received = of_each * 2 - cost.service;
        cost.receiver_holds_server = cost.service_received > Time{};
        return;
    }
    cost.service = cost.service_received = of_each;
    cost.service_early = std::clamp(of_each - cost.busy_recv, Time{}, transfer);
}

}  // namespace

Time hold_of(Bytes size, Gap gap) {
    const std::optional<Time> cost = cost_of(size, gap);
    if (!cost) throw_too_long();
    return *cost;
}

Time times(Time cost, std::int64_t count) {
    if (Wide{cost.ps} * count > kLongestCost.ps) throw_too_long();
    return cost * count;
}

bool is_rendezvous(const machine::ProfileRow& row, Bytes size) {
    if (row.eager && row.eager->limit) return size > *row.eager->limit;
    return row.protocol == machine::Protocol::rendezvous;
}

Time data_latency(const machine::ProfileRow& row, Time extra_latency) {
    if (!row.latency_factor) return row.L + extra_latency;
    const std::optional<Time> extra = from_seconds(seconds(extra_latency) * *row.latency_factor);
    if (!extra) throw_too_long();
    return row.L + *extra;
}

Buses buses_of(const machine::Machine& machine, Rank from, Rank to) {
    if (!machine.bus || machine.processing) return Buses::two;
    const bool same_node = machine.placement.node_of(from) == machine.placement.node_of(to);
    const std::uint32_t count = machine.bus->count;
    return same_node && machine.group_of(from, count) == machine.group_of(to, count) ? Buses::one : Buses::two;
}

MessageCost fold(const machine::ProfileRow& row, Bytes size, Time extra_latency, const machine::Machine& machine,
                 Time arbitration, Buses buses) {
    const std::optional<network::PacketPipeline> pipeline = network::pipeline_of(row, size, arbitration);
    if (!pipeline) throw_too_long();
    MessageCost cost;
    cost.busy_send = row.o_send + pipeline->lead;
    cost.busy_after = pipeline->in - pipeline->lead;
    const Time handshake = handshake_latency(row, extra_latency);
    cost.request = handshake + row.o_request;
    cost.answer = handshake + row.o_ack;
    cost.flight = data_latency(row, extra_latency) + pipeline->flight() + kept_handshake(row, size, extra_latency);
    cost.rendezvous = is_rendezvous(row, size);
    cost.limited_by_wire = pipeline->limited_by_wire;
    cost.late = pipeline->late;
    cost.idle = pipeline->idle;
    cost.busy_recv = row.o_recv + pipeline->out;
    cost.in_calls = cost.rendezvous && row.progress == machine::MessageProgress::in_calls;
    if (cost.rendezvous) cost.sender_goes_on = row.sender_goes_on;
    cost.processed = machine.processing && row.processing;
    cost.holds_server = machine.processing ? cost.processed : row.holds_bus && machine.bus;
    cost.receiver_holds_server = cost.holds_server;
    cost.holds_nic = row.holds_nic && machine.nic;
    cost.holds_links = row.holds_links && machine.links;
    const bool after_overhead = row.receiver_hold == machine::ReceiverHold::after_overhead;
    if (cost.holds_server && !cost.processed && after_overhead) cost.before_service = row.o_recv;
    if (cost.processed) cost.service = cost.service_received = *row.processing;
    if (cost.holds_server && !cost.processed) {
        const Time of_each = row.o_dma.value_or(machine.bus->o_dma) + hold_of(size, machine.bus->G_dma);
        hold_buses(cost, of_each, pipeline->flight(), buses);
    }
    if (row.eager && !cost.rendezvous) {
        cost.unexpected = row.eager->o_unexpected + hold_of(size, row.eager->G_unexpected);
        cost.counts_unexpected = true;
    }
    if (cost.holds_nic) {
        const Time injected = hold_of(size, machine.nic->injection);
        const Time ejected = hold_of(size, machine.nic->ejection);
        cost.inject = std::max(machine.nic->g, injected);
        cost.eject = std::max(machine.nic->g, ejected);
        cost.eject_early = std::min(cost.eject, pipeline->flight());
        const bool arrives_whole =
            row.packet.size || size <= kLargestPacket || data_latency(row, extra_latency) == Time{};
        if (!arrives_whole) cost.eject_ahead = cost.eject_early;
        cost.injects_at_rate = machine.nic->g > injected;
        cost.ejects_at_rate = machine.nic->g > ejected;
    }
    return cost;
}

FlightParts parts_of_flight(const machine::ProfileRow& row, Bytes size, Time extra_latency, Time arbitration) {
    const std::optional<PipelineParts> transfer = parts_of_pipeline(row, size, arbitration);
    if (!transfer) throw_too_long();
    return {data_latency(row, extra_latency) + kept_handshake(row, size, extra_latency), *transfer};
}

}  // namespace warpfront::network
