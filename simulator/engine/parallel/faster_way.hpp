// The choice between threads that simulate the partitions side by side, and one thread that simulates all because that
// has been much faster lately.
//
// Threads meet at the end of every round, some microseconds long. Threads are faster if each has a core. If other
// programs take the cores, a thread without one keeps all others waiting, for microseconds or for milliseconds, and one
// thread alone is up to thirty times faster. So both are tried in turns, the slower one seldom, and their messages per
// second are compared. The simulated events, and so the result, are the same.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace warpfront::engine {

class FasterWay {
public:
    using Clock = std::chrono::steady_clock;
    enum class Way : std::uint8_t { side_by_side, alone };

    static constexpr std::chrono::nanoseconds kTrial = std::chrono::milliseconds(2);
    static constexpr std::chrono::nanoseconds kLongest = std::chrono::milliseconds(256);

    explicit FasterWay(Clock::time_point now) : began_(now) {}

    Way way() const { return way_; }

    /// Notes that `messages` have been simulated until `now`, since the beginning of the run.
    void note(Clock::time_point now, std::uint64_t messages) {
        const Clock::duration took = now - began_;
        if (took < (way_ == usual_ ? length_ : kTrial)) return;
        const auto stepped = static_cast<double>(messages - messages_);
        rate_[static_cast<std::size_t>(way_)] = stepped / std::chrono::duration<double>(took).count();
        if (way_ != usual_) judge();
        way_ = way_ == usual_ ? other(usual_) : usual_;
        began_ = now;
        messages_ = messages;
    }

private:
    static Way other(Way way) { return way == Way::alone ? Way::side_by_side : Way::alone; }
    double rate(Way way) const { return rate_[static_cast<std::size_t>(way)]; }

    /// Decides after a trial of the other way. The work of two short times differs, so threads continue side by side
    /// unless one alone is much faster, as it is if they have lost their cores.
    void judge() {
        const bool alone_is_faster = rate(Way::alone) > kMuch * rate(Way::side_by_side);
        const Way better = alone_is_faster ? Way::alone : Way::side_by_side;
        length_ = better != usual_ ? kTrial : std::min<std::chrono::nanoseconds>(2 * length_, kLongest);
        usual_ = better;
    }

    static constexpr double kMuch = 1.5;

    Way usual_ = Way::side_by_side;
    Way way_ = Way::side_by_side;
    std::chrono::nanoseconds length_ = kTrial;  // of the current way until the next trial
    std::array<double, 2> rate_{};              // messages per second, by way, when last tried
    Clock::time_point began_;
    std::uint64_t messages_ = 0;
};

}  // namespace warpfront::engine
