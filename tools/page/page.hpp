// Results and timelines as one page that opens from disk: its style, its script and what it shows stand in it, and it loads nothing.
//
// Every text of a result reaches the page as JSON in which `<`, `>` and `&` are escaped, so that none can end the element
// that it stands in; the script makes text nodes of them.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "tools/page/named_result.hpp"

namespace warpfront::tools {

std::string page(std::span<const NamedResult> results);

/// The page as `warpfront serve` answers it: before the results it has the knobs of `served`, and asks the server that it came
/// from for curves and points (tools/server/server.hpp).
std::string live_page(std::span<const NamedResult> results, const nlohmann::ordered_json& served);

}  // namespace warpfront::tools
