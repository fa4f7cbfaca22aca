// The progress of a run, printed on stderr while it runs, if messages of the level info are shown.
//
//   on a terminal   one line, rewritten four times a second and erased at the end:
//                   1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left
//   off a terminal  the same text as a message every 30 s, preceded by the elapsed time
//
// Several runs together have another line (JointProgress) at the same intervals.
//
// `messages/s` is the mean over the whole run, including messages of collectives. The time left is estimated from the
// number of messages that remain to be simulated (simulator/engine/estimate.hpp).
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

/// Returns the mode for stderr, which depends on the level of messages.
ProgressMode progress_mode();

/// Formats "14,900,000 messages/s, 0:42 left" from the messages simulated so far and those left to simulate. `left`
/// exceeds `left_to_step` if iterations are expected to recur. Then the text is "0:42 left if iterations recur, 7:15 if
/// not". A time of more than a year is reported as not known yet.
std::string pace(std::uint64_t stepped, std::uint64_t left_to_step, std::uint64_t left,
                 std::chrono::duration<double> elapsed, std::string_view unit = "messages");

/// Formats a line such as "1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left".
std::string describe(const engine::Progress& progress);

class ProgressReporter {
public:
    using Seconds = std::chrono::duration<double>;
    static constexpr Seconds kBetweenLines{0.25};
    static constexpr Seconds kBetweenHeartbeats{30.0};

    /// Creates a reporter. Its line goes to `stream`, truncated to `width`. Without a terminal, it logs messages
    /// instead.
    explicit ProgressReporter(ProgressMode mode, std::FILE* stream = stderr, std::size_t width = terminal_width());
    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;
    /// Erases the line.
    ~ProgressReporter();

    /// Prints the progress if the interval has passed.
    void report(const engine::Progress& progress);
    /// Calls `describe` and prints the text, if the interval has passed.
    void report(Seconds elapsed, const std::function<std::string()>& describe);

private:
    static std::size_t terminal_width();
    void rewrite(std::string text);

    ProgressMode mode_;
    std::FILE* stream_;
    std::size_t width_;
    std::size_t shown_ = 0;  // number of characters that the line shows
    Seconds next_;
};

/// Returns a monitor that reports the progress to `reporter`, and stops the run after Ctrl-C.
engine::ProgressMonitor monitor_for(ProgressReporter& reporter);

// The joint progress of several runs, some of them in parallel.
//
//   [########----------------] 34.2 %, 41 of 120 runs done, 0:42 left
//
// All runs have the same weight. An active run counts by the share that it has done. Runs whose results already existed
// count as done, but are not used to estimate the time left. Several threads may report. The texts must be read by one
// thread after them.

class JointProgress {
public:
    using Seconds = ProgressReporter::Seconds;

    /// Creates the progress of `runs` runs. `unit` is the noun for a run in the text.
    JointProgress(std::size_t runs, std::string_view unit, ProgressMode mode);

    /// Reports the share that an active run has done, from 0 to 1.
    void report(std::size_t run, double share);
    /// Reports the end of a run. `found` is true if its result already existed.
    void end(std::size_t run, bool found);

    Seconds elapsed() const { return std::chrono::steady_clock::now() - began_; }
    /// Formats a text such as "41 of 120 runs done".
    std::string done() const;
    /// Formats the line shown above. `elapsed` is the time since the beginning.
    std::string describe(Seconds elapsed) const;

private:
    void print();

    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::size_t runs_;
    std::string_view unit_;
    std::size_t done_ = 0;
    std::size_t found_ = 0;
    std::map<std::size_t, double> under_way_;  // finished share of each active run
    ProgressReporter reporter_;
};

}  // namespace warpfront::tools
