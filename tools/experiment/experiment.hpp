// An experiment: one program with its parameters and the machine that it runs on, ready for any engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tools {

/// The calibration in use.
struct Calibrated {
    std::string note;             // its file and its terms
    bool sets_noise = false;      // the experiment's
    std::optional<double> error;  // relative standard error of its predictions
};

struct Experiment {
    scenario::Scenario scenario;  // its times scaled to the machine (scenario/measured_times.hpp), calibrated
    program::Program program;
    machine::Machine machine;
    std::optional<machine::Machine> uncalibrated;  // where the calibration changes it: what closed forms compute with
    std::vector<input::SourceFilePtr> sources;     // every file read, the scenario first
    variation::Noise noise;                        // of the scenario, its cost map included
    std::optional<std::string> times_note;         // on times from another machine
    std::optional<Calibrated> calibrated;          // what the calibration changed

    /// The scenario itself, not only its calibration, states noise or ranks that are not alike.
    bool states_variation() const {
        const bool calibrated_noise = calibrated && calibrated->sets_noise;
        return !noise.off() && !(calibrated_noise && noise.classes.empty() && noise.map.empty());
    }
    const machine::Machine& published_machine() const { return uncalibrated ? *uncalibrated : machine; }
};

/// Scales the measured times to the machine, loads and lowers the model, builds the machine, reads the cost map. Throws BadInput with all their faults.
Experiment build_experiment(scenario::Scenario scenario);
/// The experiment with this calibration, or none, in place of that of the scenario.
Experiment build_experiment(scenario::Scenario scenario, const std::optional<scenario::Calibration>& calibration);

/// Throws BadInput messages_chosen where ranks take messages as they come (`recv from any`, `waitany`); `what` cannot
/// follow them, and begins the message.
void refuse_choices(const Experiment& experiment, std::string_view what);

/// The options of the event engine for the experiment: its noise, its seed, exact skipping of iterations.
engine::Options options_of(const Experiment& prepared);

}  // namespace warpfront::tools
