#include "simulator/analytic/message.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "simulator/analytic/patch.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::analytic {

namespace {

network::PacketPipeline checked_pipeline(const machine::ProfileRow& row, Bytes size) {
    const std::optional<network::PacketPipeline> pipeline = network::pipeline_of(row, size);
    if (pipeline) return *pipeline;
    for (const Gap gap : {row.G_send, row.G, row.G_recv}) (void)byte_time(size, gap);
    throw BadInput(
        DiagnosticKind::closed_form_overflow, {},
        fmt::format("the packets of a message of {} bytes take longer than the limit of one cost", size.count),
        fmt::format("expected at most {:.3g} s", seconds(kLongestCost)));
}

record::PathParts as_path(const network::TransferParts& parts) {
    return {.overhead = parts.copies, .bandwidth = parts.table, .wire = parts.wire, .packets = parts.packets};
}

/// Returns the additional parts of a send whose sender waits for the transfer of its bytes. They replace its copying of
/// packets that follow the first, unless this copying takes longer.
record::PathParts wait_for_bytes(const machine::ProfileRow& row, const network::PacketPipeline& pipeline,
                                 const network::PipelineParts& parts) {
    if (row.sender_goes_on == machine::SenderGoesOn::acknowledged) return {};
    const Time latency = row.sender_goes_on == machine::SenderGoesOn::received ? row.L : Time{};
    const Time copied = pipeline.in - pipeline.lead;
    if (pipeline.flight() + pipeline.late + latency <= copied) return {};
    return as_path(parts.sent) + record::PathParts{.latency = latency} - record::PathParts{.overhead = copied};
}

Time narrowed(const record::PathParts& parts) { return {static_cast<std::int64_t>(parts.total().ps)}; }

}  // namespace

MessageTime MessageParts::time() const { return {narrowed(send), narrowed(recv), narrowed(total)}; }

MessageParts message_parts(const machine::ProfileRow& row, Bytes size) {
    const network::PacketPipeline pipeline = checked_pipeline(row, size);
    const network::PipelineParts of_pipeline = network::parts_of_pipeline(row, size).value();
    const record::PathParts latency{.latency = row.L};
    const record::PathParts take{.overhead = row.o_recv + pipeline.out};
    MessageParts parts;
    parts.send.overhead = row.o_send + pipeline.in;
    parts.recv = take + latency;
    parts.total =
        record::PathParts{.overhead = row.o_send + pipeline.lead} + latency + as_path(of_pipeline.flight) + take;
    if (row.protocol == machine::Protocol::rendezvous) {
        const record::PathParts handshake{.latency = row.L + row.o_request + row.L + row.o_ack};
        parts.send += handshake + wait_for_bytes(row, pipeline, of_pipeline);
        parts.total += handshake;
        parts.recv = record::PathParts{.latency = row.o_ack} + latency + latency + as_path(of_pipeline.flight) + take;
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

namespace {

/// Returns `cost` times the real number `count`. The sum is rounded to the nearest picosecond; each part differs from
/// its exact value by at most one picosecond.
record::PathParts taken(const record::PathParts& cost, double count) {
    record::PathParts all;
    double until = 0.0;
    Wide before = 0;
    for (const record::PathPart& part : record::kPathParts) {
        until += static_cast<double>((cost.*part.time).ps);
        const Wide end = static_cast<Wide>(std::round(count * until));
        all.*part.time = WideTime{end - before};
        before = end;
    }
    return all;
}

}  // namespace

record::PathParts allreduce_parts(const machine::Machine& machine, Bytes size) {
    const double ranks = static_cast<double>(machine.placement.grid.ranks());
    const std::uint32_t on_node = occupied_patch(machine.placement).ranks();
    // The product is rounded once per locality. If all numbers are powers of two, it is a whole number and exact.
    const auto stages = [&](double among, double within, machine::Locality locality) {
        if (among == within) return record::PathParts{};  // no such stage, and possibly no such locality
        return taken(message_parts(machine.profile(locality), size).total,
                     (std::log2(among) - std::log2(within)) * on_node);
    };
    record::PathParts sum = stages(ranks, on_node, machine.network());
    std::uint32_t among = on_node;
    for (std::size_t kind = machine.parts.size(); kind-- > 0;) {
        const std::uint32_t within = most_ranks_of_group(machine, machine.parts[kind].count);
        sum += stages(among, within, {static_cast<std::uint8_t>(kind + 1)});
        among = within;
    }
    return sum + stages(among, 1, {0});
}

WideTime allreduce_time(const machine::Machine& machine, Bytes size) { return allreduce_parts(machine, size).total(); }

std::optional<std::string> not_only_allreduces(const Inputs& inputs) {
    const auto any = [&](auto of) { return std::ranges::any_of(inputs.program.closed_form, of); };
    const auto sweeps = [](const program::WavefrontPhase& phase) { return !phase.corners.empty(); };
    const auto exchanges = [](const program::WavefrontPhase& phase) { return !phase.exchanges.empty(); };
    const auto reduces = [](const program::WavefrontPhase& phase) { return phase.allreduces > 0; };
    if (any(sweeps)) return fmt::format("`{}` has sweeps", inputs.program.name);
    if (any(exchanges)) return fmt::format("`{}` exchanges messages with neighbours", inputs.program.name);
    if (!any(reduces)) return fmt::format("`{}` has no allreduce", inputs.program.name);
    return std::nullopt;
}

Prediction allreduces(const Inputs& inputs) {
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        const record::PathParts each = allreduce_parts(inputs.machine, phase.allreduce_bytes);
        return Iteration{.nonwavefront = times(each, phase.allreduces, "the allreduces") +
                                         record::PathParts{.compute = phase.other}};
    });
}

}  // namespace warpfront::analytic
