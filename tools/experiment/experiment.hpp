// An experiment: one program with its parameters and the machine that it runs on, ready for any engine; and how a
// scenario becomes one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::tools {

/// The calibration in use.
struct Calibrated {
    std::string note;                      // its file and its terms
    bool sets_noise = false;               // the experiment's
    std::optional<PredictionError> error;  // of its predictions
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
    /// Another seed may give another run.
    bool depends_on_seed() const { return noise.random() || scenario.workers.availability.drawn.has_value(); }
    const machine::Machine& published_machine() const { return uncalibrated ? *uncalibrated : machine; }
};

/// Scales the measured times to the machine, loads and lowers the model, builds the machine, reads the cost map. Throws
/// BadInput with all their faults.
Experiment build_experiment(scenario::Scenario scenario);
/// The experiment with this calibration, or none, in place of that of the scenario.
Experiment build_experiment(scenario::Scenario scenario, const std::optional<scenario::Calibration>& calibration);

/// Throws BadInput messages_chosen where ranks take messages as they come (`recv from any`, `waitany`); `what` cannot
/// follow them, and begins the message.
void refuse_choices(const Experiment& experiment, std::string_view what);

/// Throws BadInput tasks_unknown where the model has lists of tasks; `what` does not know them, and begins the message.
void refuse_tasks(const Experiment& experiment, std::string_view what);

/// The options of the event engine for the experiment: its noise, its seed, exact skipping of iterations.
engine::Options options_of(const Experiment& prepared);

// What building the machine of a scenario needs to be known: its hardware file with overrides, the array of ranks and
// its nodes, and of the program which ranks send to which, and the sizes of messages.

/// A null program gives no routes: enough for closed forms, which know profiles and nodes alone. The request refers
/// to the program.
machine::MachineRequest machine_request(const scenario::Scenario& scenario, const program::Program* program);

/// Calls `visit` with the sender and the receiver of every channel of the program.
void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Calls `visit` with every pair of ranks that a channel of the program or a step of its allreduce joins; of a program
/// whose messages are all charged by a closed form, with every pair of neighbours.
void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Returns the sizes of all messages, each once, descending.
std::vector<Bytes> sizes_of(const program::Program& program);

// The program of a scenario: its traces as they are, or its model lowered with all that a model takes from outside: the
// algorithms of collectives, the closed form of the machine for analytic regions, the traces of others.

/// Adds the files that were read to `sources`. Analytic regions take the time of the closed form `analytic` on the
/// machine without calibration, as that engine does. Throws BadInput; faults of the machine are reported by building
/// it.
program::Program program_of(const scenario::Scenario& scenario, std::vector<input::SourceFilePtr>& sources);

/// The collectives of the hardware file. They are needed for the program, which building the machine needs. Faults of
/// the file are reported by building the machine.
collectives::Algorithms collectives_of(const scenario::Scenario& scenario);

}  // namespace warpfront::tools
