// The part of a run that is recorded as a timeline.
#pragma once

#include <cstddef>
#include <optional>

#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

struct TimelineWindow {
    Rank first{};
    Rank last{};  // included
    Time from{};
    std::optional<Time> until{};  // none: each rank until the end of its first iteration
    std::size_t most_spans = std::size_t{1}
                             << 21;  // of all ranks together; as many messages, eight times as many holds
};

}  // namespace warpfront::engine
