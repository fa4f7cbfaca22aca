// Chooses between two ways of simulating the partitions: in parallel, each by its own thread, or all by one thread, if
// this has recently been much faster.
//
// The threads meet at the end of every round, which lasts some microseconds. Several threads are faster if each has a
// core. But if other programs use the cores, a thread without a core makes all others wait, for microseconds or even
// milliseconds. Then one thread can be up to thirty times faster. So both ways are tried in turns, the slower one
// seldom, and their messages per second are compared. Both ways simulate the same events, so the result is the same.
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

    /// Records how many messages have been simulated from the beginning of the run until `now`.
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

    /// Chooses the usual way after a trial of the other way. Short trials differ in their work. So a single thread is
    /// chosen only if it is much faster, which happens when threads have lost their cores.
    void judge() {
        const bool alone_is_faster = rate(Way::alone) > kMuch * rate(Way::side_by_side);
        const Way better = alone_is_faster ? Way::alone : Way::side_by_side;
        length_ = better != usual_ ? kTrial : std::min<std::chrono::nanoseconds>(2 * length_, kLongest);
        usual_ = better;
    }

    static constexpr double kMuch = 1.5;

    Way usual_ = Way::side_by_side;
    Way way_ = Way::side_by_side;
    std::chrono::nanoseconds length_ = kTrial;  // how long the usual way is used until the next trial
    std::array<double, 2> rate_{};              // messages per second of each way, from its latest use
    Clock::time_point began_;
    std::uint64_t messages_ = 0;
};

}  // namespace warpfront::engine
