// Values of a scenario with a standard deviation: `wg: 0.414us +- 0.01us`, possible for every number in the scenario or
// in an override except whole numbers without a unit. A run uses the value; `run --samples` draws
//
//   value + deviation * g,   g standard normal (variation/normal.hpp), drawn again until |g| <= 3
//
// keyed by (seed, number of the value in the order of the file, sample). 3 * deviation must be less than the value, so
// no value changes its sign. A drawn number of bytes is rounded to whole bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::scenario {

struct UncertainFigure {
    std::vector<std::size_t> path;  // numbers of the entries and items that lead from the root to the value
    double value = 0.0;
    double deviation = 0.0;  // standard deviation, above 0
    std::string unit;        // unit of both numbers; may be empty
};

/// Replaces the uncertain values of `tree` by their means and returns them. Diagnostics: bad_number, wrong_unit,
/// out_of_range.
std::vector<UncertainFigure> take_uncertain(YamlNode& tree, Diagnostics& faults);

/// Writes `value`, with its unit or in whole bytes, into `tree` in place of `figure`, which was taken from this tree.
void set_figure(const UncertainFigure& figure, double value, YamlNode& tree);

/// Draws sample `number` of all uncertain values and writes it into `tree`, from which the values were taken.
void draw_figures(const std::vector<UncertainFigure>& figures, Seed seed, std::uint32_t number, YamlNode& tree);

}  // namespace warpfront::scenario
