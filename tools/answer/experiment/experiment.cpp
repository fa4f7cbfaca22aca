#include "tools/answer/experiment/experiment.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "psl/psl.hpp"
#include "simulator/analytic/plug_and_play.hpp"
#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/placement/cores.hpp"
#include "simulator/program/computing.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/measured_times.hpp"
#include "simulator/trace/read.hpp"
#include "simulator/trace/read_run.hpp"
#include "tools/answer/experiment/list_times.hpp"

namespace warpfront::tools {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using scenario::Calibration;

namespace {

/// Applies the computing terms of this application and describes the calibration in use.
Calibrated calibrate(const Calibration& calibration, bool sets_noise, program::Program& program) {
    std::vector<std::string> terms;
    if (!calibration.platform.entries.empty()) terms.emplace_back("message costs");
    if (sets_noise) terms.emplace_back("noise");
    if (const auto found = calibration.computing.find(program.name); found != calibration.computing.end()) {
        const program::Computing& computing = found->second;
        try {
            program::apply(computing, program);
        } catch (const std::overflow_error& overflow) {
            throw BadInput(input::DiagnosticKind::cost_too_large, {calibration.source, 0, 0}, overflow.what());
        }
        if (computing.factor != 1.0) terms.push_back(fmt::format("computing times {:g}", computing.factor));
        if (computing.per_block.ps > 0) {
            terms.push_back(fmt::format("{:g} us per block", 1e6 * seconds(computing.per_block)));
        }
    }
    const bool states_only_error = calibration.error && !calibration.noise && calibration.computing.empty();
    if (terms.empty() && states_only_error) {
        return {fmt::format("not calibrated; its 95 % interval is by `{}`", calibration.source->name()), false,
                calibration.error};
    }
    if (terms.empty()) return {fmt::format("`{}` has no terms for this run", calibration.source->name()), false, {}};
    return {fmt::format("calibrated by `{}`: {}", calibration.source->name(), fmt::join(terms, ", ")), sets_noise,
            calibration.error};
}

/// Checks the unit of `speed`: a rate of flops for SimGrid's traces, which contain flops, and a ratio for a recorded
/// run.
void check_speed(const scenario::TraceKey& trace, Diagnostics& faults) {
    const scenario::TraceSpeed& speed = trace.speed;
    if (trace.recorded && speed.has_unit) {
        faults.add(input::DiagnosticKind::conflicting_keys, speed.range,
                   fmt::format("a rate of flops beside `{}`, which has times", trace.as_written),
                   "expected how many times as fast computing is as it was recorded, such as `1.5`");
    } else if (!trace.recorded && speed.is_ratio) {
        input::parse_quantity(speed.as_written, speed.range, input::Dimension::flop_rate, faults);
    }
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

/// Adds faults for tasks of nodes that compute on all cores if the number of cores changes.
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
            faults.add(DiagnosticKind::conflicting_keys, scenario.workers.range,
                       fmt::format("cores that come and go, of a node whose task computes on all of them, in {}:{}",
                                   site.file, site.line),
                       "expected `tasks on core { task part { compute ... } }` in its place, which takes the cores "
                       "that are there");
        }
    }
}

