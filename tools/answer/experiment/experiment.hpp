// An experiment: a program with its parameters, and a machine with the program's ranks. Any engine can run it. It is
// built from a scenario.
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

/// The calibration that an experiment uses.
struct Calibrated {
    std::string note;                      // names the calibration file and its terms
    bool sets_noise = false;               // true if the experiment's noise comes from the calibration
    std::optional<PredictionError> error;  // error of predictions with this calibration
};

struct Experiment {
    /// after calibration, with times scaled to the machine (scenario/measured_times.hpp)
    scenario::Scenario scenario;
    std::optional<psl::Model> model;  // empty for traces
    program::Program program;
    machine::HardwareTree hardware;  // the hardware file without the overrides of the scenario
    machine::Machine machine;
    std::optional<machine::Machine> uncalibrated;  // the machine for closed forms, if the calibration changes it
    std::vector<input::SourceFilePtr> sources;     // all files that were read, the scenario first
    variation::Noise noise;                        // noise of the scenario, with its cost map by waves of engines
    std::vector<variation::CostFactor> cost_map;   // the cost map as it is written (cost_map_waves.hpp)
    std::optional<std::string> times_note;         // note on times from another machine
    std::optional<Calibrated> calibrated;          // what the calibration has changed

    /// Returns true if the scenario itself, and not only its calibration, states noise or heterogeneous ranks.
    bool states_variation() const {
        const bool calibrated_noise = calibrated && calibrated->sets_noise;
        return !noise.off() && !(calibrated_noise && noise.classes.empty() && noise.map.empty());
    }
    /// Returns true if another seed can change the result.
    bool depends_on_seed() const {
        return (noise.random() && computes()) || scenario.workers.availability.drawn.has_value();
    }
    /// Returns true if some rank or task computes. Otherwise noise has no effect.
    bool computes() const { return program.tasks != nullptr || program::shortest_block(program).has_value(); }
    const machine::Machine& published_machine() const { return uncalibrated ? *uncalibrated : machine; }
};

/// Scales the measured times to the machine, loads and lowers the model, builds the machine, and reads the cost map.
/// Throws BadInput with the errors of all these steps.
Experiment build_experiment(scenario::Scenario scenario);
/// Builds the experiment with the given calibration instead of that of the scenario. Without a value it has none.
Experiment build_experiment(scenario::Scenario scenario, const std::optional<scenario::Calibration>& calibration);

/// Throws BadInput (messages_chosen) if ranks receive messages in the order of arrival (`recv from any`, `waitany`).
/// `what` names the feature that does not support this, at the beginning of the message.
void refuse_choices(const Experiment& experiment, std::string_view what);

/// Throws BadInput (tasks_unknown) if the model has lists of tasks. `what` names the feature that does not support
/// them, at the beginning of the message.
void refuse_tasks(const Experiment& experiment, std::string_view what);

/// Returns the options of the event engine: the noise and the seed of the experiment, and exact skipping of iterations.
engine::Options options_of(const Experiment& prepared);

}  // namespace warpfront::tools
