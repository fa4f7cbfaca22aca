// Notes on parts of a scenario without effect on the result; `warpfront check` prints them, and `run` those of `--set`
// (tools/program/checking/README.md lists them): parameters on which nothing depends, seeds without anything random,
// noise of no amplitude, keys of ranks beside lists of tasks, keys of a machine without effect among the overrides in
// `platform` (machine/loading/steps.hpp).
//
// The dependence on a parameter of type `time` is tested by lowering the model once more with another value, so the
// result holds for the scenario's other values: `wg_fixup` without iterations that have fix-ups is noted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"

namespace warpfront::scenario {

/// The keys that are examined: all of a scenario, or those that `--set` gives.
enum class Examined : std::uint8_t { all, arguments };

/// Returns "FILE:LINE:COLUMN: ..." for each note. `scenario` is that of the document, `program` its lowered model or
/// trace, without errors; `machine` its machine, built from `hardware`.
std::vector<std::string> lints(const ScenarioDocument& document, const Scenario& scenario,
                               const program::Program& program, const machine::HardwareTree& hardware,
                               const machine::Machine& machine, Examined examined = Examined::all);

}  // namespace warpfront::scenario