/// Adds faults for workers without tasks, tasks with a cost map of waves, and more tasks ahead than the nodes have data
/// for.
void check_tasks(const scenario::Scenario& scenario, const variation::Noise& noise, const program::Program* program,
                 const machine::Machine* machine, Diagnostics& faults) {
    if (program == nullptr) return;
    if (!program->tasks) {
        if (!scenario.workers.given) return;
        faults.add(DiagnosticKind::conflicting_keys, scenario.workers.range, "`workers` of a model without tasks",
                   "expected a model with lists of `tasks`: ranks are there throughout");
        return;
    }
    if (std::ranges::any_of(noise.map, [](const auto& each) { return each.wave.has_value(); })) {
        faults.add(DiagnosticKind::conflicting_keys, scenario.model_range,
                   "a cost map with waves beside lists of tasks",
                   "expected ranks and factors alone, of cores: tasks belong to no wave");
    }
    for (const program::TaskList& list : program->tasks->lists) {
        if (list.take.rule != program::Take::Rule::fixed || !scenario.workers.availability.by_turn) continue;
        faults.add(
            DiagnosticKind::conflicting_keys, scenario.workers.range,
            fmt::format("`joining: by_turn` of a list with fixed shares, in {}:{}", program->sites[list.site].file,
                        program->sites[list.site].line),
            "expected `at_once`, or another rule than `take fixed`: whose core is away for a turn waits with its "
            "share, and the turn with it");
    }
    check_nodes_compute(scenario, *program, faults);
    if (machine == nullptr || !machine->cluster_memory.buffers) return;
    const std::int64_t buffers = *machine->cluster_memory.buffers;
    for (const program::TaskList& list : program->tasks->lists) {
        if (!list.on_nodes || list.ahead < buffers) continue;
        faults.add(
            DiagnosticKind::conflicting_keys, scenario.platform_range,
            fmt::format("{} tasks ahead on nodes that hold the data of {}", list.ahead, buffers),
            fmt::format("expected `ahead {}` or less in {}:{}, or `cluster_memory.buffers` of {} or more", buffers - 1,
                        program->sites[list.site].file, program->sites[list.site].line, list.ahead + 1));
    }
}

}  // namespace

Experiment build_experiment(scenario::Scenario scenario) {
    const std::optional<Calibration> calibration = scenario::calibration_for(scenario.calibration, scenario.platform);
    return build_experiment(std::move(scenario), calibration);
}

Experiment build_experiment(scenario::Scenario scenario, const std::optional<Calibration>& calibration) {
    Diagnostics faults;
    trace::RunFiles run;
    if (scenario.trace) {
        run = trace::RunFiles(scenario.trace->list);
        scenario.trace->recorded = run.has_times();
        check_speed(*scenario.trace, faults);
    }
    // A trace has its recorded times, including their variation.
    const bool sets_noise =
        calibration && !scenario.trace && scenario.noise_configuration.take_noise(calibration->noise);
    const scenario::MeasuredTimes times = scenario::scale_measured_times(scenario);
    if (const auto described = machine::processor_of(scenario.platform, scenario.overrides); described.processor) {
        scenario.bindings.processor = psl::Processor{described.processor->name, described.processor->speed.per_second};
    }
    std::vector<SourceFilePtr> sources{scenario.source};
    std::optional<program::Program> program;
    try {
        program = program_of(scenario, run, sources);
    } catch (const BadInput& bad) {
        faults.add(bad.diagnostics());
    }
    std::optional<machine::BuiltMachine> built;
    std::optional<machine::Machine> uncalibrated;
    try {
        const bool changed = calibration && !calibration->platform.entries.empty();
        if (changed && program && !program->closed_form.empty()) {
            uncalibrated = machine::build(machine_request(scenario, &*program)).machine;
        }
        if (changed) scenario.overrides.calibration = calibration->platform;
        built = machine::build(machine_request(scenario, program ? &*program : nullptr));
        sources.insert(sources.end(), built->sources.begin(), built->sources.end());
    } catch (const BadInput& bad) {
        faults.add(bad.diagnostics());
    }
    variation::Noise noise =
        scenario::noise_of(scenario.noise_configuration, scenario.bindings.grid.ranks(), sources, faults);
    if (noise.interruptions && built && program && !program->tasks) {
        noise.has_idle_core = machine::ranks_beside_idle_cores(built->machine.placement, built->machine.cores);
    }
    check_tasks(scenario, noise, program ? &*program : nullptr, built ? &built->machine : nullptr, faults);
    faults.raise();
    if (scenario.workers.source) sources.push_back(*scenario.workers.source);
    if (scenario.placement.rankfile) sources.push_back(*scenario.placement.rankfile);
    sources.insert(sources.end(), times.sources.begin(), times.sources.end());
    std::optional<Calibrated> calibrated;
    if (calibration) {
        sources.push_back(calibration->source);
        calibrated = calibrate(*calibration, sets_noise, *program);
    }
    Experiment experiment{std::move(scenario),
                          std::move(*program),
                          std::move(built->machine),
                          std::move(uncalibrated),
                          std::move(sources),
                          std::move(noise),
                          times.note,
                          std::move(calibrated)};
    if (spdlog::should_log(spdlog::level::debug)) log_inputs(experiment);
    return experiment;
}

