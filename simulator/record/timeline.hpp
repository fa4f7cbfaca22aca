// The activities of some ranks over some time, as plain data: written by the event engine, read by results/timeline.
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
    Rank last{};  // included
    Time from{};
    std::optional<Time> until{};  // none: each rank until the end of its first iteration
    /// The most spans of all ranks together; a timeline may have as many messages, and eight times as many holds.
    std::size_t most_spans = std::size_t{1} << 21;
};

/// An activity, a part of record::Breakdown; also within a collective, which the breakdown counts as `collective`.
enum class Activity : std::uint8_t { compute, send, recv, wait, bus_wait, nic_wait, link_wait, processing_wait };
inline constexpr std::array<std::string_view, 8> kActivityNames{"compute",  "send",     "recv",      "wait",
                                                                "bus wait", "nic wait", "link wait", "processing wait"};
enum class Resource : std::uint8_t { bus, nic, link, processing };
inline constexpr std::array<std::string_view, 4> kResourceNames{"bus", "nic", "link", "processing"};

struct Span {
    Time begin;
    Time end;
    Activity activity = Activity::compute;
    std::uint16_t site = 0;  // its statement: index into Program::sites
    friend bool operator==(const Span&, const Span&) = default;
};

/// A resource occupied by a message that the rank sends or, for the NIC that receives it, gets.
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
    Time left;                          // its sender's node
    Time received;                      // its receiver began to take it
    std::optional<std::int32_t> tag{};  // none for a collective's message
    friend bool operator==(const TimedMessage&, const TimedMessage&) = default;
};

struct RankTimeline {
    Rank rank;
    std::vector<Span> spans;
    std::vector<Span> collectives;  // allreduces as wholes; activity is meaningless
    std::vector<Hold> holds;        // by time
    friend bool operator==(const RankTimeline&, const RankTimeline&) = default;
};

struct Timeline {
    std::vector<RankTimeline> ranks;     // in their order
    std::vector<TimedMessage> messages;  // by time of leaving, sender, receiver
    std::optional<Time> cut;  // if there was more to record than permitted: the timeline ends here for all ranks
    friend bool operator==(const Timeline&, const Timeline&) = default;
};

}  // namespace warpfront::record
