// The progress of a run, reported on stderr while it runs, if messages of the level info are shown.
//
//   on a terminal   one line, rewritten four times a second and wiped at the end:
//                   1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left
//   off a terminal  the same as a separate message every 30 s, preceded by the elapsed time
//
// Several runs together have another line (JointProgress) at the same intervals.
//
// `messages/s` counts simulated messages over the whole run, including those of collectives. The time left is
// estimated from the number of messages still to be simulated (simulator/engine/estimate.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/parallel/progress_monitor.hpp"

namespace warpfront::tools {

enum class ProgressMode { line, heartbeat, nothing };

/// Returns the mode for stderr and the level of messages.
ProgressMode progress_mode();

/// Formats "14,900,000 messages/s, 0:42 left" from the messages simulated since the beginning and those left to
/// simulate. If more messages are `left`, because iterations are expected to recur: "0:42 left if iterations recur,
/// 7:15 if not". A time of more than a year is not known yet.
std::string pace(std::uint64_t stepped, std::uint64_t left_to_step, std::uint64_t left,
                 std::chrono::duration<double> elapsed, std::string_view unit = "messages");

/// Formats "1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left".
std::string describe(const engine::Progress& progress);

class ProgressReporter {
public:
    using Seconds = std::chrono::duration<double>;
    static constexpr Seconds kBetweenLines{0.25};
    static constexpr Seconds kBetweenHeartbeats{30.0};

    /// Creates a reporter whose line goes to `stream`, truncated to `width`; heartbeats are messages.
    explicit ProgressReporter(ProgressMode mode, std::FILE* stream = stderr, std::size_t width = terminal_width());
    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;
    /// Wipes the line.
    ~ProgressReporter();

    /// Prints the progress if the interval has passed.
    void report(const engine::Progress& progress);
    /// Prints the text of `describe`, which is called only if the interval has passed.
    void report(Seconds elapsed, const std::function<std::string()>& describe);

private:
    static std::size_t terminal_width();
    void rewrite(std::string text);

    ProgressMode mode_;
    std::FILE* stream_;
    std::size_t width_;
    std::size_t shown_ = 0;  // number of characters on the line
    Seconds next_;
};

/// Returns a monitor that reports progress to `reporter` and stops the run after the user has interrupted it.
engine::ProgressMonitor monitor_for(ProgressReporter& reporter);

// The joint progress of several runs, some of them in parallel.
//
//   [########----------------] 34.2 %, 41 of 120 runs done, 0:42 left
//
// All runs have the same weight; a run under way counts by the share that it has done. Runs whose results were found
// count as done, but not for the time left. Several threads may report; the texts are for one thread after them.

class JointProgress {
public:
    using Seconds = ProgressReporter::Seconds;

    /// Creates the progress of so many runs; `unit` names one of them in the text.
    JointProgress(std::size_t runs, std::string_view unit, ProgressMode mode);

    /// Reports the share that a run under way has done, from 0 to 1.
    void report(std::size_t run, double share);
    /// Reports the end of a run; `found` if its result was there before.
    void end(std::size_t run, bool found);

    Seconds elapsed() const { return std::chrono::steady_clock::now() - began_; }
    /// Formats "41 of 120 runs done".
    std::string done() const;
    /// Formats the line above after `elapsed`.
    std::string describe(Seconds elapsed) const;

private:
    void print();

    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::size_t runs_;
    std::string_view unit_;
    std::size_t done_ = 0;
    std::size_t found_ = 0;
    std::map<std::size_t, double> under_way_;  // the finished share of each run under way
    ProgressReporter reporter_;
};

}  // namespace warpfront::tools
