// A case: one program bound to its parameters and the machine it is to run on, ready for any engine.
#pragma once

#include <functional>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/noise.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"

namespace warpfront::tools {

struct Experiment {
    scenario::Scenario scenario;
    program::Program program;
    machine::Machine machine;
    std::vector<input::SourceFilePtr> sources;  // every file read, the scenario first
    engine::Noise noise;                        // of the scenario, its cost map included
};

/// Loads and lowers the model, builds the machine, reads the cost map. Throws BadInput with the faults of all.
Experiment build_experiment(scenario::Scenario scenario);

/// Calls back with both ends of every channel that the program sends on.
void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit);

/// How the event engine is to run it: with its noise, its seed, skipping ahead where that is exact.
engine::Options options_of(const Experiment& prepared);

}  // namespace warpfront::tools
