// Results and timelines as one page that opens from disk: its style, its script and what it shows stand in it, and it
// loads nothing.
//
// Every text of a result reaches the page as JSON in which `<`, `>` and `&` are escaped, so that none can end the
// element that it stands in; the script makes text nodes of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tools/page/named_result.hpp"

namespace warpfront::tools {

std::string page(std::span<const NamedResult> results);

/// The page as `warpfront serve` answers it: before the results it has the knobs of `served`, and asks the server that
/// it came from for curves and points (tools/server/server.hpp).
std::string live_page(std::span<const NamedResult> results, const nlohmann::ordered_json& served);

/// The script and the style of the page, made by browser/bundle.js from the modules beside it and carried by the
/// program.
std::string_view page_script();
std::string_view page_style();
/// What a served page runs after it.
std::string_view served_script();

}  // namespace warpfront::tools
