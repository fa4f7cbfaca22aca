// The options of a run. Only noise and seed affect the result; the others affect the speed and the recorded data.
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

/// full: every event is simulated. auto_: once the machine's state at the end of an iteration equals that of an earlier
/// one up to a shift in time, the rest of that loop is determined and skipped; every time is the same to the
/// picosecond. With noise that does not recur nothing can be skipped: all is simulated.
enum class Replay : std::uint8_t { auto_, full };

struct Options {
    Replay replay = Replay::auto_;
    unsigned threads = 1;  // more threads than nodes have no effect
    variation::Noise noise{};
    Seed seed{};  // of all that is random in `noise`
    /// Noise and seed of each job of a program with jobs, in place of the two above; empty: none has noise.
    std::vector<variation::JobNoise> noise_of_jobs{};
    ProgressMonitor* monitor = nullptr;                // receives progress, may stop the run
    bool path = false;                                 // requests the critical path: on one thread
    std::optional<record::TimelineWindow> timeline{};  // requests the timeline of some ranks
    /// Limit of the memory for queued messages, in addition to the estimate; empty: no limit.
    std::optional<Bytes> queue_memory{};
};

/// Every block takes its nominal time.
inline bool noise_off(const Options& options) {
    return options.noise.off() && std::all_of(options.noise_of_jobs.begin(), options.noise_of_jobs.end(),
                                              [](const variation::JobNoise& each) { return each.noise.off(); });
}

/// Returns whether iterations can repeat: there is no noise that varies, no messages are taken as they come, and there
/// is only one job, since the iterations of several jobs are unrelated.
inline bool recurs(const program::Program& program, const Options& options) {
    return options.noise.recurs() && program.jobs.empty() && !program::has_choices(program);
}

}  // namespace warpfront::engine
