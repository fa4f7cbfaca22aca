#include "tools/answer/runs/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/memory.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

void require_random(Engine engine, const Experiment& prepared) {
    const auto refuse = [](std::string_view why, std::string_view expected) {
        throw input::BadInput(input::DiagnosticKind::nothing_random, {},
                              fmt::format("`--seeds` would run one answer over and over: {}", why),
                              std::string(expected));
    };
    if (engine == Engine::simgrid) {
        throw input::BadInput(input::DiagnosticKind::bad_option, {}, "`--seeds` of simgrid, which runs one seed",
                              "expected `--engine event`, or `--set seed=N` for another one");
    }
    if (engine.is_closed_form()) refuse("the closed form knows no noise", "expected `--engine event`");
    if (prepared.depends_on_seed()) return;
    refuse("nothing in this scenario depends on the seed",
           "expected `noise` with a `cv` or with detours that are not aligned, `heterogeneity` with several "
           "classes, or `workers` that are drawn");
}

void require_uncertain(Engine engine, bool with_seeds, const Experiment& prepared,
                       const scenario::ScenarioDocument& document) {
    const auto refuse = [](std::string_view why, std::string_view expected) {
        throw input::BadInput(input::DiagnosticKind::nothing_random, {}, std::string(why), std::string(expected));
    };
    if (engine != Engine::event) refuse("`--samples` of another engine", "expected `--engine event`");
    if (with_seeds) refuse("`--samples` beside `--seeds`", "expected one of the two: every sample has its own seed");
    if (!document.uncertain.empty() || prepared.depends_on_seed()) return;
    refuse("`--samples` would run one answer over and over: no figure of the scenario has a deviation",
           "expected a value such as `parameters.wg=0.414us +- 0.01us`");
}

SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode) {
    std::vector<EventRun> runs;
    for (std::uint32_t number = 0; number < seeds; ++number) {
        runs.push_back({&prepared, Seed{options.seed.value + number}});
    }
    SeedsRun result{{}, {options.seed, std::vector<WideTime>(seeds)}};
    std::vector<double> cpu_s(seeds);
    const Bytes kept = memory_of_record(prepared);  // of the first seed, during the others
    const EventRuns ran = run_events(runs, options, kept, mode, [&](std::uint32_t number, Prediction prediction) {
        result.ensemble.times[number] = prediction.record.finish;
        cpu_s[number] = prediction.record.work->cpu_s;
        if (number == 0) result.first = std::move(prediction.record);
    });
    result.ensemble.at_once = ran.at_once;
    result.ensemble.wall_s = ran.wall_s;
    result.ensemble.cpu_s = std::accumulate(cpu_s.begin(), cpu_s.end(), 0.0);
    return result;
}

namespace {

Experiment sample(const scenario::ScenarioDocument& document, Seed seed, std::uint32_t number) {
    scenario::ScenarioDocument drawn = document;
    scenario::draw_figures(document.uncertain, seed, number, drawn.tree);
    return build_experiment(scenario::read_scenario(drawn));
}

}  // namespace

results::Ensemble run_samples(const scenario::ScenarioDocument& document, const engine::Options& options,
                              std::uint32_t samples, ProgressMode mode) {
    results::Ensemble ensemble{.first = options.seed, .times = std::vector<WideTime>(samples)};
    ensemble.what = "samples";
    ensemble.at_once = std::min(options.threads, samples);
    std::vector<double> cpu_s(samples);
    // At most one experiment per thread is built at a time, so that memory does not grow with the samples.
    for (std::uint32_t first = 0; first < samples; first += ensemble.at_once) {
        const std::uint32_t count = std::min(ensemble.at_once, samples - first);
        std::vector<Experiment> experiments;
        experiments.reserve(count);
        std::vector<EventRun> runs;
        for (std::uint32_t k = first; k < first + count; ++k) {
            experiments.push_back(sample(document, options.seed, k));
            runs.push_back({&experiments.back(), Seed{options.seed.value + k}});
        }
        const EventRuns done = run_events(runs, options, {}, mode, [&](std::uint32_t k, const Prediction& prediction) {
            ensemble.times[first + k] = prediction.record.finish;
            cpu_s[first + k] = prediction.record.work->cpu_s;
        });
        ensemble.wall_s += done.wall_s;
    }
    ensemble.cpu_s = std::accumulate(cpu_s.begin(), cpu_s.end(), 0.0);
    return ensemble;
}

namespace {

WideTime time_with(const scenario::ScenarioDocument& document, const scenario::UncertainFigure& figure, double value,
                   Engine engine) {
    scenario::ScenarioDocument changed = document;
    scenario::set_figure(figure, value, changed.tree);
    return predict(engine, build_experiment(scenario::read_scenario(changed))).record.finish;
}

}  // namespace

WideTime propagated_deviation(const scenario::ScenarioDocument& document, Engine engine) {
    double squares = 0.0;
    for (const scenario::UncertainFigure& figure : document.uncertain) {
        const WideTime above = time_with(document, figure, figure.value + figure.deviation, engine);
        const WideTime below = time_with(document, figure, figure.value - figure.deviation, engine);
        const double half = 0.5 * static_cast<double>((above - below).ps);
        squares += half * half;
    }
    return WideTime{static_cast<Wide>(std::round(std::sqrt(squares)))};
}

}  // namespace warpfront::tools
