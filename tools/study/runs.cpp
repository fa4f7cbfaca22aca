#include "tools/study/runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "tools/prediction/notes.hpp"
#include "tools/runs/interrupt.hpp"
#include "tools/runs/memory.hpp"
#include "tools/runs/parallel_for.hpp"
#include "tools/study/memory_budget.hpp"
#include "tools/study/progress.hpp"

namespace warpfront::tools {

namespace {

using engine::ProgressMonitor;

constexpr std::chrono::milliseconds kBetweenLooks{20};

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
                std::size_t points, StudyShare share, ProgressMode mode)
        : plan_(plan),
          base_(base),
          store_(store),
          at_once_(at_once(points, share)),
          threads_(std::max(1U, share.jobs / at_once_)),
          available_{available_memory().count / share.of_computer},
          memory_(available_),
          progress_(points, mode) {}

    /// Nothing where another process has claimed the point.
    std::optional<PointResult> run_unclaimed(std::size_t point, const Wanted& wanted) {
        return run_unclaimed(prepare(point), wanted);
    }

    /// Waits where another process has claimed it.
    PointResult run(std::size_t point, const Wanted& wanted) {
        const Prepared prepared = prepare(point);
        for (;;) {
            if (std::optional<PointResult> result = run_unclaimed(prepared, wanted)) return std::move(*result);
            std::this_thread::sleep_for(kBetweenLooks);
            end_if_interrupted();
        }
    }

    unsigned at_once() const { return at_once_; }
    std::size_t taken_from_store() const { return taken_from_store_; }

    engine::Interrupted interrupted_now(std::size_t points) const {
        return engine::Interrupted(
            fmt::format("interrupted after {:.1f} s, {} of {} points done; the same command goes on",
                        progress_.elapsed().count(), progress_.done(), points));
    }

private:
    struct Prepared {
        std::size_t point;
        Experiment experiment;
        std::string key;
    };

    Prepared prepare(std::size_t point) const {
        end_if_interrupted();
        Experiment experiment = build_experiment(scenario_at(plan_, base_, point));
        std::string key = key_of(experiment, engines_at(plan_, point));
        return {point, std::move(experiment), std::move(key)};
    }

    std::optional<PointResult> run_unclaimed(const Prepared& prepared, const Wanted& wanted) {
        const auto& [point, experiment, key] = prepared;
        if (std::optional<PointResult> finished = find(point, key)) return finished;
        const std::optional<PointStore::Claim> claim = store_.claim(key);
        if (!claim) return std::nullopt;
        if (std::optional<PointResult> finished = find(point, key)) return finished;
        PointResult result = run(point, experiment, wanted);
        store_.put(key, result);
        progress_.end(point, false);
        return result;
    }

    PointResult run(std::size_t point, const Experiment& experiment, const Wanted& wanted) {
        const std::vector<Engine>& engines = engines_at(plan_, point);
        PointResult result{
            experiment.program.grid.ranks(), experiment.machine.placement.nodes(), notes_of(experiment, engines), {}};
        for (std::size_t k = 0; k < engines.size(); ++k) {
            const auto share = [&, k](double done) {
                progress_.report(point, (static_cast<double>(k) + done) / static_cast<double>(engines.size()));
            };
            result.engines.push_back(run_engine(engines[k], experiment, point, share, wanted));
        }
        return result;
    }

    static unsigned at_once(std::size_t points, StudyShare share) {
        return static_cast<unsigned>(std::clamp<std::size_t>(points, 1, std::max(1U, share.jobs)));
    }

    std::optional<PointResult> find(std::size_t point, const std::string& key) {
        std::optional<PointResult> finished = store_.find(key);
        if (finished) {
            ++taken_from_store_;
            progress_.end(point, true);
        }
        return finished;
    }

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
                     const std::vector<std::size_t>& points, StudyShare share, const PointStore& store,
                     ProgressMode mode) {
    const auto count = static_cast<std::uint32_t>(points.size());
    StudyRunner runner(plan, base, store, points.size(), share, mode);
    std::vector<std::optional<PointResult>> results(points.size());
    const auto run = [&](std::uint32_t number, const Wanted& wanted) {
        results[number] = runner.run_unclaimed(points[number], wanted);
    };
    const auto run_rest = [&](std::uint32_t number, const Wanted& wanted) {
        if (!results[number]) results[number] = runner.run(points[number], wanted);
    };
    try {
        guard_signals([&] {
            parallel_for(count, runner.at_once(), run);
            parallel_for(count, runner.at_once(), run_rest);
        });
    } catch (const engine::Interrupted&) {
        throw runner.interrupted_now(points.size());
    }
    StudyRuns all;
    for (std::optional<PointResult>& result : results) all.results.push_back(std::move(*result));
    all.taken_from_store = runner.taken_from_store();
    return all;
}

void run_unclaimed_points(const StudyPlan& plan, const scenario::ScenarioDocument& base,
                          const std::vector<std::size_t>& points, StudyShare share, const PointStore& store) {
    StudyRunner runner(plan, base, store, points.size(), share, ProgressMode::nothing);
    const auto run = [&](std::uint32_t number, const Wanted& wanted) {
        try {
            (void)runner.run_unclaimed(points[number], wanted);
        } catch (const input::BadInput&) {  // process 0 finds the same
        } catch (const RunFailed&) {}
    };
    guard_signals([&] { parallel_for(static_cast<std::uint32_t>(points.size()), runner.at_once(), run); });
}

}  // namespace warpfront::tools
