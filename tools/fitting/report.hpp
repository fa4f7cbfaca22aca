// A fit for people, as a table, and for the page and other programs, as JSON (`warpfront.fit/1`).
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/fitting/layer_costs.hpp"

namespace warpfront::tools {

/// Rows, what is assumed, resources that pairs share, and what other numbers of rows would give.
std::string summary(const std::vector<LayerFit>& layers);

/// README.md has the keys.
nlohmann::ordered_json to_json(const std::vector<LayerFit>& layers);

}  // namespace warpfront::tools
