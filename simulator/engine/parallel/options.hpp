// The options of a run. Only noise and seed affect the result; the others affect the speed and the recorded data.
#pragma once

#include <cstdint>
#include <optional>

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
    Seed seed{};                                       // of all that is random in `noise`
    ProgressMonitor* monitor = nullptr;                // receives progress, may stop the run
    bool path = false;                                 // requests the critical path: on one thread
    std::optional<record::TimelineWindow> timeline{};  // requests the timeline of some ranks
    std::optional<Bytes> queue_memory{};               // for queued messages beyond the estimate; none: all memory
};

/// Returns true if the run can recur: it has neither noise that varies nor messages that are taken in the order of
/// arrival.
inline bool recurs(const program::Program& program, const Options& options) {
    return options.noise.recurs() && !program::has_choices(program);
}

}  // namespace warpfront::engine
