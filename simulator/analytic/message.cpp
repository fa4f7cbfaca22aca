#include "simulator/analytic/message.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "simulator/analytic/phases.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::analytic {

namespace {

network::PacketPipeline checked_pipeline(const machine::ProfileRow& row, Bytes size) {
    const std::optional<network::PacketPipeline> pipeline = network::pipeline_of(row, size);
    if (pipeline) return *pipeline;
    for (const Gap gap : {row.G_send, row.G, row.G_recv}) (void)byte_time(size, gap);
    throw input::BadInput(
        input::DiagnosticKind::closed_form_overflow, {},
        fmt::format("the packets of a message of {} bytes take longer than the limit of one cost", size.count),
        fmt::format("expected at most {:.3g} s", seconds(kLongestCost)));
}

/// Returns the transfer time, booked as its limiting part.
record::PathParts transfer(const network::PacketPipeline& pipeline, Time takes) {
    return pipeline.limited_by_wire ? record::PathParts{.wire = takes} : record::PathParts{.bandwidth = takes};
}

/// Returns the sender's wait for the transfer of its bytes, beyond copying them in.
record::PathParts wait_for_bytes(const machine::ProfileRow& row, const network::PacketPipeline& pipeline) {
    if (row.sender_goes_on == machine::SenderGoesOn::acknowledged) return {};
    const Time latency = row.sender_goes_on == machine::SenderGoesOn::received ? row.L : Time{};
    const Time copied = pipeline.in - pipeline.lead;
    const Time waits = std::max(Time{}, pipeline.flight() + latency - copied);
    return record::PathParts{.latency = std::min(waits, latency)} +
           transfer(pipeline, waits - std::min(waits, latency));
}

Time narrowed(const record::PathParts& parts) { return {static_cast<std::int64_t>(parts.total().ps)}; }

}  // namespace

MessageTime MessageParts::time() const { return {narrowed(send), narrowed(recv), narrowed(total)}; }

MessageParts message_parts(const machine::ProfileRow& row, Bytes size) {
    const network::PacketPipeline pipeline = checked_pipeline(row, size);
    const record::PathParts take{.overhead = row.o_recv + pipeline.out};
    MessageParts parts;
    parts.send.overhead = row.o_send + pipeline.in;
    parts.recv = take + record::PathParts{.latency = row.L};
    const record::PathParts flight = record::PathParts{.latency = row.L} + transfer(pipeline, pipeline.flight());
    parts.total = take + record::PathParts{.overhead = row.o_send + pipeline.lead} + flight;
    if (row.protocol == machine::Protocol::rendezvous) {
        const record::PathParts handshake{.latency = row.L + row.o_request + row.L + row.o_ack};
        parts.send += handshake;
        parts.total += handshake;
        parts.recv += record::PathParts{.latency = row.o_ack} + flight;
        parts.send += wait_for_bytes(row, pipeline);
    }
    return parts;
}

MessageParts message_parts(const machine::Profile& profile, Bytes size) {
    return message_parts(machine::row_for(profile, size), size);
}

record::PathParts eager_wait(const machine::Profile& profile, Bytes size) {
    const machine::ProfileRow& row = machine::row_for(profile, size);
    if (row.protocol == machine::Protocol::rendezvous) return {};
    return {.latency = row.L};
}

MessageTime message_cost(const machine::ProfileRow& row, Bytes size) { return message_parts(row, size).time(); }

MessageTime message_cost(const machine::Profile& profile, Bytes size) {
    return message_cost(machine::row_for(profile, size), size);
}

}  // namespace warpfront::analytic
