// The number of times that each side of a branch was taken, from gcov: a second program of the same source, compiled
// with --coverage, runs on the same decks. Its counts of lines and branches are exact.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tools/from_code/kernels/callgrind.hpp"
#include "tools/from_code/kernels/decks.hpp"

namespace warpfront::kernels {

/// A line with branches: the number of times that each was taken, in the order of gcov, where the sides of a condition
/// are a pair.
struct BranchLine {
    SourceLine line;
    std::vector<std::uint64_t> taken;
};

/// Returns the lines with branches from the output of `gcov --json-format --branch-probabilities`.
std::vector<BranchLine> parse_gcov(std::string_view json);

/// Runs `pattern` on a deck, and gcov on its output. Diagnostics: program_failed, bad_option for a program without
/// coverage.
std::vector<BranchLine> count_branches(const ProgramPattern& pattern, const Deck& deck,
                                       const std::vector<DeckParameter>& parameters);

}  // namespace warpfront::kernels
