// The names that timelines show.
#pragma once

#include <functional>
#include <string>

#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::results {

/// Where names come from.
struct TimelineNames {
    std::string title;
    const program::Program& program;
    std::function<Node(Rank)> node_of;

    /// "rank 3 (column 4, row 1), node 1"
    std::string of(Rank rank) const;
};

}  // namespace warpfront::results
