// Sums over time, in at most kMostIntervals intervals. Their length is a power of two of picoseconds, which doubles as
// a run continues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/record/record.hpp"

namespace warpfront::tasks {

template <class Sum>
class Intervals {
public:
    static constexpr std::size_t kMostIntervals = 512;

    /// Calls `add` with the sum of each interval that overlaps [begin, end), and with the number of picoseconds of the
    /// overlap. Neither is negative, and begin < end.
    template <class Add>
    void add(std::int64_t begin, std::int64_t end, const Add& add) {
        while ((end - 1) / width_ >= static_cast<std::int64_t>(kMostIntervals)) double_width();
        const auto last = static_cast<std::size_t>((end - 1) / width_);
        if (last >= sums_.size()) sums_.resize(last + 1);
        while (begin < end) {
            const std::int64_t interval = begin / width_;
            const std::int64_t until = std::min(end, (interval + 1) * width_);
            add(sums_[static_cast<std::size_t>(interval)], until - begin);
            begin = until;
        }
    }

    record::Intervals<Sum> record() const { return {Time{width_}, sums_}; }

private:
    void double_width() {
        for (std::size_t at = 0; at < sums_.size(); ++at) {
            Sum& half = sums_[at / 2];
            half = at % 2 == 0 ? sums_[at] : half + sums_[at];
        }
        sums_.resize((sums_.size() + 1) / 2);
        width_ *= 2;
    }

    std::int64_t width_ = 1;
    std::vector<Sum> sums_;
};

}  // namespace warpfront::tasks
