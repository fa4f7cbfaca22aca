// A deadlock told as what it is: ranks that wait for each other in a circle, or for one that has already finished.
// Every blocked rank waits for exactly one peer, so following the peers from any of them ends in one or the other.
//
//   deadlock: 2 ranks wait for each other; 2 ranks blocked in all
//     rank 0 (column 1, row 1) waits in `recv from east` at models/x.psl:12:9 for rank 1, tag 0, since 12.3us
//     rank 1 (column 2, row 1) waits in `recv from west` at models/x.psl:15:9 for rank 0, tag 0, since 11.9us
#pragma once

#include <span>
#include <string>

#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"

namespace warpfront::results {

/// Several lines, the last without a line break; empty where nothing is blocked. The lowest rank of a circle comes
/// first; of more than 12 ranks 12 are told, of a chain those nearest its end.
std::string describe_deadlock(std::span<const record::Blocked> blocked, const program::Program& program);

}  // namespace warpfront::results
