// Consistency of the traces of all ranks: every send has a receive, and all ranks take part in the same collectives.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/trace/expanded_trace.hpp"

namespace warpfront::trace {

/// How many channels of the IR carry the messages of one channel of the traces.
class SubChannels {
public:
    /// Adds faults unmatched_messages, at the first surplus message, and unmatched_collectives.
    static SubChannels match(const std::vector<ExpandedTrace>& traces, const std::vector<input::SourceFilePtr>& sources,
                             input::Diagnostics& faults);

    std::uint32_t of(std::uint32_t rank, const ChannelEnd& end) const { return counts_.at({rank, end}); }

private:
    struct OwnEnd {
        std::uint32_t rank = 0;
        ChannelEnd end;
        friend constexpr auto operator<=>(const OwnEnd&, const OwnEnd&) = default;
    };
    std::map<OwnEnd, std::uint32_t> counts_;
};

}  // namespace warpfront::trace
