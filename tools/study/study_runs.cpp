#include "tools/study/study_runs.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "tools/interrupt.hpp"
#include "tools/memory.hpp"
#include "tools/notes.hpp"
#include "tools/parallel_for.hpp"
#include "tools/study/memory_budget.hpp"
#include "tools/study/study_progress.hpp"

namespace warpfront::tools {

namespace {

using engine::ProgressMonitor;

EngineResult result_of(Engine engine, const Prediction& prediction) {
    EngineResult result{.engine = std::string(name_of(engine)), .time = prediction.record.finish};
    if (prediction.record.breakdown) result.compute = prediction.record.breakdown->compute;
    result.fill = prediction.fill;
    if (prediction.record.link_waits) result.link_wait = prediction.record.link_waits->all;
    result.notes = prediction.record.notes;
    return result;
}

/// What all points of one study share.
class StudyRunner {
public:
    StudyRunner(const StudyPlan& plan, const scenario::ScenarioDocument& base, const PointStore& store,
                std::size_t points, unsigned at_once, unsigned threads, ProgressMode mode)
        : plan_(plan),
          base_(base),
          store_(store),
          at_once_(at_once),
          threads_(threads),
          available_(available_memory()),
          memory_(available_),
          progress_(points, mode) {}

    PointResult run(std::size_t point, const Wanted& wanted) {
        end_if_interrupted();
        const Experiment experiment = build_experiment(scenario_at(plan_, base_, point));
        const std::vector<Engine>& engines = engines_at(plan_, point);
        const std::string key = key_of(experiment, engines);
        if (std::optional<PointResult> finished = store_.find(key)) {
            ++taken_from_store_;
            progress_.end(point, true);
            return std::move(*finished);
        }
        PointResult result{
            experiment.program.grid.ranks(), experiment.machine.placement.nodes(), notes_of(experiment), {}};
        for (std::size_t k = 0; k < engines.size(); ++k) {
            const auto share = [&, k](double done) {
                progress_.report(point, (static_cast<double>(k) + done) / static_cast<double>(engines.size()));
            };
            result.engines.push_back(run_engine(engines[k], experiment, point, share, wanted));
        }
        store_.put(key, result);
        progress_.end(point, false);
        return result;
    }

    std::size_t taken_from_store() const { return taken_from_store_; }

    engine::Interrupted interrupted_now(std::size_t points) const {
        return engine::Interrupted(
            fmt::format("interrupted after {:.1f} s, {} of {} points done; the same command goes on",
                        progress_.elapsed().count(), progress_.done(), points));
    }

private:
    template <typename Share>
    EngineResult run_engine(Engine engine, const Experiment& experiment, std::size_t point, const Share& share,
                            const Wanted& wanted) {
        engine::Options options = options_of(experiment);
        try {
            if (engine != Engine::event) return result_of(engine, predict(engine, experiment, options));
            options.threads = threads_;
            const Bytes needed = memory_of_run(experiment, options);
            const MemoryBudget::Share held = memory_.take(needed, experiment.scenario.grid_range);
            options.queue_memory = memory_for_queues({available_.count / at_once_}, needed);
            ProgressMonitor monitor([&](const engine::Progress& progress) {
                share(progress.done());
                return interrupted() || !wanted() ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
            });
            options.monitor = &monitor;
            return result_of(engine, predict(engine, experiment, options));
        } catch (const RunFailed& failed) {
            throw RunFailed(fmt::format("point {} ({}), {}: {}", point, describe_point(plan_, point), name_of(engine),
                                        failed.what()));
        }
    }

    const StudyPlan& plan_;
    const scenario::ScenarioDocument& base_;
    const PointStore& store_;
    unsigned at_once_;
    unsigned threads_;  // of a run
    Bytes available_;
    MemoryBudget memory_;
    StudyProgress progress_;
    std::atomic<std::size_t> taken_from_store_ = 0;
};

}  // namespace

StudyRuns run_points(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                     const std::vector<std::size_t>& points, unsigned jobs, const PointStore& store,
                     ProgressMode mode) {
    const auto count = static_cast<std::uint32_t>(points.size());
    const unsigned at_once = std::max(1U, std::min(jobs, count));
    StudyRunner runner(plan, base, store, points.size(), at_once, std::max(1U, jobs / at_once), mode);
    StudyRuns all{std::vector<PointResult>(points.size()), 0};
    const auto run = [&](std::uint32_t number, const Wanted& wanted) {
        all.results[number] = runner.run(points[number], wanted);
    };
    try {
        guard_signals([&] { parallel_for(count, at_once, run); });
    } catch (const engine::Interrupted&) {
        throw runner.interrupted_now(points.size());
    }
    all.taken_from_store = runner.taken_from_store();
    return all;
}

}  // namespace warpfront::tools
