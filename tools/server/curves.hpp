// The closed form along every knob from a position. A point takes milliseconds, and is computed once.
//
// Thread rules: any thread may ask.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "simulator/results/interval.hpp"
#include "simulator/units/time.hpp"
#include "tools/server/exploration.hpp"

namespace warpfront::tools {

/// A predicted time, or why there is none, in one line.
struct Answer {
    std::optional<WideTime> time{};
    std::string why{};
    std::optional<results::Interval> interval{};  // 95 %, of the event engine on a calibrated machine
};

/// What `predict` gives, which throws as in tools/prediction/engines.hpp; its faults become answers.
Answer answer_of(const std::function<WideTime()>& predict);

class Curves {
public:
    /// `exploration` must outlive it. At most `threads` points are computed at a time.
    Curves(const Exploration& exploration, unsigned threads) : exploration_(exploration), threads_(threads) {}

    /// By knob, then by choice.
    std::vector<std::vector<Answer>> from(const Position& at);

private:
    const Exploration& exploration_;
    unsigned threads_;
    std::mutex mutex_;
    std::map<Position, Answer> known_;
};

}  // namespace warpfront::tools
