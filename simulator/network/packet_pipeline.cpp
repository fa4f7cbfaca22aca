#include "simulator/network/packet_pipeline.hpp"

#include <algorithm>

namespace warpfront::network {

namespace {

/// Advances the clocks by `count` >= 1 equal packets. A packet waits for its previous stage and for the previous
/// packet, so a clock is the longest path through packets and stages. The length of a path is linear in the number of
/// the packet at which it changes to the next stage, so a longest path changes at the first or at the last packet.
void pass(PacketClocks& clocks, const PacketStages& each, std::int64_t count) {
    const PacketClocks before = clocks;
    const Time first = before.in + each.in +
                       each.wire;  // time at which the first packet leaves the wire, if it does not wait for the wire
    clocks.in = before.in + each.in * count;
    clocks.wire = std::max({before.wire + each.wire * count, first + each.wire * (count - 1), clocks.in + each.wire});
    clocks.out = std::max({before.out + each.out * count, before.wire + each.wire + each.out * count,
                           before.wire + each.wire * count + each.out, first + each.out * count,
                           first + each.wire * (count - 1) + each.out, clocks.in + each.wire + each.out});
}

/// Returns true if the message's time in any stage exceeds kLongestCost.
bool too_long(const machine::ProfileRow& row, Bytes message, const Segmentation& cut, Time per_packet) {
    for (const Gap gap : {row.G_send, row.G, row.G_recv, row.wire}) {
        if (!cost_of(message, gap)) return true;
    }
    const Wide overhead = Wide{row.packet.overhead.ps} + row.packet.full.ps + per_packet.ps;
    return overhead * cut.count > kLongestCost.ps;
}

}  // namespace

Segmentation segment(const machine::Packet& packet, Bytes message) {
    const std::int64_t size = packet.size ? packet.size->count : std::max<std::int64_t>(message.count, 1);
    Segmentation cut;
    cut.size = {std::min(size, message.count)};
    cut.count = message.count == 0 ? 1 : (message.count - 1) / size + 1;
    cut.last = {message.count - (cut.count - 1) * size};
    if (packet.buffers) cut.buffered = (packet.buffers->count - 1) / size + 1;
    if (!packet.buffers || cut.buffered > cut.count) cut.buffered = cut.count;
    return cut;
}

Gap transfer_gap(const machine::ProfileRow& row) {
    const double overlapped = row.packet.size ? 0.0 : row.G_send.seconds_per_byte + row.G_recv.seconds_per_byte;
    return std::max(row.G, Gap{row.wire.seconds_per_byte - overlapped});
}

std::optional<PacketTimes> times_of_packets(const machine::ProfileRow& row, Bytes message, Time per_packet) {
    const Segmentation cut = network::segment(row.packet, message);
    if (too_long(row, message, cut, per_packet)) return std::nullopt;
    const auto stages = [&](Bytes size) {
        const Time in = *cost_of(size, row.G_send);
        const Time out = *cost_of(size, row.G_recv);
        const Time overlapped = row.packet.size ? Time{} : in + out;
        const Time table = *cost_of(size, row.G);
        const Time slow = *cost_of(size, row.wire) - overlapped;
        return PacketStages{in, std::max(table, slow) + row.packet.overhead + per_packet, out, slow > table};
    };
    return PacketTimes{cut, stages(cut.size), stages(cut.last), row.packet.full};
}

PacketPipeline pipeline_of(const PacketTimes& times) {
    const std::int64_t last = times.cut.count - 1;
    const PacketStages within = times.of(0);
    const PacketStages of_last = times.of(last);
    const std::int64_t whole_within = std::min(times.cut.buffered, last);
    const std::int64_t whole_beyond = last - whole_within;
    const PacketStages beyond = whole_beyond > 0 ? times.of(whole_within) : PacketStages{};

    PacketClocks clocks;
    if (whole_within > 0) pass(clocks, within, whole_within);
    if (whole_beyond > 0) pass(clocks, beyond, whole_beyond);
    pass(clocks, of_last, 1);

    PacketPipeline pipeline;
    pipeline.lead = within.in;
    pipeline.in = clocks.in;
    pipeline.done = clocks.out;
    pipeline.limited_by_wire = within.limited_by_wire || of_last.limited_by_wire;
    pipeline.out = times.whole.out * last + of_last.out;
    pipeline.late = clocks.wire + pipeline.out - clocks.out;
    pipeline.idle =
        clocks.wire - pipeline.lead - within.wire * whole_within - beyond.wire * whole_beyond - of_last.wire;
    return pipeline;
}

std::optional<PacketPipeline> pipeline_of(const machine::ProfileRow& row, Bytes message, Time per_packet) {
    const std::optional<PacketTimes> times = times_of_packets(row, message, per_packet);
    if (!times) return std::nullopt;
    return pipeline_of(*times);
}

}  // namespace warpfront::network