void refuse_choices(const Experiment& experiment, std::string_view what) {
    if (!program::has_choices(experiment.program)) return;
    throw input::BadInput(input::DiagnosticKind::messages_chosen, experiment.scenario.model_range,
                          fmt::format("{} cannot follow ranks that take messages as they come", what),
                          "expected a model without `from any` and `waitany`");
}

void refuse_tasks(const Experiment& experiment, std::string_view what) {
    if (!experiment.program.tasks) return;
    throw input::BadInput(input::DiagnosticKind::tasks_unknown, experiment.scenario.model_range,
                          fmt::format("{} of a model of self-scheduled tasks", what),
                          "expected a model with an `iteration`; `run`, `compare` and `study` know tasks");
}

engine::Options options_of(const Experiment& prepared) {
    engine::Options options;
    options.noise = prepared.noise;
    options.seed = prepared.scenario.noise_configuration.seed;
    return options;
}

namespace {

/// Visits every pair of neighbours in the columns and rows of the ranks: closed forms charge the messages of these
/// pairs.
void visit_neighbours(const RankGrid& grid, const std::function<void(Rank, Rank)>& visit) {
    for (std::uint32_t row = 1; row <= grid.rows; ++row) {
        for (std::uint32_t column = 1; column <= grid.columns; ++column) {
            const Rank rank = grid.at(column, row);
            if (column < grid.columns) visit(rank, grid.at(column + 1, row));
            if (column > 1) visit(rank, grid.at(column - 1, row));
            if (row < grid.rows) visit(rank, grid.at(column, row + 1));
            if (row > 1) visit(rank, grid.at(column, row - 1));
        }
    }
}

}  // namespace

void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    visit_channels(program, visit);
    const bool has_channels =
        std::ranges::any_of(program.classes, [](const auto& each) { return !each.send_endpoints.empty(); });
    if (!has_channels && !program.closed_form.empty()) visit_neighbours(program.grid, visit);
    for (const program::RankRange& ranks : program::collective_groups(program)) {
        if (!ranks.has_allreduce) continue;
        const collectives::RecursiveDoubling butterfly(ranks.count);
        for (std::uint32_t rank = 0; rank < ranks.count; ++rank) {
            for (std::uint32_t step = 0; step < butterfly.steps(); ++step) {
                const std::optional<Rank> partner = butterfly.step({rank}, step).send_to;
                if (partner) visit({ranks.first + rank}, {ranks.first + partner->index});
            }
        }
    }
}

std::vector<Bytes> sizes_of(const program::Program& program) {
    std::set<std::int64_t> sizes;
    for (const program::RankClass& rank_class : program.classes) {
        for (const program::Instruction& step : rank_class.code) {
            if (program::sends(step.op, program::Operand::send_endpoint) || step.op == program::Op::allreduce)
                sizes.insert(step.amount);
        }
    }
    std::vector<Bytes> descending;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) descending.push_back({*size});
    return descending;
}

machine::MachineRequest machine_request(const scenario::Scenario& scenario, const program::Program* program) {
    machine::MachineRequest request;
    request.hardware_file = scenario.platform;
    request.mentioned_at = scenario.platform_range;
    request.overrides = scenario.overrides;
    request.grid = scenario.bindings.grid;
    request.grid_range = scenario.grid_range;
    request.patch = scenario.patch;
    request.patch_range = scenario.patch_range;
    request.cores = scenario.cores.request;
    request.placement = scenario.placement.request;
    request.pairs = [program](const std::function<void(Rank, Rank)>& visit) {
        if (program != nullptr) visit_pairs(*program, visit);
    };
    if (program != nullptr) request.sizes = sizes_of(*program);
    return request;
}

void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    const auto ranks = static_cast<std::uint32_t>(program.class_of.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const program::Channel& send_endpoint : program.of({rank}).send_endpoints) {
            visit({rank}, {static_cast<std::uint32_t>(std::int64_t{rank} + send_endpoint.delta)});
        }
    }
}

namespace {

/// The times of analytic regions. The machine is built when the first of them is needed.
class RegionTimes {
public:
    explicit RegionTimes(const scenario::Scenario& scenario) : scenario_(scenario) {}

