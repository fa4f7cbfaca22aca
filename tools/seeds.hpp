// Several seeds of one experiment by the event engine. Seeds are independent runs of one program on one machine, so
// threads first run seeds in parallel, as many as threads, seeds and memory permit; the runs share further threads
// evenly. Program and machine are read by all runs and written by none.
//
// The result does not depend on this: times are listed by seed, and the record is that of the first seed. If several
// seeds fail, the failure of the lowest one is reported (parallel_for.hpp).
#pragma once

#include <cstdint>
#include <functional>

#include "simulator/engine/engine.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/experiment.hpp"
#include "tools/progress.hpp"

namespace warpfront::tools {

/// The division of threads among runs.
struct ThreadAllocation {
    unsigned at_once = 1;       // parallel runs
    unsigned threads_each = 1;  // of a run
    friend bool operator==(const ThreadAllocation&, const ThreadAllocation&) = default;
};

/// For `threads` and `seeds`, both at least 1. A run on `threads` threads takes `memory_of(threads)`; if not even one
/// fits, runs are one at a time.
ThreadAllocation allocate_threads(unsigned threads, std::uint32_t seeds, Bytes available,
                                  const std::function<Bytes(unsigned threads)>& memory_of);

struct SeedsRun {
    record::Record first;  // of the first seed
    results::Ensemble ensemble;
};

/// Runs `seeds` seeds from that of `options` on, on all threads of `options` together, and reports progress. Throws
/// what a single run throws (engines.hpp), BadInput if one does not fit into memory, engine::Interrupted after Ctrl-C.
SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode);

}  // namespace warpfront::tools
