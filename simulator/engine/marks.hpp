// When iterations ended: rank by rank they pass the mark at different times; an iteration has ended when the last rank
// has, and lasted from the end of the one before. Only iterations that some ranks have passed and others have not are
// kept open, so a run of 10^7 iterations needs no memory for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "simulator/units/time.hpp"

namespace warpfront::engine {

class Marks {
public:
    explicit Marks(std::uint32_t ranks) : ranks_(ranks) {}

    /// A rank passes the mark of `iteration` (from 0, in stepped iterations) at `clock`. True if it was the last to.
    bool pass(std::uint64_t iteration, std::int64_t clock) {
        const std::size_t index = iteration - closed_;
        if (index >= open_.size()) open_.resize(index + 1);
        Open& mark = open_[index];
        mark.latest = std::max(mark.latest, clock);
        if (++mark.passed < ranks_) return false;
        close();
        return true;
    }

    /// Iterations that every rank has passed, and when the last of them ended.
    std::uint64_t closed() const { return closed_; }
    std::int64_t last_end() const { return last_end_; }

    /// The last `period` iterations come `times` over again without being stepped.
    void repeat(std::uint64_t period, std::int64_t times) {
        std::vector<std::int64_t> cycle(recent_.end() - static_cast<std::ptrdiff_t>(period), recent_.end());
        const bool uniform = std::all_of(cycle.begin(), cycle.end(), [&](std::int64_t d) { return d == cycle.front(); });
        if (uniform) {
            add(cycle.front(), times * static_cast<std::int64_t>(period));
            return;
        }
        for (std::int64_t turn = 0; turn < times; ++turn) {
            for (const std::int64_t duration : cycle) add(duration, 1);
        }
    }

    /// Durations in order, equal neighbours as (duration, count).
    const std::vector<std::pair<WideTime, std::int64_t>>& durations() const { return durations_; }

    static constexpr std::size_t kLongestPeriod = 64;

    /// An iteration that some ranks have passed: the latest of them, and how many.
    struct Open {
        std::int64_t latest = 0;
        std::uint32_t passed = 0;
    };
    const std::deque<Open>& open() const { return open_; }

private:
    void close() {
        const std::int64_t duration = open_.front().latest - last_end_;
        last_end_ = open_.front().latest;
        open_.pop_front();
        ++closed_;
        add(duration, 1);
        recent_.push_back(duration);
        if (recent_.size() > kLongestPeriod) recent_.pop_front();
    }

    void add(std::int64_t duration, std::int64_t count) {
        const WideTime value{Wide{duration}};
        if (!durations_.empty() && durations_.back().first == value) {
            durations_.back().second += count;
        } else {
            durations_.emplace_back(value, count);
        }
    }

    std::uint32_t ranks_;
    std::deque<Open> open_;
    std::uint64_t closed_ = 0;
    std::int64_t last_end_ = 0;
    std::deque<std::int64_t> recent_;
    std::vector<std::pair<WideTime, std::int64_t>> durations_;
};

}  // namespace warpfront::engine
