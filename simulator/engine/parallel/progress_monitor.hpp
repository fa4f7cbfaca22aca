// A run seen from outside while it goes on: how far it is, and whether it is to stop.
//
// Protocol: the engine's coordinating thread calls `poll` once every so many windows, with a function that
// computes the progress.
// A poll is a count; every kPollsPerClock-th reads the clock, and when `interval` has passed since the last report the
// progress is reported. The answer says whether the run goes on; if not, `poll` throws Interrupted. What is reported
// depends on the wall clock, what the run computes does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// Messages of collectives count like any others.
struct Progress {
    WideTime simulated{};                     // how far virtual time has come
    std::uint64_t stepped = 0;                // messages stepped through one by one
    std::uint64_t skipped = 0;                // messages of iterations that were skipped
    std::uint64_t messages = 0;               // of the whole run
    std::uint64_t expected = 0;               // messages of the iterations that will be stepped: estimate.hpp
    std::string_view unit = "messages";       // or what is counted in their place
    std::chrono::duration<double> elapsed{};  // wall time since the watch began; filled in by the watch

    /// Messages that are neither stepped nor skipped.
    std::uint64_t left() const;
    /// The messages left that will be stepped. Once more were stepped than expected none is taken to be skipped.
    std::uint64_t left_to_step() const;
    /// Share of the messages done, 0 to 1; of a model without messages 0.
    double done() const;
};

/// The run was stopped from outside; what() says when and how far it was.
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

    /// `progress()` computes the Progress; it is called only when a report is due.
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
