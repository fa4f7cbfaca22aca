// Observation of a running simulation: its progress, and requests to stop it.
//
// Protocol: the engine's coordinating thread calls `poll` after a number of windows, with a function that computes the
// progress. Each poll increments a counter, and every kPollsPerClock-th poll reads the clock. If `interval` has passed
// since the last report, this poll reports the progress. The report function returns a decision; if the decision is to
// stop, `poll` throws Interrupted. The reports depend on the wall clock, the result of the run does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The progress of a run, counted in units. The units are messages, including messages of collectives, or the places of
/// task lists.
struct Progress {
    WideTime simulated{};        // virtual time reached so far
    std::uint64_t stepped = 0;   // units simulated one by one
    std::uint64_t skipped = 0;   // units of iterations that were skipped
    std::uint64_t all = 0;       // units of the whole run
    std::uint64_t expected = 0;  // units of the iterations that will be simulated: estimate.hpp
    std::string_view unit = "messages";
    std::chrono::duration<double> elapsed{};  // wall time since the monitor began; filled in by the monitor

    /// Returns the units that are neither simulated nor skipped.
    std::uint64_t left() const;
    /// Returns the remaining units that will be simulated. Once more units were simulated than expected, no further
    /// skipping is assumed.
    std::uint64_t left_to_step() const;
    /// Returns the share of the units that are simulated or skipped, from 0 to 1; 0 for a model without units.
    double done() const;
};

/// An exception for a run that was stopped from outside; what() states the virtual time and the progress.
class Interrupted : public std::runtime_error {
public:
    explicit Interrupted(const Progress& progress);
    explicit Interrupted(const std::string& what) : std::runtime_error(what) {}
};

class ProgressMonitor {
public:
    enum class Decision : std::uint8_t { go_on, stop };
    using Report = std::function<Decision(const Progress&)>;
    using Clock = std::chrono::steady_clock;

    static constexpr std::uint32_t kPollsPerClock = 16;
    static constexpr Clock::duration kInterval = std::chrono::milliseconds(100);

    explicit ProgressMonitor(Report report, Clock::duration interval = kInterval);

    /// Polls; `progress()` computes the Progress and is called only when a report is due.
    template <typename Compute>
    void poll(const Compute& progress) {
        if (++polls_ % kPollsPerClock != 0) return;
        const Clock::time_point now = Clock::now();
        if (now >= next_) report(progress(), now);
    }

private:
    void report(Progress progress, Clock::time_point now);

    Report report_;
    Clock::duration interval_;
    Clock::time_point began_;
    Clock::time_point next_;
    std::uint32_t polls_ = 0;
};

}  // namespace warpfront::engine
