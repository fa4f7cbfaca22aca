// Limits of the size of a program. Lowering reports larger programs as errors. Every limit is far above the needs of
// wavefront codes. The limits bound time and memory for any model.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpfront::psl {

/// statements and operations that are folded before the ranks are known
inline constexpr std::size_t kMostSteps = 4'000'000;
inline constexpr std::size_t kMostExpressions = 1'000'000;  // different expressions that remain after folding
/// Statements that remain after folding, over all different iterations.
inline constexpr std::size_t kMostStatements = 200'000;
/// Product of the number of different expressions and the number of ranks.
inline constexpr std::uint64_t kMostEvaluations = 1'000'000'000;
inline constexpr std::size_t kMostInstructions = 16'000'000;            // instructions of one class; 256 MB
inline constexpr std::size_t kMostClassBytes = std::size_t{256} << 20;  // bytes of all classes and of their keys
inline constexpr std::int64_t kMostLoopIterations = 4'294'967'295;      // iterations of one loop
inline constexpr std::int64_t kLargestMessage = std::int64_t{1} << 40;  // size of a message in bytes
inline constexpr std::uint64_t kMostExchanges = 200'000'000;            // exchanges of all collectives on all ranks
/// Different exchanges of collectives. An exchange that several ranks have in common counts once.
inline constexpr std::uint64_t kMostDifferentExchanges = 5'000'000;
inline constexpr std::size_t kMostSites = 65'535;
inline constexpr std::uint64_t kMostModelRanks = std::uint64_t{1} << 26;
/// nesting of remaining expressions, and of called statements
inline constexpr unsigned kDeepestResidual = 1000;

}  // namespace warpfront::psl
