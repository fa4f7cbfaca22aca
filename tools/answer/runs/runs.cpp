#include "tools/answer/runs/runs.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tools/answer/runs/interrupt.hpp"

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

RunPool::RunPool(const PoolRequest& request)
    : request_(request),
      threads_(std::max(1U, request.threads)),
      most_at_once_(std::clamp(request.runs, 1U, threads_)),
      at_once_(most_at_once_),
      memory_({std::max<std::int64_t>(available_memory().count / request.processes - request.kept.count, 0)}),
      progress_(request.runs, request.unit, request.mode) {}

Prediction RunPool::Run::predict(Engine engine, const Experiment& experiment, engine::Options options) {
    using engine::ProgressMonitor;
    end_if_interrupted();  // a run may finish before its monitor is called
    const double before = static_cast<double>(predicted_++);
    if (engine != Engine::event) return tools::predict(engine, experiment, options);
    const auto memory_on = [&](unsigned threads) {
        options.threads = options.path ? 1 : threads;
        return memory_of_run(experiment, options);
    };
    const Bytes available = pool_.memory_.available();
    const ThreadAllocation allocation = allocate_threads(pool_.threads_, pool_.most_at_once_, available, memory_on);
    for (unsigned least = pool_.at_once_; allocation.at_once < least;) {
        if (pool_.at_once_.compare_exchange_weak(least, allocation.at_once)) break;
    }
    const Bytes needed = memory_on(allocation.threads_each);
    const MemoryBudget::Share held = pool_.memory_.take(needed, experiment.scenario.grid_range);
    options.queue_memory = memory_for_queues({available.count / allocation.at_once}, needed);
    ProgressMonitor monitor([&](const engine::Progress& progress) {
        const double of_all = static_cast<double>(std::max(predictions_, predicted_));
        pool_.progress_.report(number_, (before + progress.done()) / of_all);
        const bool stops = interrupted() || !wanted_() || (pool_.request_.stop && pool_.request_.stop());
        return stops ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
    });
    options.monitor = &monitor;
    return tools::predict(engine, experiment, options);
}

void RunPool::for_each(const std::function<void(Run& run)>& act) {
    try {
        guard_signals([&] {
            parallel_for(request_.runs, most_at_once_, [&](std::uint32_t number, const Wanted& wanted) {
                Run run(*this, number, wanted);
                act(run);
            });
        });
    } catch (const engine::Interrupted&) {
        throw engine::Interrupted(
            fmt::format("interrupted after {:.1f} s, {}{}", elapsed_s(), progress_.done(), request_.remedy));
    }
}

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Keeps the failure of the lowest run that has failed so far.
class Failure {
public:
    bool is_wanted(std::uint32_t number) const { return number < lowest_; }

    void record(std::uint32_t number, std::exception_ptr thrown) {
        const std::lock_guard hold(mutex_);
        if (number >= lowest_) return;
        lowest_ = number;
        thrown_ = std::move(thrown);
    }

    void raise() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    std::atomic<std::uint32_t> lowest_ = kNone;
    std::exception_ptr thrown_;
    std::mutex mutex_;
};

}  // namespace

void parallel_for(std::uint32_t runs, unsigned at_once,
                  const std::function<void(std::uint32_t number, const Wanted& wanted)>& run) {
    Failure failure;
    std::atomic<std::uint64_t> next = 0;
    const auto run_next = [&] {
        for (std::uint64_t taken = next++; taken < runs; taken = next++) {
            const auto number = static_cast<std::uint32_t>(taken);
            if (!failure.is_wanted(number)) return;
            try {
                run(number, [&failure, number] { return failure.is_wanted(number); });
            } catch (...) {
                failure.record(number, std::current_exception());
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned thread = 1; thread < std::min<std::uint32_t>(at_once, runs); ++thread) {
            others.emplace_back(run_next);
        }
        run_next();
    }
    failure.raise();
}

}  // namespace warpfront::tools
