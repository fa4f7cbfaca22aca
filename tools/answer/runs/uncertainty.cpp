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
                              fmt::format("`--seeds` has no effect: {}", why), std::string(expected));
    };
    if (engine == Engine::simgrid) {
        throw input::BadInput(input::DiagnosticKind::bad_option, {},
                              "simgrid runs one seed and does not accept `--seeds`",
                              "expected `--engine event`, or `--set seed=N` to choose the seed");
    }
    if (engine.is_closed_form()) refuse("the closed form includes no noise", "expected `--engine event`");
    if (prepared.depends_on_seed()) return;
    if (prepared.noise.random())
        refuse("the model has no block that noise could vary", "expected a model that computes");
    refuse("nothing in this scenario depends on the seed",
           "expected `noise` with `cv`, `jitter`, `interruptions` or `periodic` noise that is not aligned, "
           "`heterogeneity` with several classes, or `workers` that are drawn");
}

void require_uncertain(Engine engine, bool with_seeds, const Experiment& prepared,
                       const scenario::ScenarioDocument& document) {
    const auto refuse = [](std::string_view why, std::string_view expected) {
        throw input::BadInput(input::DiagnosticKind::nothing_random, {}, std::string(why), std::string(expected));
    };
    if (engine.is_closed_form()) {
        refuse("a closed form needs no samples",
               "expected a run without `--samples`, whose row `one sigma` shows the effect of the deviations; or "
               "`--engine event`");
    }
    if (engine != Engine::event) refuse("`--samples` requires the event engine", "expected `--engine event`");
    if (with_seeds) {
        refuse("`--samples` and `--seeds` exclude each other", "expected one of them; every sample has its own seed");
    }
    if (!document.uncertain.empty() || prepared.depends_on_seed()) return;
    refuse("`--samples` has no effect: no value of the scenario has a deviation",
           "expected a value such as `parameters.wg=0.414us +- 0.01us`");
}

std::vector<std::string> notes_on_deviations(const scenario::ScenarioDocument& document) {
    if (document.uncertain.empty()) return {};
    return {"the deviations of values (`+-`) have no effect on this result; `run --samples N` draws values"};
}

namespace {

engine::Options with_seed(engine::Options options, const Experiment& experiment, std::uint32_t number) {
    options.noise = experiment.noise;
    options.seed.value += number;
    return options;
}

}  // namespace

SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode) {
    SeedsRun result{{}, {options.seed, std::vector<WideTime>(seeds)}};
    std::vector<double> cpu_s(seeds);
    RunPool pool({.runs = seeds,
                  .threads = options.threads,
                  // the record of the first seed is kept during the runs of other seeds
                  .kept = memory_of_record(prepared),
                  .mode = mode});
    pool.for_each([&](RunPool::Run& run) {
        Prediction prediction = run.predict(Engine::event, prepared, with_seed(options, prepared, run.number()));
        result.ensemble.times[run.number()] = prediction.record.finish;
        cpu_s[run.number()] = prediction.record.work->cpu_s;
        if (run.number() == 0) result.first = std::move(prediction.record);
        run.end();
    });
    result.ensemble.at_once = pool.at_once();
    result.ensemble.wall_s = pool.elapsed_s();
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
    std::vector<double> cpu_s(samples);
    RunPool pool({.runs = samples, .threads = options.threads, .mode = mode});
    pool.for_each([&](RunPool::Run& run) {
        const Experiment experiment = sample(document, options.seed, run.number());
        const record::Record record =
            run.predict(Engine::event, experiment, with_seed(options, experiment, run.number())).record;
        ensemble.times[run.number()] = record.finish;
        cpu_s[run.number()] = record.work->cpu_s;
        run.end();
    });
    ensemble.at_once = pool.at_once();
    ensemble.wall_s = pool.elapsed_s();
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
