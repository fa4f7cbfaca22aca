// Axes of the command line.
//
//   --vary PATH=VALUES              values and ranges joined by commas: `1,2,4`, `1..5`, `0..100..25` (a step),
//                                   `32..512*2` (a factor)
//   --vary PATH,PATH=A:B,A:B        linked keys: one value of each at a time, joined by colons
//   --ranks VALUES                  numbers of ranks, each as columns x rows of about the shape that the scenario has,
//                                   in as many planes
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/input/diagnostic.hpp"
#include "simulator/units/ids.hpp"
#include "tools/study/axis.hpp"

namespace warpfront::tools {

/// Parses an argument of `--vary`. Diagnostics: bad_override, out_of_range, uneven_axis if linked keys have unequal
/// numbers of values, those of `add_key` and `check_values`, and those of YAML.
StudyAxis parse_axis(const std::string& argument, input::Diagnostics& faults);

/// Returns factors with columns * rows * planes = ranks, with the planes of `like` and the ratio of columns to rows
/// that is nearest to that of `like`. If two are equally near, it takes the squarer; if they are equally square, the
/// one with more columns. Returns nothing if the result is more than twice as wide or as high as `like`, which no power
/// of two is. For example, 1,024 and 2,048 ranks with `like` = 128 x 64 give 32 x 32 and 64 x 32.
std::optional<Extents> shape_of_ranks(std::uint64_t ranks, const Extents& like);

/// Parses the argument of `--ranks` into an axis of `ranks.columns` and `ranks.rows`. Diagnostics: those of ranges and
/// of `check_values`; bad_number, out_of_range for a number without such a process grid.
StudyAxis parse_ranks(const std::string& argument, const Extents& like, input::Diagnostics& faults);

}  // namespace warpfront::tools
