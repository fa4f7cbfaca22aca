// Fitted layers as the text of a hardware file, with comments: the tables, the errors of rows, and the assumptions.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tools/from_code/fitting/layer_costs.hpp"

namespace warpfront::tools {

/// Formats the hardware file. `base` is the hardware file that the new one is `like`; without one the machine is a
/// switch between two nodes. `out` is the place of the new file; the name of the base is relative to it. Throws
/// BadInput if the base cannot be read.
std::string hardware_text(const std::vector<LayerFit>& layers, const std::optional<std::filesystem::path>& base,
                          const std::filesystem::path& out);

/// Returns the assumptions and contradictions of the fitted service time of streams.
std::vector<std::string> assumptions_of(const SharedResource& shared);

/// Formats a time with four digits, or a time per byte with five: "3.85us", "0.0004ns/B".
std::string time_text(double seconds);
std::string gap_text(double seconds_per_byte);
/// Formats a share with two digits: "1.2 %".
std::string percent_text(double share);

// The report of a fit: a table, and JSON (`warpfront.fit/1`) for the page and other programs.

/// Formats the rows, the assumptions, the resources that pairs share, and the results of other numbers of rows.
std::string summary(const std::vector<LayerFit>& layers);

/// Returns the JSON; README.md describes the keys.
nlohmann::ordered_json to_json(const std::vector<LayerFit>& layers);

}  // namespace warpfront::tools
