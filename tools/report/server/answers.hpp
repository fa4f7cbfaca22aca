// Predicted times for the page: the closed form along every knob from a position, and runs of the event engine at
// positions.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "simulator/results/ensemble.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/report/server/exploration.hpp"

namespace warpfront::tools {

/// A predicted time, or the reason why there is none, in one line.
struct Answer {
    std::optional<WideTime> time{};
    std::string why{};
    /// The 95 % interval, which the event engine has on a calibrated machine.
    std::optional<results::Interval> interval{};
};

/// Returns the result of `predict`, which throws as in tools/answer/prediction/engines.hpp; faults become answers
/// without a time.
Answer answer_of(const std::function<WideTime()>& predict);

/// The closed form along every knob from a position. A point takes milliseconds, and is computed once. Any thread may
/// call this class.
class Curves {
public:
    /// Creates the curves of `exploration`, which must outlive them. At most `threads` points are computed at a time.
    Curves(const Exploration& exploration, unsigned threads) : exploration_(exploration), threads_(threads) {}

    /// Returns the answers by knob, then by choice.
    std::vector<std::vector<Answer>> from(const Position& at);

private:
    const Exploration& exploration_;
    unsigned threads_;
    std::mutex mutex_;
    std::optional<Engine> form_{};
    std::map<Position, Answer> known_;
};

/// Runs of the event engine at positions of an exploration, one per thread. A poll names a position and a knob: the
/// position itself runs first, then the other choices of the knob, the nearest first. A run that is not in the last
/// poll is not begun, and is stopped if it runs; results are kept. A run equals that of `warpfront run` on one thread.
///
/// Any thread may poll; each run has a thread of its own.
class EventPoints {
public:
    using Clock = std::chrono::steady_clock;
    /// All runs are stopped if there is no poll for this time.
    static constexpr Clock::duration kPollTimeout = std::chrono::seconds(10);

    /// Creates the points of `exploration`, which must outlive them. At most `threads` run at a time.
    EventPoints(const Exploration& exploration, unsigned threads, Clock::duration poll_timeout = kPollTimeout);
    EventPoints(const EventPoints&) = delete;
    EventPoints& operator=(const EventPoints&) = delete;
    /// Stops active runs.
    ~EventPoints();

    struct Running {
        Position at;
        double done = 0.0;  // the share of its messages that are simulated
    };
    struct Status {
        std::map<Position, Answer> points;  // positions that differ from the requested one in one knob at most
        std::vector<Running> running;
        std::size_t waiting = 0;
    };
    /// Requests the position, and the choices of `knob`.
    Status poll(const Position& at, std::size_t knob);

private:
    void work();
    std::optional<Position> next();
    bool wants(const Position& at) const;
    Answer run(const Position& at);

    const Exploration& exploration_;
    Clock::duration poll_timeout_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Position> wanted_;  // the first one is run next
    Clock::time_point polled_;
    std::map<Position, Answer> known_;
    std::map<Position, double> running_;  // the share of messages that are simulated, by position
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace warpfront::tools
