#include "tools/answer/runs/runs.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/memory.hpp"
#include "tools/answer/runs/parallel_for.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

Prediction predict_with_progress(Engine engine, const Experiment& prepared, engine::Options options,
                                 ProgressMode mode) {
    if (engine != Engine::event) return predict(engine, prepared, options);
    const Bytes available = available_memory();
    const Bytes needed = memory_of_run(prepared, options);
    refuse_beyond(available, needed, prepared.scenario.grid_range);
    options.queue_memory = memory_for_queues(available, needed);
    return guard_signals([&] {
        ProgressReporter reporter(mode);
        engine::ProgressMonitor monitor = monitor_for(reporter);
        if (options.monitor == nullptr) options.monitor = &monitor;
        return predict(engine, prepared, options);
    });
}

namespace {

using engine::ProgressMonitor;
using Seconds = std::chrono::duration<double>;

/// The progress of all runs, each on its own thread.
class SharedProgress {
public:
    SharedProgress(std::uint32_t runs, ProgressMode mode) : progress_(runs), reporter_(mode) {}

    void report(std::uint32_t number, const engine::Progress& progress) {
        const std::lock_guard hold(mutex_);
        progress_.report(number, progress);
        report_all();
    }

    void end(std::uint32_t number, const record::Work& work) {
        const std::lock_guard hold(mutex_);
        progress_.end(number, work);
        report_all();
    }

    Seconds elapsed() const { return std::chrono::steady_clock::now() - began_; }

    engine::Interrupted interrupted() const {
        return engine::Interrupted(
            fmt::format("interrupted after {:.1f} s, {}", elapsed().count(), progress_.runs_done()));
    }

private:
    void report_all() {
        const Seconds now = elapsed();
        reporter_.report(now, [&] { return progress_.describe(now); });
    }

    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    EnsembleProgress progress_;
    ProgressReporter reporter_;
};

engine::Options options_for(const EventRun& run, engine::Options options, unsigned threads) {
    options.threads = threads;
    options.noise = run.experiment->noise;
    options.seed = run.seed;
    return options;
}

/// The memory of the run that needs the most; runs of one experiment stand together and need the same.
class LargestRun {
public:
    LargestRun(std::span<const EventRun> runs, const engine::Options& options) : runs_(runs), options_(options) {}

    Bytes memory_on(unsigned threads) const {
        Bytes most;
        for (std::size_t k = 0; k < runs_.size(); ++k) {
            if (k > 0 && runs_[k].experiment == runs_[k - 1].experiment) continue;
            const Bytes needed = memory_of_run(*runs_[k].experiment, options_for(runs_[k], options_, threads));
            most = std::max(most, needed, [](Bytes a, Bytes b) { return a.count < b.count; });
        }
        return most;
    }

private:
    std::span<const EventRun> runs_;
    const engine::Options& options_;
};

Prediction run_one(const EventRun& run, engine::Options options, std::uint32_t number, const Wanted& wanted,
                   SharedProgress& shared) {
    end_if_interrupted();  // a run may finish before its monitor is called
    ProgressMonitor monitor([&](const engine::Progress& progress) {
        shared.report(number, progress);
        return interrupted() || !wanted() ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
    });
    options.monitor = &monitor;
    Prediction prediction = predict(Engine::event, *run.experiment, options);
    shared.end(number, *prediction.record.work);
    return prediction;
}

}  // namespace

ThreadAllocation allocate_threads(unsigned threads, std::uint32_t runs, Bytes available,
                                  const std::function<Bytes(unsigned threads)>& memory_of) {
    unsigned at_once = std::min(threads, runs);
    while (at_once > 1) {
        const std::int64_t fitting = available.count / memory_of(threads / at_once).count;
        if (fitting >= at_once) break;
        at_once = std::max(static_cast<unsigned>(fitting), 1U);
    }
    return {at_once, threads / at_once};
}

EventRuns run_events(std::span<const EventRun> runs, const engine::Options& options, Bytes kept, ProgressMode mode,
                     const EventSink& sink) {
    if (runs.empty()) return {};
    const auto count = static_cast<std::uint32_t>(runs.size());
    const LargestRun largest(runs, options);
    const Bytes available = available_memory();
    const Bytes to_share{std::max<std::int64_t>(available.count - kept.count, 0)};
    const ThreadAllocation allocation = allocate_threads(options.threads, count, to_share,
                                                         [&](unsigned threads) { return largest.memory_on(threads); });
    const Bytes needed = largest.memory_on(allocation.threads_each);
    refuse_beyond(available, {needed.count + kept.count}, runs.front().experiment->scenario.grid_range);

    engine::Options of_one = options;
    of_one.queue_memory = memory_for_queues({to_share.count / allocation.at_once}, needed);
    SharedProgress shared(count, mode);
    const auto run = [&](std::uint32_t number, const Wanted& wanted) {
        const EventRun& each = runs[number];
        sink(number, run_one(each, options_for(each, of_one, allocation.threads_each), number, wanted, shared));
    };
    try {
        guard_signals([&] { parallel_for(count, allocation.at_once, run); });
    } catch (const engine::Interrupted&) {
        throw shared.interrupted();
    }
    return {allocation.at_once, shared.elapsed().count()};
}

}  // namespace warpfront::tools
