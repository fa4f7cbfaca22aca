// An experiment: one program with its parameters and the machine that it runs on, ready for any engine; and the
// construction of an experiment from a scenario.
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
#include "simulator/trace/read_run.hpp"
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
    std::optional<machine::Machine> uncalibrated;  // for closed forms, if the calibration changes it
    std::vector<input::SourceFilePtr> sources;     // every file read, the scenario first
    variation::Noise noise;                        // of the scenario, its cost map included
    std::optional<std::string> times_note;         // on times from another machine
    std::optional<Calibrated> calibrated;          // what the calibration changed

    /// Returns true if the scenario itself, not only its calibration, states noise or heterogeneous ranks.
    bool states_variation() const {
        const bool calibrated_noise = calibrated && calibrated->sets_noise;
        return !noise.off() && !(calibrated_noise && noise.classes.empty() && noise.map.empty());
    }
    /// Returns true if another seed may give another run.
    bool depends_on_seed() const { return noise.random() || scenario.workers.availability.drawn.has_value(); }
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

// The inputs for building the machine of a scenario: its hardware file with overrides, the process grid and its nodes,
// the channels of the program, and the sizes of its messages.

/// Returns the request. A null program gives no routes, which is enough for closed forms: they use only profiles and
/// nodes. The request refers to the program.
machine::MachineRequest machine_request(const scenario::Scenario& scenario, const program::Program* program);

/// Calls `visit` with the sender and the receiver of every channel of the program.
void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Calls `visit` with every pair of ranks that a channel of the program or a step of its allreduce joins. If a closed
/// form charges all messages of the program, it visits every pair of neighbours instead.
void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit);
/// Returns the sizes of all messages, each once, descending.
std::vector<Bytes> sizes_of(const program::Program& program);

// The program of a scenario: its traces, or its lowered model with all external inputs of a model: the algorithms of
// collectives, the closed form of the machine for analytic regions, and the traces of regions.

/// Builds the program, and adds the files that were read to `sources`; `run` has the files of a trace. Analytic regions
/// take the time of the closed form `analytic` on the machine without calibration, as the engine of that name does.
/// Throws BadInput; faults of the machine are reported when it is built.
program::Program program_of(const scenario::Scenario& scenario, const trace::RunFiles& run,
                            std::vector<input::SourceFilePtr>& sources);

/// Returns the collectives of the hardware file. The program needs them, and building the machine needs the program.
/// Faults of the file are reported when the machine is built.
collectives::Algorithms collectives_of(const scenario::Scenario& scenario);

}  // namespace warpfront::tools
