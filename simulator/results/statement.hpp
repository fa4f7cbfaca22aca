// Names of ranks and statements in messages.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::results {

/// "rank 3 (column 1, row 2)"
std::string rank_text(Rank rank, const RankGrid& grid);
std::string rank_text(Rank rank, const program::Program& program);

/// " in `send 8B to east` at m.psl:3:9"; empty if the program has no such statement.
std::string in_statement(std::uint16_t site, const program::Program& program);

}  // namespace warpfront::results
