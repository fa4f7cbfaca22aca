// Notes on parts of a scenario without effect on the result; `warpfront check` prints them, and `run` those of `--set`
// (tools/program/checking/README.md lists them): parameters on which nothing depends, seeds of runs without random
// numbers, noise with zero amplitude, keys of ranks in scenarios with lists of tasks, and overrides in `platform`
// without effect (machine/loading/steps.hpp).
//
// To test the dependence on a parameter of type `time`, the model is lowered once more with another value. So the note
// holds for the values of this scenario only: `wg_fixup` is noted if no iteration has fix-ups.
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

/// Returns "FILE:LINE:COLUMN: ..." for each note. `scenario` was read from `document`; `program` is its lowered model
/// or trace, without errors; `machine` was built from `hardware` for it.
std::vector<std::string> lints(const ScenarioDocument& document, const Scenario& scenario,
                               const program::Program& program, const machine::HardwareTree& hardware,
                               const machine::Machine& machine, Examined examined = Examined::all);

}  // namespace warpfront::scenario
