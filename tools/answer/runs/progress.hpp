// The progress of a run, reported on stderr while it runs, if messages of the level info are shown.
//
//   on a terminal   one line, rewritten four times a second and wiped at the end:
//                   1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left
//   off a terminal  the same as a separate message every 30 s, preceded by the elapsed time
//
// Several runs together have another line (EnsembleProgress) at the same intervals.
//
// `messages/s` counts simulated messages over the whole run, including those of collectives. The time left is that of
// the messages that are expected to be simulated yet (simulator/engine/estimate.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/parallel/progress_monitor.hpp"
#include "simulator/record/record.hpp"

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
    std::size_t shown_ = 0;  // characters on the line
    Seconds next_;
};

/// Returns a monitor that reports progress to `reporter` and stops the run after the user has interrupted it.
engine::ProgressMonitor monitor_for(ProgressReporter& reporter);

// The joint progress of several runs, some of them in parallel.
//
//   3 of 8 runs done, 41.2 % of all, 14,900,000 messages/s, 0:42 left
//
// The share done is the mean over all runs, as if all had the same messages, like the seeds of one program; a run that
// has not begun counts as 0. Messages per second are those of all runs together. The time left is that of the messages
// that the active runs have yet to simulate, and of the runs that have not begun. The latter are assumed to simulate as
// many messages as the finished runs on average or, if there are none, as the active runs are expected to. For one
// thread at a time.
// on average or, if there are none, as the active runs are expected to. For one thread at a time.

class EnsembleProgress {
public:
    explicit EnsembleProgress(std::uint32_t runs) : runs_(runs) {}

    /// Records the progress of run `number`.
    void report(std::uint32_t number, const engine::Progress& progress) { under_way_[number] = progress; }
    /// Records the end of run `number`.
    void end(std::uint32_t number, const record::Work& work);

    /// Formats "3 of 8 runs done".
    std::string runs_done() const;
    /// Formats the line above.
    std::string describe(ProgressReporter::Seconds elapsed) const;

private:
    double share_done() const;
    std::uint64_t stepped() const;
    std::uint64_t left_to_step() const;

    std::uint32_t runs_;
    std::uint32_t done_ = 0;
    std::uint64_t stepped_by_done_ = 0;
    std::map<std::uint32_t, engine::Progress> under_way_;  // runs that have reported
};

}  // namespace warpfront::tools
