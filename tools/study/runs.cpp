#include "tools/study/runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/runs/estimate.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/memory.hpp"
#include "tools/answer/runs/parallel_for.hpp"

namespace warpfront::tools {

namespace {

using engine::ProgressMonitor;

constexpr std::chrono::milliseconds kBetweenLooks{20};

EngineResult result_of(Engine engine, const Prediction& prediction) {
    const record::Record& record = prediction.record;
    EngineResult result{.engine = std::string(name_of(engine)), .time = record.finish};
    result.path = record.path;
    result.fill = record.fill;
    result.nonwavefront = record.nonwavefront;
    if (record.link_waits) result.link_wait = record.link_waits->all;
    if (record.tasks) result.cores = record.tasks->cores;
    result.notes = record.notes;
    return result;
}

/// The state shared by all points of one study.
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

    /// Returns nothing if another process has claimed the point.
    std::optional<PointResult> run_unclaimed(std::size_t point, const Wanted& wanted) {
        return run_unclaimed(prepare(point), wanted);
    }

    /// Runs the point, or waits for its result if another process has claimed it.
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
        return engine::Interrupted(fmt::format("interrupted after {:.1f} s, {} of {} done; the same command goes on",
                                               progress_.elapsed().count(), progress_.done(),
                                               results::counted(points, "point")));
    }

private:
    struct Prepared {
        std::size_t point;
        Experiment experiment;
        std::vector<Engine> engines;
        std::string key;
    };

    Prepared prepare(std::size_t point) const {
        end_if_interrupted();
        Experiment experiment = build_experiment(scenario_at(plan_, base_, point));
        std::vector<Engine> engines = engines_at(plan_, point);
        if (plan_.most_messages && steps_more(experiment, *plan_.most_messages)) std::erase(engines, Engine::event);
        if (std::ranges::any_of(engines, &Engine::is_closed_form)) refuse_without_closed_form(experiment);
        std::string key = key_of(experiment, engines, plan_.needs_path());
        return {point, std::move(experiment), std::move(engines), std::move(key)};
    }

    std::optional<PointResult> run_unclaimed(const Prepared& prepared, const Wanted& wanted) {
        std::optional<PointResult> result = find_or_run(prepared, wanted);
        if (result) result->inputs = results::hash_inputs(prepared.experiment.sources);
        return result;
    }

    std::optional<PointResult> find_or_run(const Prepared& prepared, const Wanted& wanted) {
        const auto& [point, experiment, engines, key] = prepared;
        if (std::optional<PointResult> finished = find(point, key)) return finished;
        const std::optional<PointStore::Claim> claim = store_.claim(key);
        if (!claim) return std::nullopt;
        if (std::optional<PointResult> finished = find(point, key)) return finished;
        PointResult result = run(point, experiment, engines, wanted);
        if (result.failures.empty()) store_.put(key, result);
        progress_.end(point, false);
        return result;
    }

    PointResult run(std::size_t point, const Experiment& experiment, const std::vector<Engine>& engines,
                    const Wanted& wanted) {
        PointResult result{
            experiment.program.grid.ranks(), experiment.machine.placement.nodes(), notes_of(experiment, engines), {}};
        for (std::size_t k = 0; k < engines.size(); ++k) {
            const auto share = [&, k](double done) {
                progress_.report(point, (static_cast<double>(k) + done) / static_cast<double>(engines.size()));
            };
            try {
                result.engines.push_back(run_engine(engines[k], experiment, share, wanted));
            } catch (const RunFailed& failed) {
                result.failures.push_back({std::string(name_of(engines[k])), failed.what()});
            }
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
    EngineResult run_engine(Engine engine, const Experiment& experiment, const Share& share, const Wanted& wanted) {
        engine::Options options = options_of(experiment);
        if (engine != Engine::event) return result_of(engine, predict(engine, experiment, options));
        options.path = plan_.needs_path() && !program::has_choices(experiment.program);
        options.threads = options.path ? 1 : threads_;
        const Bytes needed = memory_of_run(experiment, options);
        const MemoryBudget::Share held = memory_.take(needed, experiment.scenario.grid_range);
        options.queue_memory = memory_for_queues({available_.count / at_once_}, needed);
        ProgressMonitor monitor([&](const engine::Progress& progress) {
            share(progress.done());
            return interrupted() || !wanted() ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
        });
        options.monitor = &monitor;
        return result_of(engine, predict(engine, experiment, options));
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
        } catch (const input::BadInput&) {}  // process 0 reports the same fault
    };
    guard_signals([&] { parallel_for(static_cast<std::uint32_t>(points.size()), runner.at_once(), run); });
}

MemoryBudget::Share MemoryBudget::take(Bytes needed, const input::SourceRange& range) {
    refuse_beyond(available_, needed, range);
    std::unique_lock hold(mutex_);
    freed_.wait(hold, [&] { return taken_.count + needed.count <= available_.count; });
    taken_.count += needed.count;
    return {*this, needed};
}

void MemoryBudget::give_back(Bytes needed) {
    {
        const std::lock_guard hold(mutex_);
        taken_.count -= needed.count;
    }
    freed_.notify_all();
}

namespace {

constexpr std::size_t kBar = 24;  // characters

}  // namespace

StudyProgress::StudyProgress(std::size_t points, ProgressMode mode) : points_(points), reporter_(mode) {}

void StudyProgress::report(std::size_t point, double share) {
    const std::lock_guard hold(mutex_);
    under_way_[point] = share;
    print();
}

void StudyProgress::end(std::size_t point, bool from_store) {
    const std::lock_guard hold(mutex_);
    under_way_.erase(point);
    ++done_;
    if (from_store) ++from_store_;
    print();
}

std::size_t StudyProgress::done() const {
    const std::lock_guard hold(mutex_);
    return done_;
}

std::string StudyProgress::describe(double done, double done_before, std::size_t whole_points, std::size_t points,
                                    ProgressReporter::Seconds elapsed) {
    const double all = static_cast<double>(points);
    const auto filled = std::min(kBar, static_cast<std::size_t>(done / all * static_cast<double>(kBar)));
    std::string text =
        fmt::format("[{}{}] {:.1f} %, {} of {} done", std::string(filled, '#'), std::string(kBar - filled, '-'),
                    100.0 * done / all, results::grouped(whole_points), results::counted(points, "point"));
    if (done > done_before) {
        const double left = elapsed.count() / (done - done_before) * (all - done);
        const auto seconds = static_cast<std::uint64_t>(std::llround(std::min(left, 1e9)));
        text += fmt::format(", {}:{:02} left", seconds / 60, seconds % 60);
    }
    return text;
}

void StudyProgress::print() {
    const ProgressReporter::Seconds now = elapsed();
    reporter_.report(now, [&] {
        double done = static_cast<double>(done_);
        for (const auto& [point, share] : under_way_) done += share;
        return describe(done, static_cast<double>(from_store_), done_, points_, now);
    });
}

}  // namespace warpfront::tools
