// Several seeds of one experiment by the event engine, as the independent runs of event_runs.hpp. Times are listed by
// seed, and the record is that of the first seed.
#pragma once

#include <cstdint>

#include "simulator/engine/engine.hpp"
#include "simulator/results/ensemble.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/runs/event_runs.hpp"
#include "tools/runs/progress.hpp"

namespace warpfront::tools {

struct SeedsRun {
    record::Record first;  // of the first seed
    results::Ensemble ensemble;
};

/// Runs `seeds` seeds from that of `options` on, on all threads of `options` together, and reports progress. Throws
/// what run_events throws.
SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode);

}  // namespace warpfront::tools
