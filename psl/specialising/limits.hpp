// Size limits of a program; lowering refuses larger ones. Each limit is far beyond any wavefront code; together they
// bound time and memory for any model.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpfront::psl {

inline constexpr std::size_t kMostSteps = 4'000'000;        // statements and operations folded before ranks are known
inline constexpr std::size_t kMostExpressions = 1'000'000;  // different expressions that remain
inline constexpr std::size_t kMostStatements = 200'000;     // statements that remain, over all kinds of iterations
inline constexpr std::uint64_t kMostEvaluations = 1'000'000'000;        // different expressions times ranks
inline constexpr std::size_t kMostInstructions = 16'000'000;            // of one class: 256 MB
inline constexpr std::size_t kMostClassBytes = std::size_t{256} << 20;  // of all classes and their keys
inline constexpr std::int64_t kMostLoopIterations = 4'294'967'295;      // of one loop
inline constexpr std::int64_t kLargestMessage = std::int64_t{1} << 40;  // bytes
inline constexpr std::uint64_t kMostExchanges = 200'000'000;            // of all collectives, over all ranks
inline constexpr std::uint64_t kMostDifferentExchanges = 5'000'000;     // identical exchanges of several ranks count
                                                                        // once
inline constexpr std::size_t kMostSites = 65'535;
inline constexpr std::uint64_t kMostModelRanks = std::uint64_t{1} << 26;
inline constexpr unsigned kDeepestResidual = 1000;  // nesting of remaining expressions, and of statements being inlined

}  // namespace warpfront::psl
