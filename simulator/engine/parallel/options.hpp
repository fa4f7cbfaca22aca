// How a run is done. Of these only noise and seed decide the result; the others say how fast it is there, and what is
// recorded beside it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/engine/parallel/progress_monitor.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/timeline.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

/// full: every event is replayed. auto_: once the machine's state at the end of an iteration equals that of an earlier
/// one up to a shift in time, the rest of that loop is known and skipped; every time is the same to the picosecond.
/// Noise that does not recur leaves nothing to skip: then all is replayed.
enum class Replay : std::uint8_t { auto_, full };

struct Options {
    Replay replay = Replay::auto_;
    unsigned threads = 1;  // more than the machine has nodes are of no use
    variation::Noise noise{};
    Seed seed{};  // of all that is random in `noise`
    /// Noise and seed of each job of a program with jobs, in place of the two above; empty: none has noise.
    std::vector<variation::JobNoise> noise_of_jobs{};
    ProgressMonitor* monitor = nullptr;                // receives progress, may stop the run
    bool path = false;                                 // the critical path is found: on one thread
    std::optional<record::TimelineWindow> timeline{};  // what some ranks do is recorded
    std::optional<Bytes> queue_memory{};  // that queued messages may take beyond the estimate; none: all there is
};

/// Every block takes its nominal time.
inline bool noise_off(const Options& options) {
    return options.noise.off() && std::all_of(options.noise_of_jobs.begin(), options.noise_of_jobs.end(),
                                              [](const variation::JobNoise& each) { return each.noise.off(); });
}

/// Whether what the ranks do can recur: neither noise that varies, nor messages that are taken as they come, nor
/// several jobs, whose iterations have nothing in common.
inline bool recurs(const program::Program& program, const Options& options) {
    return options.noise.recurs() && program.jobs.empty() && !program::has_choices(program);
}

}  // namespace warpfront::engine
