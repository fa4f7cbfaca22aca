// The contents of the page: results, and excerpts of timelines, each with the name of its file.
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

/// Enough for a timeline with the largest number of spans, 2^21, and as many messages, which takes about 700 MB.
inline constexpr std::size_t kLargestResult = std::size_t{1} << 30;

/// Reads a result of `run`, `compare`, `study`, `sources` or `fit`, or from a timeline in Chrome's format the excerpt
/// that the page draws (simulator/results/timeline/excerpt.hpp). Throws BadInput (not_a_result).
NamedResult read_result(const input::SourceFilePtr& file);

}  // namespace warpfront::tools
