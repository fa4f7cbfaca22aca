// Perfetto's protobuf: one track of slices for each rank, flows from slice to slice, and counters, in packets that are
// compressed some thousand at a time.
#include <string>

#include <fmt/format.h>
#include <zlib.h>

#include "simulator/results/timeline/perfetto/perfetto.pb.h"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::results {

namespace {

using perfetto::protos::Trace;
using perfetto::protos::TracePacket;
using perfetto::protos::TrackDescriptor;
using perfetto::protos::TrackEvent;

constexpr std::uint64_t kProcess = 1;
constexpr std::uint64_t kCollective = record::kActivityNames.size() + 1;  // interned names begin with 1
constexpr int kPacketsTogether = 4096;

std::string compressed(const std::string& bytes) {
    uLongf size = compressBound(bytes.size());
    std::string result(size, '\0');
    const int done = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_DEFAULT_COMPRESSION);
    if (done != Z_OK) throw std::bad_alloc();  // the only possible failure
    result.resize(size);
    return result;
}

class PerfettoTrace {
public:
    PerfettoTrace(const record::Timeline& timeline, const TimelineNames& names)
        : timeline_(timeline), names_(names), flows_(flows_of(timeline)) {}

    std::string write() {
        intern();
        process();
        for (std::size_t k = 0; k < timeline_.ranks.size(); ++k) rank(k);
        for (std::size_t k = 0; k < record::kResourceNames.size(); ++k) counter(static_cast<record::Resource>(k));
        flush();
        return std::move(text_);
    }

private:
    std::uint64_t track_of(Rank rank) const { return kProcess + 1 + rank.index; }

    void intern() {
        TracePacket& packet = next();
        packet.set_sequence_flags(1);
        auto& interned = *packet.mutable_interned_data();
        const auto name = [&](std::uint64_t number, std::string_view text) {
            auto& entry = *interned.add_event_names();
            entry.set_iid(number);
            entry.set_name(std::string(text));
        };
        for (std::size_t k = 0; k < record::kActivityNames.size(); ++k) name(k + 1, record::kActivityNames[k]);
        name(kCollective, "collective");
        for (std::size_t site = 0; site < names_.program.sites.size(); ++site) {
            const program::Site& from = names_.program.sites[site];
            auto& entry = *interned.add_source_locations();
            entry.set_iid(site + 1);
            entry.set_file_name(from.file);
            entry.set_function_name(from.text);
            entry.set_line_number(from.line);
        }
    }

    void process() {
        TrackDescriptor& track = *next().mutable_track_descriptor();
        track.set_uuid(kProcess);
        track.set_child_ordering(TrackDescriptor::EXPLICIT);
        track.mutable_process()->set_pid(1);
        track.mutable_process()->set_process_name(names_.title);
    }

    /// Writes a rank. Slices nest: a collective contains the spans that begin and end in it.
    void rank(std::size_t place) {
        const record::RankTimeline& rank = timeline_.ranks[place];
        TrackDescriptor& track = child(track_of(rank.rank), names_.of(rank.rank));
        track.set_sibling_order_rank(static_cast<std::int32_t>(place + record::kResourceNames.size()));
        auto collective = rank.collectives.begin();
        bool inside = false;
        auto leaves = flows_.leave[place].begin();
        auto received = flows_.received[place].begin();
        for (std::size_t k = 0; k < rank.spans.size(); ++k) {
            const record::Span& span = rank.spans[k];
            if (!inside && collective != rank.collectives.end() && collective->begin <= span.begin) {
                begin(rank.rank, *collective, kCollective);
                inside = true;
            }
            TrackEvent& slice = begin(rank.rank, span, static_cast<std::uint64_t>(span.activity) + 1);
            for (; received != flows_.received[place].end() && received->span == k; ++received) {
                slice.add_terminating_flow_ids(received->number + 1);
            }
            for (; leaves != flows_.leave[place].end() && leaves->span == k; ++leaves) {
                slice.add_flow_ids(leaves->number + 1);
            }
            end(rank.rank, span.end);
            if (inside && collective->end <= span.end) {
                end(rank.rank, collective->end);
                inside = false;
                ++collective;
            }
        }
        if (inside) end(rank.rank, collective->end);
    }

    TrackDescriptor& child(std::uint64_t uuid, const std::string& name) {
        TrackDescriptor& track = *next().mutable_track_descriptor();
        track.set_uuid(uuid);
        track.set_parent_uuid(kProcess);
        track.set_name(name);
        return track;
    }

    TrackEvent& event(Time time, std::uint64_t track, TrackEvent::Type type) {
        TracePacket& packet = next();
        packet.set_timestamp(static_cast<std::uint64_t>(time.ps / 1000));
        packet.set_sequence_flags(2);
        TrackEvent& result = *packet.mutable_track_event();
        result.set_type(type);
        result.set_track_uuid(track);
        return result;
    }

    TrackEvent& begin(Rank rank, const record::Span& span, std::uint64_t name) {
        TrackEvent& slice = event(span.begin, track_of(rank), TrackEvent::TYPE_SLICE_BEGIN);
        slice.set_name_iid(name);
        slice.set_source_location_iid(span.site + std::uint64_t{1});
        return slice;
    }
    void end(Rank rank, Time time) { event(time, track_of(rank), TrackEvent::TYPE_SLICE_END); }

    void counter(record::Resource resource) {
        const auto number = static_cast<std::uint64_t>(resource);
        // Numbers of these tracks follow those of all ranks.
        const std::uint64_t uuid = track_of({0xFFFFFFFFU}) + 1 + number;
        TrackDescriptor& track = child(uuid, fmt::format("{} occupancy", record::kResourceNames[number]));
        track.mutable_counter();
        track.set_sibling_order_rank(static_cast<std::int32_t>(number));
        for (const Level& level : levels_of(timeline_, resource)) {
            event(level.time, uuid, TrackEvent::TYPE_COUNTER).set_double_counter_value(level.occupied);
        }
    }

    /// Returns a packet that is valid until the next `kPacketsTogether` are requested.
    TracePacket& next() {
        if (packets_.packet_size() == kPacketsTogether) flush();
        TracePacket& packet = *packets_.add_packet();
        packet.set_trusted_packet_sequence_id(1);
        return packet;
    }

    void flush() {
        Trace file;
        file.add_packet()->set_compressed_packets(compressed(packets_.SerializeAsString()));
        text_ += file.SerializeAsString();
        packets_.Clear();
    }

    const record::Timeline& timeline_;
    const TimelineNames& names_;
    const Flows flows_;
    Trace packets_;
    std::string text_;
};

}  // namespace

std::string perfetto_text(const record::Timeline& timeline, const TimelineNames& names) {
    return PerfettoTrace(timeline, names).write();
}

}  // namespace warpfront::results
