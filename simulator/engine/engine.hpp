// The event engine: steps every rank's program through virtual time on a machine.
//
// See simulator/engine/README.md for clocks, event order, windows and skip-ahead.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "simulator/engine/progress_monitor.hpp"
#include "simulator/engine/timeline/window.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
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
    Seed seed{};                               // of all that is random in `noise`
    ProgressMonitor* monitor = nullptr;        // receives progress, may stop the run
    bool in_order = false;                     // one request of the machine at a time: what windows are tested against
    bool path = false;                         // the critical path is found: on one thread
    std::optional<TimelineWindow> timeline{};  // what some ranks do is recorded
    std::optional<Bytes> queue_memory{};       // that queued messages may take beyond the estimate; none: all there is
};

/// The model can go no further: every unfinished rank waits. `blocked` holds them all, by rank; results/ prints the
/// cycle. Exit status 1.
class Deadlock : public std::runtime_error {
public:
    explicit Deadlock(std::vector<record::Blocked> ranks);
    const std::vector<record::Blocked>& blocked() const { return blocked_; }

private:
    std::vector<record::Blocked> blocked_;
};

/// Virtual time left its range of 53 days: the clock of `rank`, or the arrival of a message it sent, in the statement
/// `site` (index into Program::sites). Where several ranks get there in one phase, any of them. Exit status 1.
class TimeOverflow : public std::runtime_error {
public:
    TimeOverflow(Rank rank, std::uint16_t site);
    Rank rank() const { return rank_; }
    std::uint16_t site() const { return site_; }

private:
    Rank rank_;
    std::uint16_t site_;
};

/// Messages queue up beyond Options::queue_memory: most of them on one channel, of which the sender is further and
/// further ahead. What was found until then is kept. Exit status 1.
class MemoryExhausted : public std::runtime_error {
public:
    struct Found {
        std::optional<Bytes> limit;  // of all queues; none: there was no limit but the computer's
        Rank from;                   // sends on the channel with most messages queued
        Rank to;
        std::int32_t tag = 0;
        std::uint16_t site = 0;  // of the first statement that sends on it: index into Program::sites
        std::uint64_t queued = 0;
        WideTime simulated;                                         // how far virtual time has come
        std::vector<std::pair<WideTime, std::int64_t>> iterations;  // that have ended, as in record::Record
    };
    explicit MemoryExhausted(Found found);
    const Found& found() const { return found_; }

private:
    Found found_;
};

/// Whether what the ranks do can recur: neither noise that varies nor messages that are taken as they come.
bool recurs(const program::Program& program, const Options& options);

/// Whether the critical path of a run can be found: not where eager messages wait for buffers, nor where ranks take messages as they come.
bool has_critical_path(const program::Program& program, const machine::Machine& machine);

/// Runs the whole program; the result depends on program, machine, noise and seed alone. Throws Interrupted where the
/// watch says so, and Deadlock, TimeOverflow, MemoryExhausted.
record::Record run(const program::Program& program, const machine::Machine& machine, const Options& options);

}  // namespace warpfront::engine
