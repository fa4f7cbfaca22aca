#include "simulator/results/statement.hpp"

#include <fmt/format.h>

namespace warpfront::results {

std::string rank_text(Rank rank, const RankGrid& grid) {
    return fmt::format("rank {} ({})", rank.index, grid.coordinates(rank));
}

std::string rank_text(Rank rank, const program::Program& program) { return rank_text(rank, program.grid); }

std::string in_statement(std::uint16_t site, const program::Program& program) {
    if (site >= program.sites.size()) return {};
    const program::Site& statement = program.sites[site];
    return fmt::format(" in `{}` at {}:{}:{}", statement.text, statement.file, statement.line, statement.column);
}

}  // namespace warpfront::results
