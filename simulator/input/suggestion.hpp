// "did you mean ...?": the nearest valid name by edit distance (Damerau-Levenshtein, transpositions count one).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpfront::input {

/// The candidate at the least distance, if that is at most a third of the longer name (at least 1) and not all of it;
/// ties go to the earlier candidate. Empty if none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "did you mean `x`?", or, with none near, "expected one of `a`, `b`" (of more than 40 how many others), or "" without
/// candidates.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace warpfront::input
