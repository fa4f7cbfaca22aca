// A case: one program bound to its parameters and the machine it is to run on, ready for any engine.
#pragma once

#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/results/context.hpp"
#include "tools/scenario.hpp"

namespace warpfront::tools {

struct Case {
    Scenario scenario;
    program::Program program;
    machine::Machine machine;
    std::vector<input::SourcePtr> sources;  // every file read, the scenario first
};

/// Loads and lowers the model, builds the machine. Throws BadInput with the faults of both.
Case build_case(Scenario scenario);

/// What every form of a result says about the case: its size, its files, its scenario, what the user should know.
results::Context context_of(const Case& prepared);

}  // namespace warpfront::tools
