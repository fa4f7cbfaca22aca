// The progress of a run, reported on stderr while it runs.
//
//   on a terminal   one line, rewritten four times a second and wiped at the end:
//                   1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left
//   off a terminal  the same as a line of its own every 30 s, with the time it has been running in front
//   --quiet         nothing
//
// Several runs together have another line (ensemble_progress.hpp) at the same intervals.
//
// `messages/s` counts stepped messages over the whole run, those of collectives included. The time left is that of the
// messages that are expected to be stepped yet (simulator/engine/estimate.hpp).
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/parallel/progress_monitor.hpp"

namespace warpfront::tools {

enum class ProgressMode { line, heartbeat, nothing };

/// The mode for stderr.
ProgressMode progress_mode(bool quiet);

/// "14,900,000 messages/s, 0:42 left": from the messages stepped since the beginning and those left.
std::string pace(std::uint64_t stepped, std::uint64_t left_to_step, std::chrono::duration<double> elapsed);

/// "1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left"
std::string describe(const engine::Progress& progress);

class ProgressReporter {
public:
    using Seconds = std::chrono::duration<double>;
    static constexpr Seconds kBetweenLines{0.25};
    static constexpr Seconds kBetweenHeartbeats{30.0};

    /// A line is truncated to `width`.
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
    std::size_t shown_ = 0;  // characters on the line
    Seconds next_;
};

/// A monitor that reports progress to `reporter` and stops the run once the user has interrupted it.
engine::ProgressMonitor monitor_for(ProgressReporter& reporter);

}  // namespace warpfront::tools
