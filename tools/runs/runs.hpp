// Runs on this computer: one experiment by any engine, or many by the event engine. Each is refused where it needs more
// memory than there is, reports its progress, and stops after Ctrl-C.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "simulator/engine/engine.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/random.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/prediction/engines.hpp"
#include "tools/runs/progress.hpp"

namespace warpfront::tools {

/// With a monitor in `options` nothing is reported; that one says whether the run goes on.
/// Throws what `predict` throws, BadInput if the run needs more memory than is available, engine::Interrupted.
Prediction predict_with_progress(Engine engine, const Experiment& prepared, engine::Options options, ProgressMode mode);

// Runs of the event engine, several at a time. Runs are independent, so threads first go to runs in parallel, as many
// as threads, runs and memory permit; the runs share further threads evenly. Programs and machines are read by all runs
// and written by none. What a run yields does not depend on this; if several fail, the failure of the first in the list
// is reported (parallel_for.hpp).

/// The division of threads among runs.
struct ThreadAllocation {
    unsigned at_once = 1;       // parallel runs
    unsigned threads_each = 1;  // of a run
    friend bool operator==(const ThreadAllocation&, const ThreadAllocation&) = default;
};

/// For `threads` and `runs`, both at least 1. A run on `threads` threads takes `memory_of(threads)`; if not even one
/// fits, runs are one at a time.
ThreadAllocation allocate_threads(unsigned threads, std::uint32_t runs, Bytes available,
                                  const std::function<Bytes(unsigned threads)>& memory_of);

/// One run: of `experiment`, which must outlive it, with a seed of its own.
struct EventRun {
    const Experiment* experiment = nullptr;
    Seed seed;
};

/// How a list of runs was run.
struct EventRuns {
    unsigned at_once = 1;
    double wall_s = 0.0;  // from the start of the first to the end of the last
};

/// Receives what run `number` yields, on any thread, each number once.
using EventSink = std::function<void(std::uint32_t number, Prediction prediction)>;

/// Runs all of `runs` on all threads of `options` together, and reports progress; noise and seed of `options` are not
/// used. `kept` is what `sink` keeps in memory. Throws what a single run throws (engines.hpp), BadInput if one does not
/// fit into memory, engine::Interrupted after Ctrl-C.
EventRuns run_events(std::span<const EventRun> runs, const engine::Options& options, Bytes kept, ProgressMode mode,
                     const EventSink& sink);

}  // namespace warpfront::tools
