// What the page is made of: results, and excerpts of timelines, each with the name of its file.
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "simulator/input/source.hpp"

namespace warpfront::tools {

struct NamedResult {
    std::string name;  // of its file
    nlohmann::ordered_json result;
};

/// A timeline with all the spans that one may have, 2^21, and as many messages has about 700 MB.
inline constexpr std::size_t kLargestResult = std::size_t{1} << 30;

/// A result of `run`, `compare`, `study`, `sources` or `fit`, or of a timeline in Chrome's format what the page draws
/// of it (timeline_excerpt.hpp). Throws BadInput (not_a_result).
NamedResult read_result(const input::SourceFilePtr& file);

}  // namespace warpfront::tools
