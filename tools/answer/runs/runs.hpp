// Runs on this host: one experiment with any engine, or many with the event engine. A run that needs more memory than
// is available is an error. Each run reports its progress and stops after Ctrl-C.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "simulator/engine/engine.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/memory.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

// Independent runs, several at a time, each on one thread.
//
// Runs begin in the order of their numbers, each as soon as a thread is free. The exception that is thrown does not
// depend on the speed of threads. If run k throws, later runs are cancelled: those that have not begun never begin, and
// active ones may stop. All earlier runs are completed. The exception of the lowest failed run is thrown again.
//
// Runs must not share data that one of them writes. Each stores its result separately, so the order in which they end
// has no effect.

/// Returns true as long as the result of a run is needed, because no earlier run has failed. If it returns false, the
/// run may end at any point, and its exception is ignored.
using Wanted = std::function<bool()>;

/// Calls `run(number, wanted)` for the numbers 0 to `runs` - 1, at most `at_once` at a time. One of them runs on the
/// caller's thread. Returns when all have ended.
void parallel_for(std::uint32_t runs, unsigned at_once,
                  const std::function<void(std::uint32_t number, const Wanted& wanted)>& run);

/// Runs an engine. A monitor in `options` replaces the progress reports, and decides whether the run continues. Throws
/// the exceptions of `predict`, BadInput if the run needs more memory than is available, and engine::Interrupted.
Prediction predict_with_progress(Engine engine, const Experiment& prepared, engine::Options options, ProgressMode mode);

// Many independent runs. As many of them are active at a time as threads and memory permit. If there are more threads
// than runs, the runs share them evenly. Runs only read programs and machines. So the result of a run does not depend
// on other runs. If several runs fail, the failure of the first one in the list is reported.

/// The division of threads among runs.
struct ThreadAllocation {
    unsigned at_once = 1;       // number of parallel runs
    unsigned threads_each = 1;  // number of threads of a run
    friend bool operator==(const ThreadAllocation&, const ThreadAllocation&) = default;
};

/// Divides `threads` among `runs`; both are at least 1. A run on n threads needs the memory `memory_of(n)`. If not even
/// one run fits, there is one run at a time.
ThreadAllocation allocate_threads(unsigned threads, std::uint32_t runs, Bytes available,
                                  const std::function<Bytes(unsigned threads)>& memory_of);

struct PoolRequest {
    std::uint32_t runs = 1;
    unsigned threads = 1;           // number of threads for all runs together
    unsigned processes = 1;         // number of processes that share the memory of this host
    Bytes kept{};                   // memory of the data that results keep
    std::string_view unit = "run";  // noun for one run in messages
    std::string_view remedy = "";   // end of the message after an interruption
    std::function<bool()> stop{};   // returns true to stop all runs, like Ctrl-C; all threads call it
    ProgressMode mode = ProgressMode::nothing;
};

/// A set of runs with the numbers from 0 to `runs` - 1.
class RunPool {
public:
    explicit RunPool(const PoolRequest& request);

    /// One run. It has its own thread.
    class Run {
    public:
        Run(RunPool& pool, std::uint32_t number, const Wanted& wanted)
            : pool_(pool), number_(number), wanted_(wanted) {}

        std::uint32_t number() const { return number_; }
        /// Declares of how many predictions the run consists, for its progress. The default is one.
        void expect(std::size_t predictions) { predictions_ = predictions; }
        /// Predicts with an engine. The event engine waits for memory, uses the threads of a run, reports progress, and
        /// stops after Ctrl-C or an earlier failure. Throws the exceptions of `predict`, BadInput if the run can never
        /// fit into memory, and engine::Interrupted.
        Prediction predict(Engine engine, const Experiment& experiment, engine::Options options);
        /// Reports the end of the run. `found` is true if the result already existed.
        void end(bool found = false) { pool_.progress_.end(number_, found); }

    private:
        RunPool& pool_;
        std::uint32_t number_;
        const Wanted& wanted_;
        std::size_t predictions_ = 1;
        std::size_t predicted_ = 0;
    };

    /// Calls `act` for each run. Throws the first failure, or engine::Interrupted after Ctrl-C with the number of
    /// completed runs.
    void for_each(const std::function<void(Run& run)>& act);

    /// Returns how many runs could be active at once with the available memory.
    unsigned at_once() const { return at_once_; }
    double elapsed_s() const { return progress_.elapsed().count(); }

private:
    const PoolRequest request_;
    const unsigned threads_;
    const unsigned most_at_once_;
    std::atomic<unsigned> at_once_;  // number of runs at a time; the least over all runs
    MemoryBudget memory_;
    JointProgress progress_;
};

}  // namespace warpfront::tools
