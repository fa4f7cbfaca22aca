// The options of a run. Only noise and seed affect the result. The other options affect the speed and the recorded
// data.
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

/// The treatment of repeated iterations. `full` simulates every event. `auto_` compares the machine's state at the ends
/// of iterations. If it equals an earlier state, up to a shift in time, the rest of the loop is determined and is
/// skipped. Both give the same times, to the picosecond. If noise does not recur, `auto_` skips nothing.
enum class Replay : std::uint8_t { auto_, full };

struct Options {
    Replay replay = Replay::auto_;
    unsigned threads = 1;  // number of threads; at most one per node is used
    variation::Noise noise{};
    Seed seed{};  // seed of all random numbers of `noise`
    /// Noise and seed of each job. A program with jobs uses these instead of `noise` and `seed`. If empty, no job has
    /// noise.
    std::vector<variation::JobNoise> noise_of_jobs{};
    ProgressMonitor* monitor = nullptr;                // receives the progress and may stop the run
    bool path = false;                                 // true requests the critical path; the run then uses one thread
    std::optional<record::TimelineWindow> timeline{};  // if set, requests the timeline of these ranks and times
    /// Limit of the memory for queued messages, in addition to the estimated memory. Empty if there is no limit.
    std::optional<Bytes> queue_memory{};

    /// Returns the number of iterations after which the draws of noise repeat, at least 1.
    std::int64_t draws_repeat_after() const { return std::max(noise.repeats_after, std::int64_t{1}); }
};

/// Returns true if every block takes its nominal time.
inline bool noise_off(const Options& options) {
    return options.noise.off() && std::all_of(options.noise_of_jobs.begin(), options.noise_of_jobs.end(),
                                              [](const variation::JobNoise& each) { return each.noise.off(); });
}

/// Returns true if iterations can recur. There are three conditions: noise is off or recurs, no messages are taken in
/// the order of arrival, and there is only one job, since the iterations of several jobs are unrelated.
inline bool recurs(const program::Program& program, const Options& options) {
    return options.noise.recurs() && program.jobs.empty() && !program::has_choices(program);
}

}  // namespace warpfront::engine
