// Fitted layers as the text of a hardware file, with comments: the tables, how far rows are off, and what is assumed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/fitting/layer_costs.hpp"

namespace warpfront::tools {

/// `base`: the hardware file that the new one is `like`; without one it gets a switch between two nodes. `out`: where
/// it will be, to which the name of the base is relative. Throws BadInput where the base cannot be read.
std::string hardware_text(const std::vector<LayerFit>& layers, const std::optional<std::filesystem::path>& base,
                          const std::filesystem::path& out);

/// The assumptions and contradictions of the fitted hold of streams.
std::vector<std::string> assumptions_of(const SharedResource& shared);

/// "3.85us", "0.0004ns/B": four and five digits.
std::string time_text(double seconds);
std::string gap_text(double seconds_per_byte);
/// "1.2 %": two digits.
std::string percent_text(double share);

}  // namespace warpfront::tools
