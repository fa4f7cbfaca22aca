// The text of a calibration file: its terms as YAML, and how they were fitted.
#pragma once

#include <span>
#include <string>

#include "simulator/input/yaml.hpp"
#include "tools/calibration/plan.hpp"

namespace warpfront::tools {

/// The calibration of `plan` with these values of its terms. Diagnostics: bad_override for a path that leads through a
/// value.
input::YamlNode calibration_tree(const CalibrationPlan& plan, std::span<const double> values);

/// The tree as YAML, a line for each key down to `levels` levels, in braces below. Plain text only, as in calibrations.
std::string yaml_text(const input::YamlNode& tree, unsigned levels);

}  // namespace warpfront::tools
