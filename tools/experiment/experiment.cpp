#include "tools/experiment/experiment.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/psl.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/loading/hardware_processor.hpp"
#include "simulator/program/computing.hpp"
#include "simulator/scenario/calibration.hpp"
#include "simulator/scenario/measured_times.hpp"
#include "tools/experiment/machine_request.hpp"
#include "tools/experiment/scenario_program.hpp"

namespace warpfront::tools {

using input::BadInput;
using input::Diagnostics;
using input::SourceFilePtr;
using scenario::Calibration;

namespace {

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
        if (computing.per_block.ps > 0) {
            terms.push_back(fmt::format("{:g} us per block", 1e6 * seconds(computing.per_block)));
        }
    }
    if (terms.empty()) return {fmt::format("`{}` has no terms for this run", calibration.source->name()), false, {}};
    return {fmt::format("calibrated by `{}`: {}", calibration.source->name(), fmt::join(terms, ", ")), sets_noise,
            calibration.error};
}

}  // namespace

Experiment build_experiment(scenario::Scenario scenario) {
    const std::optional<Calibration> calibration = scenario::calibration_for(scenario.calibration, scenario.platform);
    return build_experiment(std::move(scenario), calibration);
}

Experiment build_experiment(scenario::Scenario scenario, const std::optional<Calibration>& calibration) {
    Diagnostics faults;
    // A trace has its times as recorded, their variation included.
    const bool sets_noise =
        calibration && !scenario.trace && scenario.noise_configuration.take_noise(calibration->noise);
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
            uncalibrated = machine::build(machine_request(scenario, &*program)).machine;
        }
        if (changed) scenario.overrides.calibration = calibration->platform;
        built = machine::build(machine_request(scenario, program ? &*program : nullptr));
        sources.insert(sources.end(), built->sources.begin(), built->sources.end());
    } catch (const BadInput& bad) {
        faults.add(bad.faults());
    }
    variation::Noise noise =
        scenario::noise_of(scenario.noise_configuration, scenario.bindings.grid.ranks(), sources, faults);
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

void refuse_choices(const Experiment& experiment, std::string_view what) {
    if (!program::has_choices(experiment.program)) return;
    throw input::BadInput(input::DiagnosticKind::messages_chosen, experiment.scenario.model_range,
                          fmt::format("{} cannot follow ranks that take messages as they come", what),
                          "expected a model without `from any` and `waitany`");
}

engine::Options options_of(const Experiment& prepared) {
    engine::Options options;
    options.noise = prepared.noise;
    options.seed = prepared.scenario.noise_configuration.seed;
    return options;
}

}  // namespace warpfront::tools
