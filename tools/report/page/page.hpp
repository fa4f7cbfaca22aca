// Results and timelines as one page that opens from disk: it contains its style, its script and its data, and loads
// nothing.
//
// Every text of a result reaches the page as JSON in which `<`, `>` and `&` are escaped, so that no text can end the
// element that contains it; the script makes text nodes of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tools/report/page/named_result.hpp"

namespace warpfront::tools {

std::string page(std::span<const NamedResult> results);

/// Returns the page as `warpfront serve` delivers it: it has the knobs of `served` above the results, and requests
/// curves and points from the server that delivered it (tools/report/server/server.hpp).
std::string live_page(std::span<const NamedResult> results, const nlohmann::ordered_json& served);

/// Returns the script of the page. It and the style are made by browser/bundle.js from the modules beside it, and are
/// part of the program.
std::string_view page_script();
std::string_view page_style();
/// Returns the script that a served page runs after `page_script`.
std::string_view served_script();

}  // namespace warpfront::tools
