// Gathers and scatters by messages: the first rank receives from, or sends to, all other ranks in turn.
//
//   rank 0: recv from 1, recv from 2, recv from 3 | rank 1: send to 0 | rank 2: send to 0 | rank 3: send to 0
//   ->   gather_in_turn                           | gather_in_turn    | gather_in_turn    | gather_in_turn
//
// All ranks then perform the same steps, as in a collective. A turn may consist of several messages.
#pragma once

#include <vector>

#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// Replaces the messages of calls by which the first rank exchanges messages with all others in turn, and nothing else.
/// Steps of one turn are joined.
void take_turns(std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
