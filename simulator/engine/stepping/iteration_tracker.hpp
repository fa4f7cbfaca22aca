// The ends of iterations. Ranks pass the mark of an iteration at different times. The iteration ends when the last rank
// passes it, and it lasts from the end of the previous iteration. Only iterations that some ranks have passed and
// others have not are stored. So a run of 10^7 iterations needs no memory for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The iterations that have not ended yet. Each has the number of ranks of one partition that have passed its mark.
class IterationTracker {
public:
    struct Open {
        std::int64_t latest = 0;
        std::uint32_t passed = 0;

        /// Adds the numbers of other ranks.
        void add(const Open& other) {
            latest = std::max(latest, other.latest);
            passed += other.passed;
        }
    };

    /// Records that a rank passes the mark of `iteration` at `clock`. Simulated iterations count from 0.
    void pass(std::uint64_t iteration, std::int64_t clock) {
        const std::size_t index = iteration - ended_;
        if (index >= open_.size()) open_.resize(index + 1);
        open_[index].latest = std::max(open_[index].latest, clock);
        ++open_[index].passed;
    }

    /// Returns the entry of the k-th iteration that has not ended yet.
    Open at(std::size_t k) const { return k < open_.size() ? open_[k] : Open{}; }
    std::size_t size() const { return open_.size(); }
    /// Removes the first open iteration, which has ended on all ranks of the run. If this partition has no open
    /// iteration, the end is only counted.
    void end() {
        if (!open_.empty()) open_.pop_front();
        ++ended_;
    }

private:
    std::deque<Open> open_;
    std::uint64_t ended_ = 0;
};

/// The iterations that have ended.
class Iterations {
public:
    void end(std::int64_t at) {
        const WideTime lasted{Wide{at - last_end_}};
        add(lasted, 1);
        recent_.push_back(lasted);
        if (std::ssize(recent_) > kLongestPeriod) recent_.pop_front();
        last_end_ = at;
        ++ended_;
    }

    std::uint64_t ended() const { return ended_; }

    /// Repeats the last `iterations` iterations `times` times without simulating them.
    void repeat(std::size_t iterations, std::int64_t times) {
        const std::vector<WideTime> cycle(recent_.end() - static_cast<std::ptrdiff_t>(iterations), recent_.end());
        const bool uniform = std::all_of(cycle.begin(), cycle.end(), [&](WideTime d) { return d == cycle.front(); });
        if (uniform) {
            add(cycle.front(), times * static_cast<std::int64_t>(iterations));
            return;
        }
        for (std::int64_t turn = 0; turn < times; ++turn) {
            if (left_out_ > 0) {
                left_out_ += (times - turn) * static_cast<std::int64_t>(iterations);
                return;
            }
            for (const WideTime duration : cycle) add(duration, 1);
        }
    }

    std::int64_t last_end() const { return last_end_; }

    /// Returns how many iterations have no stored duration. They follow the iterations with stored durations.
    std::int64_t left_out() const { return left_out_; }

    /// Returns the durations in order. Equal neighbours are one entry (duration, count).
    const std::vector<std::pair<WideTime, std::int64_t>>& durations() const { return durations_; }

    static constexpr std::int64_t kLongestPeriod = 4096;
    /// The largest number of entries (duration, count) that are stored. Further iterations are only counted.
    static constexpr std::size_t kMostRuns = std::size_t{1} << 20;

private:
    void add(WideTime value, std::int64_t count) {
        if (left_out_ == 0 && !durations_.empty() && durations_.back().first == value) {
            durations_.back().second += count;
        } else if (durations_.size() < kMostRuns) {
            durations_.emplace_back(value, count);
        } else {
            left_out_ += count;
        }
    }

    std::uint64_t ended_ = 0;
    std::int64_t last_end_ = 0;
    std::int64_t left_out_ = 0;
    std::deque<WideTime> recent_;
    std::vector<std::pair<WideTime, std::int64_t>> durations_;
};

}  // namespace warpfront::engine
