#include "tools/experiment.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/psl.hpp"
#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_processor.hpp"
#include "simulator/machine/loading/hardware_reader.hpp"
#include "simulator/program/computing.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/cost_map.hpp"
#include "simulator/scenario/measured_times.hpp"
#include "simulator/trace/read.hpp"

namespace warpfront::tools {

using input::BadInput;
using input::Diagnostics;
using input::SourceFilePtr;
using scenario::Calibration;

namespace {

/// Every pair of ranks that a channel of the program or a step of its allreduce joins.
void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    visit_channels(program, visit);
    if (!program::has_allreduce(program)) return;
    const auto ranks = static_cast<std::uint32_t>(program.class_of.size());
    const collectives::RecursiveDoubling butterfly(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (std::uint32_t step = 0; step < butterfly.steps(); ++step) {
            if (const std::optional<Rank> partner = butterfly.step({rank}, step).send_to) visit({rank}, *partner);
        }
    }
}

/// The sizes of all messages, each once, descending.
std::vector<Bytes> sizes_of(const program::Program& program) {
    std::set<std::int64_t> sizes;
    for (const program::RankClass& rank_class : program.classes) {
        for (const program::Instruction& step : rank_class.code) {
            if (program::is_send(step.op) || step.op == program::Op::allreduce) sizes.insert(step.amount);
        }
    }
    std::vector<Bytes> descending;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) descending.push_back({*size});
    return descending;
}

machine::MachineRequest request_for(const scenario::Scenario& scenario, const program::Program* program) {
    machine::MachineRequest request;
    request.hardware_file = scenario.platform;
    request.mentioned_at = scenario.platform_range;
    request.overrides = scenario.overrides;
    request.grid = scenario.bindings.grid;
    request.grid_range = scenario.grid_range;
    request.patch = scenario.patch;
    request.patch_range = scenario.patch_range;
    request.placement = scenario.placement.request;
    request.pairs = [program](const std::function<void(Rank, Rank)>& visit) {
        if (program != nullptr) visit_pairs(*program, visit);
    };
    if (program != nullptr) request.sizes = sizes_of(*program);
    return request;
}

/// The program of the model or the trace; adds the files that were read to `sources`.
program::Program program_of(const scenario::Scenario& scenario, std::vector<SourceFilePtr>& sources) {
    const auto add = [&sources](const std::vector<SourceFilePtr>& read) {
        sources.insert(sources.end(), read.begin(), read.end());
    };
    if (scenario.trace) {
        const scenario::TraceKey& trace = *scenario.trace;
        trace::Loaded loaded = trace::read({trace.list,
                                            trace.range,
                                            scenario.bindings.grid,
                                            scenario.grid_range,
                                            {trace.speed, collectives_of(scenario)}});
        add(loaded.sources);
        return std::move(loaded.program);
    }
    const psl::Model model = psl::load(scenario.model, scenario.model_range);
    add(model.sources());
    psl::Bindings bindings = scenario.bindings;
    bindings.algorithms = [&scenario] { return collectives_of(scenario); };
    return psl::lower(model, bindings);
}

/// Applies the computing of this application and describes what is in use.
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
        if (computing.in_cache) {
            terms.push_back(fmt::format("times {:g} up to {:g} us", computing.in_cache->factor,
                                        1e6 * seconds(computing.in_cache->up_to)));
        }
        if (computing.per_block.ps > 0) {
            terms.push_back(fmt::format("{:g} us per block", 1e6 * seconds(computing.per_block)));
        }
    }
    if (terms.empty()) return {fmt::format("`{}` has no terms for this run", calibration.source->name()), false, {}};
    return {fmt::format("calibrated by `{}`: {}", calibration.source->name(), fmt::join(terms, ", ")), sets_noise,
            calibration.error};
}

}  // namespace

