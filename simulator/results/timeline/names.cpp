#include "simulator/results/timeline/names.hpp"

#include <fmt/format.h>

namespace warpfront::results {

std::string TimelineNames::of(Rank rank) const {
    return fmt::format("rank {} (column {}, row {}), node {}", rank.index, program.grid.column(rank),
                       program.grid.row(rank), node_of(rank).index);
}

}  // namespace warpfront::results
