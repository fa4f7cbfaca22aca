// Which loop of its program an instruction stands in, of those whose trips may recur.
//   of_iterations  outermost, and the end of an iteration is marked in it directly; a trip may mark several
//   of_tiles       innermost, and nothing in it but messages and work: no mark, no collective
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

enum class LoopKind : std::uint8_t { of_iterations, of_tiles };

/// Depth of an instruction that stands in no loop of the kind requested.
inline constexpr std::uint8_t kNoLoop = 0xFF;

/// By instruction: the depth of the loop of this kind that it stands in (its end included), or kNoLoop.
std::vector<std::uint8_t> loop_depths(const std::vector<Instruction>& code, LoopKind kind);

/// By instruction: how many iterations end in one trip of the loop of_iterations that it stands in; 0 if in none.
std::vector<std::int64_t> iterations_per_trip(const std::vector<Instruction>& code);

}  // namespace warpfront::program