collectives::Algorithms collectives_of(const scenario::Scenario& scenario) {
    Diagnostics reported_later;
    return machine::read_hardware_file(scenario.platform, scenario.platform_range, reported_later, scenario.overrides)
        .collectives;
}

Experiment build_experiment(scenario::Scenario scenario) {
    const std::optional<Calibration> calibration = scenario::calibration_for(scenario.calibration, scenario.platform);
    return build_experiment(std::move(scenario), calibration);
}

Experiment build_experiment(scenario::Scenario scenario, const std::optional<Calibration>& calibration) {
    Diagnostics faults;
    // A trace has its times as recorded, their variation included.
    const bool sets_noise =
        calibration && calibration->noise && !scenario.noise_configuration.states_noise && !scenario.trace.has_value();
    if (sets_noise) {
        const std::vector<engine::SpeedClass> classes = std::move(scenario.noise_configuration.noise.classes);
        scenario.noise_configuration.noise = *calibration->noise;
        scenario.noise_configuration.noise.classes = classes;
    }
    const scenario::MeasuredTimes times = scenario::scale_measured_times(scenario);
    if (const auto described = machine::processor_of(scenario.platform, scenario.overrides); described.processor) {
        scenario.bindings.processor = psl::Processor{described.processor->name, described.processor->speed.per_second};
    }
    std::vector<SourceFilePtr> sources{scenario.source};
    std::optional<program::Program> program;
    try {
        program = program_of(scenario, sources);
    } catch (const BadInput& bad) {
        faults.add(bad.faults());
    }
    std::optional<machine::BuiltMachine> built;
    std::optional<machine::Machine> uncalibrated;
    try {
        const bool changed = calibration && !calibration->platform.entries.empty();
        if (changed && program && !program->closed_form.empty()) {
            uncalibrated = machine::build(request_for(scenario, &*program)).machine;
        }
        if (changed) scenario.overrides.calibration = calibration->platform;
        built = machine::build(request_for(scenario, program ? &*program : nullptr));
        sources.insert(sources.end(), built->sources.begin(), built->sources.end());
    } catch (const BadInput& bad) {
        faults.add(bad.faults());
    }
    engine::Noise noise = scenario.noise_configuration.noise;
    if (scenario.noise_configuration.map) {
        try {
            sources.push_back(
                input::read_file(scenario.noise_configuration.map->file, scenario.noise_configuration.map->range));
            noise.map = scenario::read_cost_map(sources.back(), scenario.bindings.grid.ranks(), faults);
        } catch (const BadInput& bad) {
            faults.add(bad.faults());
        }
    }
    faults.raise();
    sources.insert(sources.end(), times.sources.begin(), times.sources.end());
    std::optional<Calibrated> calibrated;
    if (calibration) {
        sources.push_back(calibration->source);
        calibrated = calibrate(*calibration, sets_noise, *program);
    }
    return {std::move(scenario),
            std::move(*program),
            std::move(built->machine),
            std::move(uncalibrated),
            std::move(sources),
            std::move(noise),
            times.note,
            std::move(calibrated)};
}

void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    const auto ranks = static_cast<std::uint32_t>(program.class_of.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const program::Channel& send_endpoint : program.of({rank}).send_endpoints) {
            visit({rank}, {static_cast<std::uint32_t>(std::int64_t{rank} + send_endpoint.delta)});
        }
    }
}

void refuse_choices(const Experiment& experiment, std::string_view what) {
    if (!program::has_choices(experiment.program)) return;
    throw input::BadInput(input::DiagnosticKind::messages_chosen, experiment.scenario.model_range,
                          fmt::format("{} cannot follow ranks that take messages as they come", what),
                          "expected a model without `recv from any` and `waitany`");
}

engine::Options options_of(const Experiment& prepared) {
    engine::Options options;
    options.noise = prepared.noise;
    options.seed = prepared.scenario.noise_configuration.seed;
    return options;
}

}  // namespace warpfront::tools
