#include "tools/seeds.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tools/engines.hpp"
#include "tools/ensemble_progress.hpp"
#include "tools/interrupt.hpp"
#include "tools/memory.hpp"
#include "tools/parallel_for.hpp"

namespace warpfront::tools {

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

record::Record run_one(const Experiment& prepared, engine::Options options, std::uint32_t number, const Wanted& wanted,
                       SharedProgress& shared) {
    end_if_interrupted();  // a run may finish before its monitor is called
    ProgressMonitor monitor([&](const engine::Progress& progress) {
        shared.report(number, progress);
        return interrupted() || !wanted() ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
    });
    options.seed.value += number;
    options.monitor = &monitor;
    record::Record record = predict(Engine::event, prepared, options).record;
    shared.end(number, *record.work);
    return record;
}

}  // namespace

ThreadAllocation allocate_threads(unsigned threads, std::uint32_t seeds, Bytes available,
                                  const std::function<Bytes(unsigned threads)>& memory_of) {
    unsigned at_once = std::min(threads, seeds);
    while (at_once > 1) {
        const std::int64_t fitting = available.count / memory_of(threads / at_once).count;
        if (fitting >= at_once) break;
        at_once = std::max(static_cast<unsigned>(fitting), 1U);
    }
    return {at_once, threads / at_once};
}

SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode) {
    const auto on_threads = [&options](unsigned threads) {
        engine::Options of_one = options;
        of_one.threads = threads;
        return of_one;
    };
    const auto memory_of = [&](unsigned threads) { return memory_of_run(prepared, on_threads(threads)); };
    const Bytes available = available_memory();
    const Bytes kept = memory_of_record(prepared);  // that of the first seed, while others run
    const Bytes to_share{std::max<std::int64_t>(available.count - kept.count, 0)};
    const ThreadAllocation allocation = allocate_threads(options.threads, seeds, to_share, memory_of);
    const Bytes needed{memory_of(allocation.threads_each).count + kept.count};
    refuse_beyond(available, needed, prepared.scenario.grid_range);

    engine::Options of_one = on_threads(allocation.threads_each);
    const Bytes each{to_share.count / allocation.at_once};
    of_one.queue_memory = memory_for_queues(each, memory_of(allocation.threads_each));
    SeedsRun result{{}, {options.seed, std::vector<WideTime>(seeds)}};
    std::vector<double> cpu_s(seeds);
    SharedProgress shared(seeds, mode);
    const auto run = [&](std::uint32_t number, const Wanted& wanted) {
        record::Record record = run_one(prepared, of_one, number, wanted, shared);
        result.ensemble.times[number] = record.finish;
        cpu_s[number] = record.work->cpu_s;
        if (number == 0) result.first = std::move(record);
    };
    try {
        guard_signals([&] { parallel_for(seeds, allocation.at_once, run); });
    } catch (const engine::Interrupted&) {
        throw shared.interrupted();
    }
    result.ensemble.at_once = allocation.at_once;
    result.ensemble.wall_s = shared.elapsed().count();
    result.ensemble.cpu_s = std::accumulate(cpu_s.begin(), cpu_s.end(), 0.0);
    return result;
}

}  // namespace warpfront::tools
