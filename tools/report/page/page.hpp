// Results and timelines as one page that opens from disk: it contains its style, its script and its data, and loads
// nothing.
//
// Every text of a result reaches the page as JSON in which `<`, `>` and `&` are escaped, so that no text can end the
// element that contains it; the script makes text nodes of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "simulator/input/source.hpp"

namespace warpfront::tools {

// The contents of the page: results, and excerpts of timelines, each with the name of its file.

struct NamedResult {
    std::string name;  // the name of its file
    nlohmann::ordered_json result;
};

/// Enough for a timeline with the largest number of spans, 2^21, and as many messages, which takes about 700 MB.
inline constexpr std::size_t kLargestResult = std::size_t{1} << 30;

/// Reads a result of `run`, `compare`, `study`, `sources` or `fit`, or the excerpt that the page draws from a timeline
/// in Chrome's format (simulator/results/timeline/excerpt.hpp). Throws BadInput (not_a_result).
NamedResult read_result(const SourceFilePtr& file);

std::string page(std::span<const NamedResult> results);

/// Returns the page as `warpfront serve` delivers it: it has the knobs of `served` above the results, and requests
/// curves and points from the server that delivered it (tools/report/server/server.hpp).
std::string live_page(std::span<const NamedResult> results, const nlohmann::ordered_json& served);

/// Returns the script of the page. browser/bundle.js makes the script and the style from its neighbouring modules.
std::string_view page_script();
std::string_view page_style();
/// Returns the script that a served page runs after `page_script`.
std::string_view served_script();

}  // namespace warpfront::tools
