#include "tools/runs/samples.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "tools/runs/event_runs.hpp"

namespace warpfront::tools {

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
    // As many experiments at a time as there are threads, so that memory does not grow with the samples.
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

}  // namespace warpfront::tools
