// Runs on this host: one experiment with any engine, or many with the event engine. Each is refused if it needs more
// memory than is available, reports its progress, and stops after Ctrl-C.
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
// depend on the speed of threads: if run k throws, later runs are cancelled (those not begun never begin, active ones
// may stop), and all earlier runs complete. The exception of the lowest failed run is rethrown.
//
// Runs must not share anything that one of them writes. Each stores its result separately, so the order in which they
// end is irrelevant.

/// A function that returns true as long as the result of a run is needed, because no earlier run has failed. Else the
/// run may end at any point; its exception is ignored.
using Wanted = std::function<bool()>;

/// Runs `run(number, wanted)` for the numbers 0 to `runs` - 1, at most `at_once` at a time, one of them on the
/// caller's thread. Returns once all have ended.
void parallel_for(std::uint32_t runs, unsigned at_once,
                  const std::function<void(std::uint32_t number, const Wanted& wanted)>& run);

/// Runs an engine. A monitor in `options` replaces the reports, and decides whether the run continues. Throws the
/// exceptions of `predict`, BadInput if the run needs more memory than is available, engine::Interrupted.
Prediction predict_with_progress(Engine engine, const Experiment& prepared, engine::Options options, ProgressMode mode);

// Many independent runs side by side. As many runs as threads and memory permit are active at a time. They share the
// remaining threads evenly. All runs read programs and machines, and none writes them. The result of a run
// does not depend on this. If several fail, the failure of the first in the list is reported.

/// The division of threads among runs.
struct ThreadAllocation {
    unsigned at_once = 1;       // number of parallel runs
    unsigned threads_each = 1;  // number of threads of a run
    friend bool operator==(const ThreadAllocation&, const ThreadAllocation&) = default;
};

/// Divides `threads` among `runs`, both at least 1. A run on `threads` threads takes `memory_of(threads)`; if not even
/// one fits, there is one run at a time.
ThreadAllocation allocate_threads(unsigned threads, std::uint32_t runs, Bytes available,
                                  const std::function<Bytes(unsigned threads)>& memory_of);

struct PoolRequest {
    std::uint32_t runs = 1;
    unsigned threads = 1;           // number for all runs together
    unsigned processes = 1;         // number that share the memory of this host
    Bytes kept{};                   // memory of the data that results keep
    std::string_view unit = "run";  // noun for one run in messages
    std::string_view remedy = "";   // end of the message of an interruption
    std::function<bool()> stop{};   // returns true to stop all runs, as Ctrl-C does; called by all threads
    ProgressMode mode = ProgressMode::nothing;
};

/// Runs with the numbers from 0 to `runs` - 1.
class RunPool {
public:
    explicit RunPool(const PoolRequest& request);

    /// One run, on its own thread.
    class Run {
    public:
        Run(RunPool& pool, std::uint32_t number, const Wanted& wanted)
            : pool_(pool), number_(number), wanted_(wanted) {}

        std::uint32_t number() const { return number_; }
        /// Declares that the run consists of so many predictions, for its progress; by default of one.
        void expect(std::size_t predictions) { predictions_ = predictions; }
        /// Predicts with an engine. The event engine waits for its memory, gets the threads of a run, reports progress,
        /// and stops after Ctrl-C or an earlier failure. Throws the exceptions of `predict`, BadInput if the run can
        /// never fit into memory, engine::Interrupted.
        Prediction predict(Engine engine, const Experiment& experiment, engine::Options options);
        /// Reports the end; `found` if the result was there before.
        void end(bool found = false) { pool_.progress_.end(number_, found); }

    private:
        RunPool& pool_;
        std::uint32_t number_;
        const Wanted& wanted_;
        std::size_t predictions_ = 1;
        std::size_t predicted_ = 0;
    };

    /// Calls `act` for each run. Throws the first failure; engine::Interrupted after Ctrl-C, with the runs done.
    void for_each(const std::function<void(Run& run)>& act);

    /// Returns the number of parallel runs for which there was memory.
    unsigned at_once() const { return at_once_; }
    double elapsed_s() const { return progress_.elapsed().count(); }

private:
    const PoolRequest request_;
    const unsigned threads_;
    const unsigned most_at_once_;
    std::atomic<unsigned> at_once_;  // number of parallel runs; the least over all runs
    MemoryBudget memory_;
    JointProgress progress_;
};

}  // namespace warpfront::tools
