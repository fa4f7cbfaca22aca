// Runs on this host: one experiment with any engine, or many with the event engine. Each is refused if it needs more
// memory than is available, reports its progress, and stops after Ctrl-C.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "simulator/engine/engine.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/random.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

/// Runs an engine. A monitor in `options` replaces the reports, and decides whether the run continues. Throws the
/// exceptions of `predict`, BadInput if the run needs more memory than is available, engine::Interrupted.
Prediction predict_with_progress(Engine engine, const Experiment& prepared, engine::Options options, ProgressMode mode);

// Runs of the event engine, several at a time. Runs are independent, so threads first go to parallel runs, as many as
// threads, runs and memory permit; the runs share further threads evenly. All runs read programs and machines, and none
// writes them. The result of a run does not depend on this. If several fail, the failure of the first in the list is
// reported (parallel_for.hpp).

/// The division of threads among runs.
struct ThreadAllocation {
    unsigned at_once = 1;       // parallel runs
    unsigned threads_each = 1;  // of a run
    friend bool operator==(const ThreadAllocation&, const ThreadAllocation&) = default;
};

/// Divides `threads` among `runs`, both at least 1. A run on `threads` threads takes `memory_of(threads)`; if not even
/// one fits, there is one run at a time.
ThreadAllocation allocate_threads(unsigned threads, std::uint32_t runs, Bytes available,
                                  const std::function<Bytes(unsigned threads)>& memory_of);

/// One run of `experiment`, which must outlive it, with its own seed.
struct EventRun {
    const Experiment* experiment = nullptr;
    Seed seed;
};

/// The times and threads of a list of runs.
struct EventRuns {
    unsigned at_once = 1;
    double wall_s = 0.0;  // from the start of the first to the end of the last
};

/// A function that receives the result of run `number`, on any thread, each number once.
using EventSink = std::function<void(std::uint32_t number, Prediction prediction)>;

/// Runs all of `runs` on all threads of `options` together, and reports progress; noise and seed of `options` are not
/// used. `kept` is the memory of the data that `sink` keeps. Throws the exceptions of a single run (engines.hpp),
/// BadInput if one does not fit into memory, engine::Interrupted after Ctrl-C.
EventRuns run_events(std::span<const EventRun> runs, const engine::Options& options, Bytes kept, ProgressMode mode,
                     const EventSink& sink);

}  // namespace warpfront::tools
