// Conversion of computing times from one machine to another. The times of a scenario file (parameters with a unit of
// time, such as `wg`) and a trace's `speed` were measured on the platform that the file describes, with the overrides
// in the file. With s1 the speed of that platform's processor and s2 that of the platform in use
// (simulator/machine/machine.hpp),
//
//   t' = t * s1 / s2     rounded once to the picosecond, ties away from zero
//   speed' = speed * s2 / s1       for recorded runs, whose times are divided by `speed`
//
// If either hardware file states no speed, the values are not changed. A note reports the scaled keys. If none was
// scaled, and the two machines have no common origin by `like`, the note states the reason.
//
// Limits. The ratio is the same for all code: effects of caches, memory bandwidth and vector units that differ between
// the two machines are not included. The following are not scaled:
//   - values from an override (`--set`, a row of a table), since they belong to the platform in use
//   - times in the model itself, including defaults, since they belong to no machine
//   - `noise`; the times of `periodic` belong to the operating system
//   - cost maps, since they are factors
//   - the costs of messages, since they are part of the hardware file
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/scenario/scenario.hpp"

namespace warpfront::scenario {

struct MeasuredTimes {
    std::optional<std::string> note;     // note for the user
    std::vector<SourceFilePtr> sources;  // if values were scaled: the hardware file with speed s1, its bases
};

/// Scales the measured keys of `scenario` to its platform, which `hardware` describes. The echo of the scenario then
/// contains the scaled values, so that it reproduces the run. A second call has no effect.
MeasuredTimes scale_measured_times(Scenario& scenario, const machine::HardwareTree& hardware);

}  // namespace warpfront::scenario
