// "did you mean ...?": the nearest valid name by edit distance (Damerau-Levenshtein, transpositions count one).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace warpfront::input {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest candidate, if its distance is at most a third of the longer name (at least 1) and less than all of it.
/// The earlier of equally near candidates; empty if none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "did you mean `x`?"; if none is near, "expected one of `a`, `b`" (beyond 40 names their number); "" without
/// candidates.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpfront::input
