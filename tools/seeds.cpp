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

/// What the runs, each on its own thread, have in common while they go on.
class Together {
public:
    Together(std::uint32_t runs, ProgressMode telling) : progress_(runs), teller_(telling) {}

    void report(std::uint32_t number, const engine::Progress& progress) {
        const std::lock_guard hold(mutex_);
        progress_.report(number, progress);
        tell();
    }

    void end(std::uint32_t number, const record::Work& work) {
        const std::lock_guard hold(mutex_);
        progress_.end(number, work);
        tell();
    }

    Seconds elapsed() const { return std::chrono::steady_clock::now() - began_; }

    engine::Interrupted interrupted() const {
        return engine::Interrupted(
            fmt::format("interrupted after {:.1f} s, {}", elapsed().count(), progress_.runs_done()));
    }

private:
    void tell() {
        const Seconds now = elapsed();
        teller_.tell(now, [&] { return progress_.describe(now); });
    }

    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    JointProgress progress_;
    ProgressTeller teller_;
};

record::Record run_one(const Experiment& prepared, engine::Options options, std::uint32_t number, const Wanted& wanted,
                       Together& together) {
    end_if_interrupted();  // a run may be over before it asks
    ProgressMonitor monitor([&](const engine::Progress& progress) {
        together.report(number, progress);
        return interrupted() || !wanted() ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
    });
    options.seed.value += number;
    options.monitor = &monitor;
    record::Record record = predict(Engine::event, prepared, options).record;
    together.end(number, *record.work);
    return record;
}

}  // namespace

ThreadAllocation share_out(unsigned threads, std::uint32_t seeds, Bytes available,
                           const std::function<Bytes(unsigned threads)>& memory_of) {
    unsigned at_once = std::min(threads, seeds);
    while (at_once > 1) {
        const std::int64_t fitting = available.count / memory_of(threads / at_once).count;
        if (fitting >= at_once) break;
        at_once = std::max(static_cast<unsigned>(fitting), 1U);
    }
    return {at_once, threads / at_once};
}

SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds,
                   ProgressMode telling) {
    const auto on_threads = [&options](unsigned threads) {
        engine::Options of_one = options;
        of_one.threads = threads;
        return of_one;
    };
    const auto memory_of = [&](unsigned threads) { return memory_of_run(prepared, on_threads(threads)); };
    const Bytes available = available_memory();
    const Bytes kept = memory_of_record(prepared);  // of the first seed, while others go on
    const Bytes to_share{std::max<std::int64_t>(available.count - kept.count, 0)};
    const ThreadAllocation sharing = share_out(options.threads, seeds, to_share, memory_of);
    const Bytes needed{memory_of(sharing.threads_each).count + kept.count};
    refuse_beyond(available, needed, prepared.scenario.grid_range);

    engine::Options of_one = on_threads(sharing.threads_each);
    const Bytes each{to_share.count / sharing.at_once};
    of_one.queue_memory = memory_for_queues(each, memory_of(sharing.threads_each));
    SeedsRun answer{{}, {options.seed, std::vector<WideTime>(seeds)}};
    std::vector<double> cpu_s(seeds);
    Together together(seeds, telling);
    const auto run = [&](std::uint32_t number, const Wanted& wanted) {
        record::Record record = run_one(prepared, of_one, number, wanted, together);
        answer.ensemble.times[number] = record.finish;
        cpu_s[number] = record.work->cpu_s;
        if (number == 0) answer.first = std::move(record);
    };
    try {
        guard_signals([&] { parallel_for(seeds, sharing.at_once, run); });
    } catch (const engine::Interrupted&) {
        throw together.interrupted();
    }
    answer.ensemble.at_once = sharing.at_once;
    answer.ensemble.wall_s = together.elapsed().count();
    answer.ensemble.cpu_s = std::accumulate(cpu_s.begin(), cpu_s.end(), 0.0);
    return answer;
}

}  // namespace warpfront::tools
