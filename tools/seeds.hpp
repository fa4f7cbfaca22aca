// Many seeds of one case by the event engine. Seeds are independent runs of one program on one machine, so the threads
// go to them first: as many run side by side as there are threads, seeds, and memory for; what is left of the threads
// over one for each goes into the runs, evenly. Program and machine are read by all and written by none.
//
// The answer depends on none of this: the times stand by seed, and the record is the first seed's. Of several faults
// that of the lowest seed is told (parallel_for.hpp).
#pragma once

#include <cstdint>
#include <functional>

#include "simulator/engine/engine.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/experiment.hpp"
#include "tools/progress.hpp"

namespace warpfront::tools {

/// How threads are shared out over runs.
struct ThreadAllocation {
    unsigned at_once = 1;       // runs side by side
    unsigned threads_each = 1;  // of a run
    friend bool operator==(const ThreadAllocation&, const ThreadAllocation&) = default;
};

/// Of `threads` and `seeds`, both at least 1. A run on so many threads takes `memory_of(threads)`; where not even one
/// fits they are one at a time.
ThreadAllocation share_out(unsigned threads, std::uint32_t seeds, Bytes available,
                           const std::function<Bytes(unsigned threads)>& memory_of);

struct SeedsRun {
    record::Record first;  // the whole answer of the first seed
    results::Ensemble ensemble;
};

/// Runs `seeds` seeds from that of `options` on, on the threads of `options` altogether, progress told. Throws what a
/// single run throws (engines.hpp), BadInput where one does not fit into memory, engine::Interrupted after Ctrl-C.
SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds,
                   ProgressMode telling);

}  // namespace warpfront::tools
