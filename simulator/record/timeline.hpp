// The activities of some ranks in a window of time, as plain data: written by the event engine, read by
// results/timeline.
//
// A rank's spans follow each other without gaps, from the beginning of the window to its end, or to the end of the
// rank's first iteration; consecutive spans may have equal kinds. Times are picoseconds of virtual time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::record {

/// The part of a run that is recorded.
struct TimelineWindow {
    Rank first{};
    Rank last{};  // last rank, included
    Time from{};
    std::optional<Time> until{};  // end of the window; none: each rank until the end of its first iteration
    /// Limit of the spans of all ranks together. The same limit applies to messages, and eight times the limit to
    /// holds.
    std::size_t most_spans = std::size_t{1} << 21;
};

/// An activity, which is a part of record::Breakdown. Activities within a collective are recorded as well, although the
/// breakdown counts them as `collective`. Busy activities come before kinds of waiting; `is_waiting` uses this order.
enum class Activity : std::uint8_t { compute, send, recv, wait, bus_wait, nic_wait, link_wait, processing_wait };
inline constexpr std::array<std::string_view, 8> kActivityNames{"compute",  "send",     "recv",      "wait",
                                                                "bus wait", "nic wait", "link wait", "processing wait"};
constexpr bool is_waiting(Activity activity) { return activity >= Activity::wait; }
enum class Resource : std::uint8_t { bus, nic, link, processing };
inline constexpr std::array<std::string_view, 4> kResourceNames{"bus", "nic", "link", "processing"};

struct Span {
    Time begin;
    Time end;
    Activity activity = Activity::compute;
    std::uint16_t site = 0;  // statement of the span: index into Program::sites
    friend bool operator==(const Span&, const Span&) = default;
};

/// The occupancy of a resource by a message that the rank sends, or of a receiving NIC by a message that the rank
/// receives.
struct Hold {
    Time begin;
    Time end;
    Resource resource = Resource::bus;
    friend bool operator==(const Hold&, const Hold&) = default;
};

/// A message between two ranks of the window.
struct TimedMessage {
    Rank from;
    Rank to;
    Bytes bytes;
    Time left;                          // time at which it leaves its sender's node
    Time received;                      // time at which its receiver begins to take it
    std::optional<std::int32_t> tag{};  // none for messages of collectives
    friend bool operator==(const TimedMessage&, const TimedMessage&) = default;
};

struct RankTimeline {
    Rank rank;
    std::vector<Span> spans;
    std::vector<Span> collectives;  // spans of whole allreduces; their `activity` has no meaning
    std::vector<Hold> holds;        // service times of resources in the order of time
    friend bool operator==(const RankTimeline&, const RankTimeline&) = default;
};

struct Timeline {
    std::vector<RankTimeline> ranks;     // in the order of ranks
    std::vector<TimedMessage> messages;  // sorted by the time of leaving, then by sender, then by receiver
    std::optional<Time> cut;             // end of the timeline on all ranks, if it was cut at the limit of its size
    friend bool operator==(const Timeline&, const Timeline&) = default;
};

}  // namespace warpfront::record
