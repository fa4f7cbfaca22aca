// Consistency of all ranks: every send has a receive, and all ranks of a communicator take part in the
// same collectives over it.
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
    static SubChannels match(const RecordedRun& run, const std::vector<ExpandedTrace>& traces,
                             input::Diagnostics& faults);

    std::uint32_t of(std::uint32_t rank, const ChannelEnd& end) const { return counts_.at({rank, end}); }
    /// Returns the channels from which the rank may take messages of any source, by sender, then tag.
    const std::vector<ChannelEnd>& sources_of(std::uint32_t rank) const;
    /// Returns ranks that receive messages of a channel from any source and by its name, if several channels of the IR
    /// carry it: the channel of a named receive then depends on the run.
    const std::set<std::uint32_t>& undecided() const { return undecided_; }

private:
    bool add_from_any(const std::vector<ExpandedTrace>& traces, std::uint32_t rank, const ChannelEnd& end,
                      const ExpandedTrace::Count& count);
    void compare_from_any(const std::vector<ExpandedTrace>& traces, std::uint32_t rank,
                          input::Diagnostics& faults) const;

    struct OwnEnd {
        std::uint32_t rank = 0;
        ChannelEnd end;
        friend constexpr auto operator<=>(const OwnEnd&, const OwnEnd&) = default;
    };
    std::map<OwnEnd, std::uint32_t> counts_;
    std::map<std::uint32_t, std::vector<ChannelEnd>> sources_;  // by receiver
    std::set<std::uint32_t> undecided_;
};

}  // namespace warpfront::trace
