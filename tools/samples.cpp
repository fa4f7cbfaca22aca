#include "tools/samples.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "tools/engines.hpp"
#include "tools/interrupt.hpp"
#include "tools/parallel_for.hpp"

namespace warpfront::tools {

namespace {

using Seconds = std::chrono::duration<double>;

Experiment sample(const scenario::ScenarioDocument& document, Seed seed, std::uint32_t number) {
    scenario::ScenarioDocument drawn = document;
    scenario::draw_figures(document.uncertain, seed, number, drawn.tree);
    return build_experiment(scenario::read_scenario(drawn));
}

}  // namespace

results::Ensemble run_samples(const scenario::ScenarioDocument& document, const engine::Options& options,
                              std::uint32_t samples, ProgressMode mode) {
    const auto began = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return Seconds(std::chrono::steady_clock::now() - began); };
    results::Ensemble ensemble{.first = options.seed, .times = std::vector<WideTime>(samples)};
    ensemble.what = "samples";
    ensemble.at_once = std::min(options.threads, samples);
    ProgressReporter reporter(mode);
    std::mutex mutex;
    std::uint32_t done = 0;
    // Experiments are built one after another, since SimGrid loads a platform in a process of its own.
    for (std::uint32_t first = 0; first < samples; first += ensemble.at_once) {
        std::vector<Experiment> experiments;
        const std::uint32_t count = std::min(ensemble.at_once, samples - first);
        for (std::uint32_t k = 0; k < count; ++k) experiments.push_back(sample(document, options.seed, first + k));
        const auto run = [&](std::uint32_t k, const Wanted& wanted) {
            end_if_interrupted();
            engine::ProgressMonitor monitor([&](const engine::Progress&) {
                return interrupted() || !wanted() ? engine::ProgressMonitor::Decision::stop
                                                  : engine::ProgressMonitor::Decision::go_on;
            });
            engine::Options of_one = options;
            of_one.noise = experiments[k].noise;
            of_one.seed.value += first + k;
            of_one.threads = 1;
            of_one.monitor = &monitor;
            const record::Record record = predict(Engine::event, experiments[k], of_one).record;
            ensemble.times[first + k] = record.finish;
            const std::lock_guard hold(mutex);
            ensemble.cpu_s += record.work->cpu_s;
            reporter.report(elapsed(), [&] { return fmt::format("{} of {} samples done", ++done, samples); });
        };
        guard_signals([&] { parallel_for(count, ensemble.at_once, run); });
    }
    ensemble.wall_s = elapsed().count();
    return ensemble;
}

}  // namespace warpfront::tools
