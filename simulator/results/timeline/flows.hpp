// What the formats share: messages as ends on spans, and how many resources of a kind are held at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/record/timeline.hpp"

namespace warpfront::results {

/// One end of a message: message `number` of the timeline, on a span of its rank.
struct FlowEnd {
    std::size_t span = 0;
    std::size_t number = 0;
};

/// By place of the rank in the timeline, each by span: the messages that leave during the span (or at its end), and
/// those that are taken in it. A message of which an end is on no span has neither.
struct Flows {
    std::vector<std::vector<FlowEnd>> leave;
    std::vector<std::vector<FlowEnd>> received;
};
Flows flows_of(const record::Timeline& timeline);

/// So many are held on average from then on until the next.
struct Level {
    Time time;
    double held = 0.0;
};
/// How many are held over `kLevels` equal stretches from the first to the last hold, then 0; a timeline without such
/// holds has one, 0 at time 0. Every change by itself would take more room than all that ranks do.
inline constexpr std::int64_t kLevels = 2048;
std::vector<Level> levels_of(const record::Timeline& timeline, record::Resource resource);

}  // namespace warpfront::results
