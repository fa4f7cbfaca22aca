// How far a run is, told on stderr while it goes on.
//
//   on a terminal   one line, rewritten four times a second and wiped at the end:
//                   1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left
//   off a terminal  the same as a line of its own every 30 s, with the time it has been running in front
//   --quiet         nothing
//
// Of several runs together the line is another (ensemble_progress.hpp), its times are the same.
//
// `messages/s` counts messages stepped, over the whole run, those that collectives are made of too; the time left is
// that of the messages still to be stepped, as far as that can be foreseen (simulator/engine/estimate.hpp).
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/progress_monitor.hpp"

namespace warpfront::tools {

enum class ProgressMode { line, heartbeat, nothing };

/// What suits stderr.
ProgressMode how_to_tell(bool quiet);

/// "14,900,000 messages/s, 0:42 left": of messages stepped since the beginning, and those still to be.
std::string pace(std::uint64_t stepped, std::uint64_t left_to_step, std::chrono::duration<double> elapsed);

/// "1.234s simulated, 34.5 % done, 14,900,000 messages/s, 0:42 left"
std::string describe(const engine::Progress& progress);

class ProgressTeller {
public:
    using Seconds = std::chrono::duration<double>;
    static constexpr Seconds kBetweenLines{0.25};
    static constexpr Seconds kBetweenHeartbeats{30.0};

    /// Of a line no more is shown than fits `width`.
    explicit ProgressTeller(ProgressMode telling, std::FILE* to = stderr, std::size_t width = terminal_width());
    ProgressTeller(const ProgressTeller&) = delete;
    ProgressTeller& operator=(const ProgressTeller&) = delete;
    /// Wipes the line.
    ~ProgressTeller();

    /// Tells it, if it is time to.
    void tell(const engine::Progress& progress);
    /// Tells what `describe` says; it is asked only where it is time to.
    void tell(Seconds elapsed, const std::function<std::string()>& describe);

private:
    static std::size_t terminal_width();
    void rewrite(std::string text);

    ProgressMode telling_;
    std::FILE* to_;
    std::size_t width_;
    std::size_t shown_ = 0;  // characters on the line
    Seconds next_;
};

/// A watch that tells progress by `teller` and stops the run once the user has interrupted it.
engine::ProgressMonitor monitor_of(ProgressTeller& teller);

}  // namespace warpfront::tools
