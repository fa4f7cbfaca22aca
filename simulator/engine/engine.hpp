// The event engine: steps every rank's program through virtual time on a machine.
//
// See simulator/engine/README.md for clocks, event order, windows and skip-ahead.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulator/engine/noise.hpp"
#include "simulator/engine/record.hpp"
#include "simulator/engine/watch.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::engine {

/// full: every event is replayed. auto_: once the machine's state at the end of an iteration equals that of an earlier
/// one up to a shift in time, the rest of that loop is known and skipped; every time is the same to the picosecond.
/// Noise that does not recur leaves nothing to skip: then all is replayed.
enum class Replay : std::uint8_t { auto_, full };

struct Options {
    Replay replay = Replay::auto_;
    unsigned threads = 1;  // more than the machine has nodes are of no use
    Noise noise{};
    Seed seed{};  // of all that is random in `noise`
    Watch* watch = nullptr;  // told of progress, may stop the run
};

/// The model can go no further: every unfinished rank waits. `blocked` holds them all, by rank; results/ tells the
/// cycle. Exit status 1.
class Deadlock : public std::runtime_error {
public:
    explicit Deadlock(std::vector<Blocked> ranks);
    const std::vector<Blocked>& blocked() const { return blocked_; }

private:
    std::vector<Blocked> blocked_;
};

/// Virtual time left its range during the run. Exit status 1.
class TimeOverflow : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Runs the whole program; the result depends on program, machine, noise and seed alone. Throws Interrupted where the
/// watch says so.
Record run(const program::Program& program, const machine::Machine& machine, const Options& options);

}  // namespace warpfront::engine
