// The report of a fit: a table, and JSON (`warpfront.fit/1`) for the page and other programs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/from_code/fitting/layer_costs.hpp"

namespace warpfront::tools {

/// Formats the rows, the assumptions, the resources that pairs share, and the results of other numbers of rows.
std::string summary(const std::vector<LayerFit>& layers);

/// Returns the JSON; README.md describes the keys.
nlohmann::ordered_json to_json(const std::vector<LayerFit>& layers);

}  // namespace warpfront::tools
