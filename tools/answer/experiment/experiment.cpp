#include "tools/answer/experiment/experiment.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "simulator/input/quantity.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/placement/cores.hpp"
#include "simulator/program/computing.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/measured_times.hpp"
#include "simulator/trace/read_run.hpp"
#include "tools/answer/experiment/cost_map_waves.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/experiment/repeated_draws.hpp"

namespace warpfront::tools {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using scenario::Calibration;

namespace {

/// Checks the unit of `speed`: a rate of flops for SimGrid's traces, which contain flops, or a ratio for a recorded
/// run.
void check_speed(const scenario::TraceKey& trace, Diagnostics& faults) {
    const scenario::TraceSpeed& speed = trace.speed;
    if (trace.recorded && speed.has_unit) {
        faults.add(DiagnosticKind::conflicting_keys, speed.range,
                   fmt::format("`speed` is a rate of flops, but `{}` contains times", trace.as_written),
                   "expected a speed-up over the recorded run without a unit, such as `1.5`");
    } else if (!trace.recorded && speed.is_ratio) {
        input::parse_quantity(speed.as_written, speed.range, input::Dimension::flop_rate, faults);
    }
}

/// Applies the calibration's computing terms of this application, and describes the calibration.
Calibrated calibrate(const Calibration& calibration, bool sets_noise, program::Program& program) {
    std::vector<std::string> terms;
    if (!calibration.platform.entries.empty()) terms.emplace_back("message costs");
    if (sets_noise) terms.emplace_back("noise");
    if (const auto found = calibration.computing.find(program.name); found != calibration.computing.end()) {
        const program::Computing& computing = found->second;
        try {
            program::apply(computing, program);
        } catch (const std::overflow_error& overflow) {
            throw BadInput(DiagnosticKind::cost_too_large, {calibration.source, 0, 0}, overflow.what());
        }
        if (computing.factor != 1.0) terms.push_back(fmt::format("computing times x {:g}", computing.factor));
        if (computing.per_block.ps > 0) {
            terms.push_back(fmt::format("{:g} us per block", 1e6 * seconds(computing.per_block)));
        }
    }
    const bool states_only_error = calibration.error && !calibration.noise && calibration.computing.empty();
    if (terms.empty() && states_only_error) {
        return {fmt::format("not calibrated; `{}` gives the 95 % interval", calibration.source->name()), false,
                calibration.error};
    }
    if (terms.empty())
        return {fmt::format("the calibration `{}` has no terms for this run", calibration.source->name()), false, {}};
    return {fmt::format("calibrated by `{}`: {}", calibration.source->name(), fmt::join(terms, ", ")), sets_noise,
            calibration.error};
}

/// Logs the first input files and the size of the machine.
void log_inputs(const Experiment& experiment) {
    constexpr std::size_t kMostNamed = 8;
    std::set<std::string> all;
    std::vector<std::string> names;
    for (const SourceFilePtr& source : experiment.sources) {
        const bool is_new = all.insert(source->name()).second;
        if (is_new && names.size() < kMostNamed) names.push_back(fmt::format("`{}`", source->name()));
    }
    const std::size_t others = all.size() - names.size();
    spdlog::debug("debug: read {}{}", fmt::join(names, ", "), others > 0 ? fmt::format(" and {} more", others) : "");
    const machine::Machine& machine = experiment.machine;
    spdlog::debug("debug: machine `{}`: {} ranks on {} nodes, of {} hosts with {} cores each", machine.name,
                  results::grouped(experiment.program.grid.ranks()), results::grouped(machine.placement.nodes()),
                  results::grouped(machine.hosts), machine.cores);
}

/// Reports tasks of nodes that compute on all cores, if the number of cores changes.
void check_nodes_compute(const scenario::Scenario& scenario, const program::Program& program, Diagnostics& faults) {
    const variation::Availability& availability = scenario.workers.availability;
    if (availability.changes.empty() && !availability.drawn) return;
    for (const program::TaskList& list : program.tasks->lists) {
        if (!list.on_nodes) continue;
        for (const std::uint32_t number : list.tasks) {
            const program::Task& task = program.tasks->tasks[number];
            const auto computes = [](const program::TaskStep& step) {
                return step.form == program::TaskStep::Form::compute;
            };
            const auto step = std::ranges::find_if(task.steps, computes);
            if (step == task.steps.end()) continue;
            const program::Site& site = program.sites[task.site];
            faults.add(
                DiagnosticKind::conflicting_keys, scenario.workers.range,
                fmt::format("the number of cores changes, but the task in {}:{} computes on all cores of a node",
                            site.file, site.line),
                "expected `tasks on core { task part { compute ... } }` instead, which uses the available cores");
        }
    }
}

/// Returns the lines of a cost map with the waves of engines, and notes those without effect.
std::vector<variation::CostFactor> map_with_waves(const std::vector<variation::CostFactor>& map,
                                                  const program::Program& program, std::vector<std::string>& notes) {
    CostMapWaves found = waves_of(map, program);
    if (found.unused > 0) {
        notes.push_back(
            fmt::format("`heterogeneity.map`: {} of {} lines have no effect, since their ranks have no work "
                        "in these waves, such as rank {} in wave {}",
                        found.unused, map.size(), found.example->rank.index, *found.example->wave));
    }
    return std::move(found.map);
}

/// Reports `workers` for a model without tasks, a cost map with waves for a model with tasks, and more tasks in advance
/// than a node has buffers for.
void check_tasks(const scenario::Scenario& scenario, const variation::Noise& noise, const program::Program* program,
                 const machine::Machine* machine, Diagnostics& faults) {
    if (program == nullptr) return;
    if (!program->tasks) {
        if (!scenario.workers.given) return;
        faults.add(DiagnosticKind::conflicting_keys, scenario.workers.range,
                   "`workers` does not apply to a model without tasks",
                   "expected a model with lists of `tasks`; ranks are always available");
        return;
    }
    if (std::ranges::any_of(noise.map, [](const auto& each) { return each.wave.has_value(); })) {
        faults.add(DiagnosticKind::conflicting_keys, scenario.model_range,
                   "a cost map with waves does not apply to lists of tasks",
                   "expected a cost map without waves, whose ranks are the cores");
    }
    for (const program::TaskList& list : program->tasks->lists) {
        if (list.take.rule != program::Take::Rule::fixed || !scenario.workers.availability.by_turn) continue;
        faults.add(DiagnosticKind::conflicting_keys, scenario.workers.range,
                   fmt::format("`joining: by_turn` does not apply to the list in {}:{}, which has fixed shares",
                               program->sites[list.site].file, program->sites[list.site].line),
                   "expected `joining: at_once`, or a list without `take fixed`; otherwise a turn would wait for the "
                   "share of an absent core");
    }
    check_nodes_compute(scenario, *program, faults);
    if (machine == nullptr || !machine->cluster_memory.buffers) return;
    const std::int64_t buffers = *machine->cluster_memory.buffers;
    for (const program::TaskList& list : program->tasks->lists) {
        if (!list.on_nodes || list.ahead < buffers) continue;
        faults.add(
            DiagnosticKind::conflicting_keys, scenario.platform_range,
            fmt::format("a node takes {} tasks in advance, but stores the data of only {}", list.ahead, buffers),
            fmt::format("expected `ahead {}` or less in {}:{}, or `cluster_memory.buffers` of {} or more", buffers - 1,
                        program->sites[list.site].file, program->sites[list.site].line, list.ahead + 1));
    }
}

void append(std::vector<SourceFilePtr>& sources, const std::vector<SourceFilePtr>& more) {
    sources.insert(sources.end(), more.begin(), more.end());
}

/// Copies data of the hardware file to the bindings of the model: the algorithms of collectives, and the processor.
void bind(const machine::HardwareFile& hardware, psl::Bindings& bindings) {
    bindings.algorithms = hardware.collectives;
    const std::optional<machine::Processor>& processor = hardware.processor;
    if (processor) bindings.processor = psl::Processor{processor->name, processor->speed.per_second};
}

/// The hardware file of a scenario, including the files that it is based on.
struct ReadHardware {
    std::optional<machine::HardwareTree> tree;  // empty if the file cannot be read
    Diagnostics faults;                         // errors of the file and of the calibration
};

ReadHardware read_hardware(const scenario::Scenario& scenario) {
    try {
        return {machine::read_hardware_tree(scenario.platform, scenario.platform_range), {}};
    } catch (const BadInput& bad) {
        return {std::nullopt, bad.diagnostics()};
    }
}

/// Returns the calibration of the scenario; nothing if it has none. Adds its errors to those of the hardware file. If
/// the hardware file cannot be read, only a calibration that the scenario itself names is returned.
std::optional<Calibration> calibration_of(const scenario::Scenario& scenario, ReadHardware& read) {
    const scenario::CalibrationKey& key = scenario.calibration;
    try {
        if (read.tree) return scenario::calibration_for(key, *read.tree);
        if (key.on && !key.file.empty()) return scenario::read_calibration(key.file, key.range);
    } catch (const BadInput& bad) {
        read.faults.add(bad.diagnostics());
    }
    return std::nullopt;
}

/// The calibrated machine with the ranks of the program; nothing after an error.
struct Placed {
    std::optional<machine::BuiltMachine> built;
    std::optional<machine::Machine> uncalibrated;  // the machine for closed forms, if the calibration changes it
    Diagnostics faults;
};

/// Places the ranks on the hardware. The calibration becomes one of the overrides of the scenario.
Placed place(scenario::Scenario& scenario, const machine::HardwareTree& tree, machine::Hardware& hardware,
             const std::optional<Calibration>& calibration, const program::Program* program) {
    Placed placed;
    const machine::RankRequest request = rank_request(scenario, program);
    const bool changed = calibration && !calibration->platform.entries.empty();
    try {
        if (!changed) {
            placed.built = machine::place(hardware, request);
            return placed;
        }
        if (program != nullptr && !program->closed_form.empty()) {
            placed.uncalibrated = machine::place(hardware, request).machine;
        }
        scenario.overrides.calibration = calibration->platform;
        machine::Hardware calibrated(tree, scenario.overrides);
        placed.built = machine::place(calibrated, request);
    } catch (const BadInput& bad) {
        placed.faults.add(bad.diagnostics());
    }
    return placed;
}

/// Builds the experiment in the order of its data: hardware, program, machine, variation. All errors are collected.
Experiment build(scenario::Scenario scenario, ReadHardware read, const std::optional<Calibration>& calibration) {
    Diagnostics faults;
    trace::RunFiles run;
    if (scenario.trace) {
        run = trace::RunFiles(scenario.trace->list);
        scenario.trace->recorded = run.has_times();
        check_speed(*scenario.trace, faults);
    }
    // a trace contains recorded times with their variation
    const bool sets_noise =
        calibration && !scenario.trace && scenario.noise_configuration.take_noise(calibration->noise);
    scenario::MeasuredTimes times;
    std::optional<machine::Hardware> hardware;
    if (read.tree) {
        times = scenario::scale_measured_times(scenario, *read.tree);
        hardware.emplace(*read.tree, scenario.overrides);
        bind(hardware->file, scenario.bindings);
    }

    Lowered lowered = lower(scenario, run, hardware ? &*hardware : nullptr);
    const program::Program* const program = lowered.program ? &*lowered.program : nullptr;
    faults.add(lowered.faults);
    faults.add(read.faults);
    Placed placed;
    if (hardware) placed = place(scenario, *read.tree, *hardware, calibration, program);
    const machine::Machine* const machine = placed.built ? &placed.built->machine : nullptr;
    faults.add(placed.faults);

    std::vector<SourceFilePtr> sources{scenario.source};
    append(sources, lowered.sources);
    if (placed.built) append(sources, placed.built->sources);
    variation::Noise noise =
        scenario::noise_of(scenario.noise_configuration, scenario.bindings.grid.ranks(), sources, faults);
    if (noise.interruptions && machine != nullptr && program != nullptr && !program->tasks) {
        noise.has_idle_core = machine::ranks_beside_idle_cores(machine->placement, machine->cores);
    }
    check_tasks(scenario, noise, program, machine, faults);
    faults.raise();

    if (scenario.workers.source) sources.push_back(*scenario.workers.source);
    if (scenario.placement.rankfile) sources.push_back(*scenario.placement.rankfile);
    append(sources, times.sources);
    std::optional<Calibrated> calibrated;
    if (calibration) {
        sources.push_back(calibration->source);
        calibrated = calibrate(*calibration, sets_noise, *lowered.program);
    }
    if (noise.draws() && noise.repeats_after == variation::kWhenEnough && !lowered.program->tasks) {
        noise.repeats_after = iterations_until_repeat(*lowered.program, noise);
    }
    std::vector<variation::CostFactor> cost_map = noise.map;
    if (!lowered.program->tasks) noise.map = map_with_waves(cost_map, *lowered.program, scenario.notes);
    Experiment experiment{.scenario = std::move(scenario),
                          .model = std::move(lowered.model),
                          .program = std::move(*lowered.program),
                          .hardware = std::move(*read.tree),
                          .machine = std::move(placed.built->machine),
                          .uncalibrated = std::move(placed.uncalibrated),
                          .sources = std::move(sources),
                          .noise = std::move(noise),
                          .cost_map = std::move(cost_map),
                          .times_note = std::move(times.note),
                          .calibrated = std::move(calibrated)};
    if (spdlog::should_log(spdlog::level::debug)) log_inputs(experiment);
    return experiment;
}

}  // namespace

Experiment build_experiment(scenario::Scenario scenario) {
    ReadHardware read = read_hardware(scenario);
    const std::optional<Calibration> calibration = calibration_of(scenario, read);
    return build(std::move(scenario), std::move(read), calibration);
}

Experiment build_experiment(scenario::Scenario scenario, const std::optional<Calibration>& calibration) {
    ReadHardware read = read_hardware(scenario);
    return build(std::move(scenario), std::move(read), calibration);
}

void refuse_choices(const Experiment& experiment, std::string_view what) {
    if (!program::has_choices(experiment.program)) return;
    throw BadInput(DiagnosticKind::messages_chosen, experiment.scenario.model_range,
                   fmt::format("{} cannot follow ranks that take messages in the order of arrival", what),
                   "expected a model without `from any` and `waitany`");
}

void refuse_tasks(const Experiment& experiment, std::string_view what) {
    if (!experiment.program.tasks) return;
    throw BadInput(DiagnosticKind::tasks_unknown, experiment.scenario.model_range,
                   fmt::format("{} cannot have a model of self-scheduled tasks", what),
                   "expected a model with an `iteration`; only `run`, `compare` and `study` accept tasks");
}

engine::Options options_of(const Experiment& prepared) {
    engine::Options options;
    options.noise = prepared.noise;
    options.seed = prepared.scenario.noise_configuration.seed;
    return options;
}

}  // namespace warpfront::tools
