// An experiment: one program with its parameters and the machine that it runs on, ready for any engine; and the
// construction of an experiment from a scenario.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "psl/psl.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/computing.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tools {

/// The calibration in use.
struct Calibrated {
    std::string note;                      // names its file and its terms
    bool sets_noise = false;               // the noise of the experiment is from the calibration
    std::optional<PredictionError> error;  // error of its predictions
};

struct Experiment {
    scenario::Scenario scenario;      // calibrated, with times scaled to the machine (scenario/measured_times.hpp)
    std::optional<psl::Model> model;  // empty for traces
    program::Program program;
    machine::HardwareTree hardware;  // the hardware file before the overrides of the scenario
    machine::Machine machine;
    std::optional<machine::Machine> uncalibrated;  // the machine for closed forms, if the calibration changes it
    std::vector<input::SourceFilePtr> sources;     // every file read, the scenario first
    variation::Noise noise;                        // noise of the scenario, with its cost map by waves of engines
    std::vector<variation::CostFactor> cost_map;   // the cost map as it is written (cost_map_waves.hpp)
    std::optional<std::string> times_note;         // note on times from another machine
    std::optional<Calibrated> calibrated;          // the changes by the calibration

    /// Returns true if the scenario itself, not only its calibration, states noise or heterogeneous ranks.
    bool states_variation() const {
        const bool calibrated_noise = calibrated && calibrated->sets_noise;
        return !noise.off() && !(calibrated_noise && noise.classes.empty() && noise.map.empty());
    }
    /// Returns true if another seed may give another run.
    bool depends_on_seed() const {
        return (noise.random() && computes()) || scenario.workers.availability.drawn.has_value();
    }
    /// Returns true if a rank or a task computes, so that noise has a block to vary.
    bool computes() const { return program.tasks != nullptr || program::shortest_block(program).has_value(); }
    const machine::Machine& published_machine() const { return uncalibrated ? *uncalibrated : machine; }
};

/// Scales the measured times to the machine, loads and lowers the model, builds the machine, reads the cost map. Throws
/// BadInput with all their faults.
Experiment build_experiment(scenario::Scenario scenario);
/// Builds the experiment with this calibration, or none, in place of that of the scenario.
Experiment build_experiment(scenario::Scenario scenario, const std::optional<scenario::Calibration>& calibration);

/// Throws BadInput messages_chosen if ranks take messages in the order of arrival (`recv from any`, `waitany`). `what`
/// is the part of the program that does not support them; it begins the message.
void refuse_choices(const Experiment& experiment, std::string_view what);

/// Throws BadInput tasks_unknown if the model has lists of tasks. `what` is the part of the program that does not
/// support them; it begins the message.
void refuse_tasks(const Experiment& experiment, std::string_view what);

/// Returns the options of the event engine for the experiment: its noise, its seed, exact skipping of iterations.
engine::Options options_of(const Experiment& prepared);

}  // namespace warpfront::tools
