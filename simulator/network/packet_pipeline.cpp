#include "simulator/network/packet_pipeline.hpp"

#include <algorithm>

namespace warpfront::network {

namespace {

/// Advances the clocks by `count` >= 1 equal packets. A packet waits for its previous stage and for the previous
/// packet. So a clock is the length of the longest path through packets and stages. The length of a path is linear in
/// the number of the packet at which the path changes to the next stage. So a longest path changes at the first or at
/// the last packet.
template <class Clocks, class Stages>
void pass(Clocks& clocks, const Stages& each, std::int64_t count) {
    const Clocks before = clocks;
    // time at which the first packet leaves the wire, if it does not wait for the wire
    const auto first = before.in + each.in + each.wire;
    clocks.in = before.in + each.in * count;
    clocks.wire = std::max({before.wire + each.wire * count, first + each.wire * (count - 1), clocks.in + each.wire});
    clocks.out = std::max({before.out + each.out * count, before.wire + each.wire + each.out * count,
                           before.wire + each.wire * count + each.out, first + each.out * count,
                           first + each.wire * (count - 1) + each.out, clocks.in + each.wire + each.out});
}

/// Returns the clocks after all packets of a message. `stages_of(k)` returns the times of packet k.
template <class Clocks>
Clocks pass_all(const Segmentation& cut, const auto& stages_of) {
    const std::int64_t last = cut.count - 1;
    const std::int64_t whole_within = std::min(cut.buffered, last);
    Clocks clocks;
    if (whole_within > 0) pass(clocks, stages_of(0), whole_within);
    if (whole_within < last) pass(clocks, stages_of(whole_within), last - whole_within);
    pass(clocks, stages_of(last), 1);
    return clocks;
}

/// Returns true if the message takes longer than kLongestCost in some stage.
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
        const Time beyond = row.packet.overhead + per_packet;
        return PacketStages{in, std::max(table, slow) + beyond, out, beyond, slow > table};
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

    const auto clocks = pass_all<PacketClocks>(times.cut, [&](std::int64_t packet) { return times.of(packet); });

    PacketPipeline pipeline;
    pipeline.lead = within.in;
    pipeline.in = clocks.in;
    pipeline.done = clocks.out;
    pipeline.limited_by_wire = within.limited_by_wire || of_last.limited_by_wire;
    pipeline.out = times.copying_out();
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

namespace {

/// A time on a path through packets and stages, divided by cause.
struct PathSums {
    Time in{};
    Time table{};
    Time wire{};
    Time packets{};
    Time out{};

    Time total() const { return in + table + wire + packets + out; }
    friend PathSums operator+(const PathSums& a, const PathSums& b) {
        return {a.in + b.in, a.table + b.table, a.wire + b.wire, a.packets + b.packets, a.out + b.out};
    }
    friend PathSums operator*(const PathSums& a, std::int64_t times) {
        return {a.in * times, a.table * times, a.wire * times, a.packets * times, a.out * times};
    }
    friend bool operator<(const PathSums& a, const PathSums& b) { return a.total() < b.total(); }
};

/// The times of one packet in the three stages, or the clocks of the stages, divided by cause.
struct PathStages {
    PathSums in{};
    PathSums wire{};
    PathSums out{};
};

/// Divides the stages of one packet. If a message is `cut_through` and limited by the wire, its copies overlap the
/// wire, so they are subtracted.
PathStages divided(const PacketStages& stages, bool cut_through) {
    PathStages divided;
    divided.in.in = stages.in;
    divided.out.out = stages.out;
    divided.wire.packets = stages.beyond;
    const Time bytes = stages.wire - stages.beyond;
    if (!stages.limited_by_wire) {
        divided.wire.table = bytes;
    } else if (!cut_through) {
        divided.wire.wire = bytes;
    } else {
        divided.wire.wire = bytes + stages.in + stages.out;
        divided.wire.in = Time{} - stages.in;
        divided.wire.out = Time{} - stages.out;
    }
    return divided;
}

}  // namespace

std::optional<PipelineParts> parts_of_pipeline(const machine::ProfileRow& row, Bytes message, Time per_packet) {
    const std::optional<PacketTimes> times = times_of_packets(row, message, per_packet);
    if (!times) return std::nullopt;
    const auto stages_of = [&](std::int64_t packet) { return divided(times->of(packet), !row.packet.size); };
    const auto ends = pass_all<PathStages>(times->cut, stages_of);
    const PacketPipeline pipeline = pipeline_of(*times);
    const auto from_departure = [&](const PathSums& path) {
        return TransferParts{path.in + path.out - pipeline.lead, path.table, path.wire, path.packets};
    };
    PipelineParts parts{from_departure(ends.out), from_departure(ends.wire)};
    parts.flight.copies -= pipeline.out;
    return parts;
}

}  // namespace warpfront::network
