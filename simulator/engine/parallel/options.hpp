// How a run is done. Of these only noise and seed decide the result; the others say how fast it is there, and what is
// recorded beside it.
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

/// full: every event is replayed. auto_: once the machine's state at the end of an iteration equals that of an earlier
/// one up to a shift in time, the rest of that loop is known and skipped; every time is the same to the picosecond.
/// Noise that does not recur leaves nothing to skip: then all is replayed.
enum class Replay : std::uint8_t { auto_, full };

struct Options {
    Replay replay = Replay::auto_;
    unsigned threads = 1;  // more than the machine has nodes are of no use
    variation::Noise noise{};
    Seed seed{};                                       // of all that is random in `noise`
    ProgressMonitor* monitor = nullptr;                // receives progress, may stop the run
    bool path = false;                                 // the critical path is found: on one thread
    std::optional<record::TimelineWindow> timeline{};  // what some ranks do is recorded
    std::optional<Bytes> queue_memory{};  // that queued messages may take beyond the estimate; none: all there is
};

/// Whether what the ranks do can recur: neither noise that varies nor messages that are taken as they come.
inline bool recurs(const program::Program& program, const Options& options) {
    return options.noise.recurs() && !program::has_choices(program);
}

}  // namespace warpfront::engine
