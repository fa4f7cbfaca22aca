// The program of a scenario: its traces as they are, or its model lowered with all that a model takes from outside: the
// algorithms of collectives, the closed form of the machine for analytic regions, the traces of others.
#pragma once

#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/source.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"

namespace warpfront::tools {

/// Adds the files that were read to `sources`. Analytic regions take the time of the closed form `analytic` on the machine
/// without calibration, as that engine does. Throws BadInput; faults of the machine are reported by building it.
program::Program program_of(const scenario::Scenario& scenario, std::vector<input::SourceFilePtr>& sources);

/// The collectives of the hardware file. They are needed for the program, which building the machine needs. Faults of
/// the file are reported by building the machine.
collectives::Algorithms collectives_of(const scenario::Scenario& scenario);

}  // namespace warpfront::tools