    WideTime operator()(const program::WavefrontPhase& phase) {
        if (!std::exchange(built_, true)) build();
        return machine_ ? analytic::predict(phase, *machine_) : WideTime{};
    }

private:
    void build() {
        try {
            machine::MachineRequest request = machine_request(scenario_, nullptr);
            request.pairs = [grid = request.grid](const std::function<void(Rank, Rank)>& visit) {
                visit_neighbours(grid, visit);
            };
            machine_ = machine::build(request).machine;
        } catch (const input::BadInput&) {
            // reported when the machine of the program is built
        }
    }

    const scenario::Scenario& scenario_;
    bool built_ = false;
    std::optional<machine::Machine> machine_;
};

/// Reads the traces that `request` names, with its speed.
program::Program read_traces(const scenario::Scenario& scenario, trace::TraceRequest request,
                             std::vector<SourceFilePtr>& sources) {
    request.grid = scenario.bindings.grid;
    request.grid_range = scenario.grid_range;
    request.costs.collectives = collectives_of(scenario);
    trace::Loaded loaded = trace::read(request);
    sources.insert(sources.end(), loaded.sources.begin(), loaded.sources.end());
    return std::move(loaded.program);
}

program::Program read_region(const scenario::Scenario& scenario, const psl::TraceRegion& region,
                             std::vector<SourceFilePtr>& sources) {
    trace::TraceRequest request{.files = region.list};
    if (region.speed && request.files.has_times()) {
        throw BadInput(input::DiagnosticKind::conflicting_keys, region.range,
                       fmt::format("a rate of flops for `{}`, which has times", region.list.string()),
                       "expected no `at` beside a recorded run");
    }
    request.mentioned_at = region.range;
    request.costs.speed = region.speed.value_or(scenario::TraceSpeed{}.rate);
    return read_traces(scenario, std::move(request), sources);
}

program::Program read_scenario_traces(const scenario::Scenario& scenario, const trace::RunFiles& run,
                                      std::vector<SourceFilePtr>& sources) {
    const scenario::TraceKey& key = *scenario.trace;
    trace::TraceRequest request{.files = run};
    request.mentioned_at = key.range;
    request.costs.speed = key.speed.rate;
    request.costs.times_as_fast = key.speed.times_as_fast;
    if (key.communicators) {
        request.communicators = key.communicators->file;
        request.communicators_mentioned_at = key.communicators->range;
    }
    if (key.arrivals_recorded) request.arrivals = trace::Arrivals::recorded;
    request.arrivals_mentioned_at = key.arrivals_range;
    return read_traces(scenario, std::move(request), sources);
}

}  // namespace

program::Program program_of(const scenario::Scenario& scenario, const trace::RunFiles& run,
                            std::vector<SourceFilePtr>& sources) {
    if (scenario.trace) return read_scenario_traces(scenario, run, sources);
    const psl::Model model = psl::load(scenario.model, scenario.model_range);
    const std::vector<SourceFilePtr> files = model.sources();
    sources.insert(sources.end(), files.begin(), files.end());
    psl::Bindings bindings = scenario.bindings;
    bindings.algorithms = [&] { return collectives_of(scenario); };
    bindings.closed_form = RegionTimes(scenario);
    ListTimes list_times(machine_request(scenario, nullptr));
    bindings.list_time = std::ref(list_times);
    bindings.trace = [&](const psl::TraceRegion& region) { return read_region(scenario, region, sources); };
    program::Program program = psl::lower(model, bindings);
    if (const auto cores = list_times.cores()) {
        std::string note = fmt::format("ranks run their lists of tasks on {} each", results::counted(*cores, "core"));
        if (list_times.idle() > 0)
            note += fmt::format(", and leave {} of a node idle", results::counted(list_times.idle(), "core"));
        program.notes.push_back(std::move(note));
    }
    return program;
}

collectives::Algorithms collectives_of(const scenario::Scenario& scenario) {
    input::Diagnostics reported_later;
    return machine::read_hardware_file(scenario.platform, scenario.platform_range, reported_later, scenario.overrides)
        .collectives;
}

}  // namespace warpfront::tools
