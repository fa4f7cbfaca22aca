#include "simulator/analytic/message.hpp"

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
    throw input::BadInput(input::DiagnosticKind::closed_form_overflow, {},
                          fmt::format("the packets of a message of {} bytes take longer than a cost may", size.count),
                          fmt::format("expected at most {:.3g} s", seconds(kLongestCost)));
}

}  // namespace

MessageTime message_cost(const machine::ProfileRow& row, Bytes size) {
    const network::PacketPipeline pipeline = checked_pipeline(row, size);
    const Time wire = pipeline.flight() + row.L;
    const Time take = row.o_recv + pipeline.out;
    const Time leaves = row.o_send + pipeline.lead;
    const Time rest = pipeline.in - pipeline.lead;
    if (row.protocol == machine::Protocol::rendezvous) {
        const Time held = leaves + row.L + row.o_request + row.L + row.o_ack;
        return {.send = held + rest, .recv = row.L + row.o_ack + wire + take, .total = held + wire + take};
    }
    return {.send = leaves + rest, .recv = row.L + take, .total = leaves + wire + take};
}

MessageTime message_cost(const machine::Profile& profile, Bytes size) {
    return message_cost(machine::row_for(profile, size), size);
}

}  // namespace warpfront::analytic
