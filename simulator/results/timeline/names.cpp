#include "simulator/results/timeline/names.hpp"

#include <fmt/format.h>

namespace warpfront::results {

std::string TimelineNames::of(Rank rank) const {
    return fmt::format("rank {} ({}), node {}", rank.index, program.grid.coordinates(rank), node_of(rank).index);
}

}  // namespace warpfront::results
