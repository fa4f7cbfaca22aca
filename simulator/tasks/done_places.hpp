// The places of a task list that are done: a front before which all places are done, and the intervals of done places
// beyond it. Tasks begin nearly in order, so there are at most as many intervals as tasks in progress, however long the
// list is.
#pragma once

#include <cstdint>
#include <map>

namespace warpfront::tasks {

class DonePlaces {
public:
    /// Returns the front: all places before it are done.
    std::int64_t front() const { return front_; }

    void add(std::int64_t place) { add(place, place + 1); }

    /// Adds the places from `first` up to `end`, none of which is done.
    void add(std::int64_t first, std::int64_t end) {
        if (first == front_) {
            front_ = end;
        } else {
            const auto after = beyond_.upper_bound(first);
            if (after != beyond_.begin() && std::prev(after)->second == first) {
                std::prev(after)->second = end;
                return join(std::prev(after));
            }
            return join(beyond_.emplace_hint(after, first, end));
        }
        if (const auto next = beyond_.begin(); next != beyond_.end() && next->first == front_) {
            front_ = next->second;
            beyond_.erase(next);
        }
    }

    /// Returns the first place from `first` up to `end` that is not done; `end` if all are.
    std::int64_t first_missing(std::int64_t first, std::int64_t end) const {
        if (first < front_) first = front_;
        if (first >= end) return end;
        const auto after = beyond_.upper_bound(first);
        if (after != beyond_.begin() && std::prev(after)->second > first) first = std::prev(after)->second;
        return first < end ? first : end;
    }

    bool has(std::int64_t place) const { return first_missing(place, place + 1) > place; }

private:
    using Interval = std::map<std::int64_t, std::int64_t>::iterator;

    void join(Interval interval) {
        const auto next = std::next(interval);
        if (next == beyond_.end() || next->first != interval->second) return;
        interval->second = next->second;
        beyond_.erase(next);
    }

    std::int64_t front_ = 0;
    std::map<std::int64_t, std::int64_t>
        beyond_;  // first and end of intervals that touch neither each other nor front_
};

}  // namespace warpfront::tasks
