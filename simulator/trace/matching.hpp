// Consistency of all ranks: every send has a receive, and all ranks of a communicator have the same collectives.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/trace/expanded_trace.hpp"

namespace warpfront::trace {

/// The number of channels of the IR that carry the messages of one channel of the traces.
class SubChannels {
public:
    /// Adds faults unmatched_messages, at the first surplus message, and unmatched_collectives.
    static SubChannels match(const RecordedRun& run, const std::vector<ExpandedTrace>& traces, Diagnostics& faults);

    std::uint32_t of(std::uint32_t rank, const ChannelEnd& end) const { return counts_.at({rank, end}); }
    /// Returns the channels from which receives of the rank from any source may take messages, by sender, then tag.
    const std::vector<ChannelEnd>& sources_of(std::uint32_t rank) const;
    /// Returns the ranks that receive both from any source and from a named source on a channel that several channels
    /// of the IR carry. On these, the channel of a receive from a named source depends on the run.
    const std::set<std::uint32_t>& undecided() const { return undecided_; }

private:
    bool add_from_any(const std::vector<ExpandedTrace>& traces, std::uint32_t rank, const ChannelEnd& end,
                      const ExpandedTrace::Count& count);
    void compare_from_any(const std::vector<ExpandedTrace>& traces, std::uint32_t rank, Diagnostics& faults) const;

    struct OwnEnd {
        std::uint32_t rank = 0;
        ChannelEnd end;
        friend constexpr auto operator<=>(const OwnEnd&, const OwnEnd&) = default;
    };
    std::map<OwnEnd, std::uint32_t> counts_;
    /// Channels of messages that a receiver may take from any source, by receiver.
    std::map<std::uint32_t, std::vector<ChannelEnd>> sources_;
    std::set<std::uint32_t> undecided_;
};

}  // namespace warpfront::trace
