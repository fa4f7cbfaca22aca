// Observes a running simulation: reports its progress, and stops it on request.
//
// Protocol: the engine's coordinating thread calls `poll` repeatedly, with a function that computes the progress. Every
// kPollsPerClock-th call reads the clock. If `interval` has passed since the last report, this call reports the
// progress. The report function decides whether the run continues. If not, `poll` throws Interrupted. The reports
// depend on the wall clock, but the result of the run does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The progress of a run, counted in units. A unit is a message, including messages of collectives, or a place of a
/// task list.
struct Progress {
    WideTime simulated{};        // virtual time reached so far
    std::uint64_t stepped = 0;   // units that have been simulated
    std::uint64_t skipped = 0;   // units in skipped iterations
    std::uint64_t all = 0;       // units in the whole run
    std::uint64_t expected = 0;  // units that are expected to be simulated (estimate.hpp)
    std::string_view unit = "messages";
    std::chrono::duration<double> elapsed{};  // wall time since the monitor began; the monitor sets it

    /// Returns how many units are left.
    std::uint64_t left() const;
    /// Returns how many of the remaining units are expected to be simulated. If more units than expected have already
    /// been simulated, no further skipping is assumed.
    std::uint64_t left_to_step() const;
    /// Returns the share of units that are done, simulated or skipped, from 0 to 1. Returns 0 for a model without
    /// units.
    double done() const;
};

/// An exception for a run that was stopped from outside. what() contains the virtual time and the progress.
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

    /// Counts a call, and reports the progress if it is due. `progress()` computes the Progress; it is called only for
    /// a report.
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
