// A cursor over a class's instructions in execution order, loops unrolled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/program/program.hpp"

namespace warpfront::program {

class Cursor {
public:
    /// `rank_class` must outlive it.
    explicit Cursor(const RankClass& rank_class) : code_(rank_class.code) {}

    /// The next instruction other than loop and end_loop; after the end, `finish` at every call.
    const Instruction& next() {
        for (;;) {
            const Instruction& now = code_[at_];
            switch (now.op) {
                case Op::finish: return now;
                case Op::loop:
                    left_[now.depth] = now.amount;
                    ++at_;
                    break;
                case Op::end_loop: at_ = --left_[now.depth] > 0 ? now.operand + std::size_t{1} : at_ + 1; break;
                default: ++at_; return now;
            }
        }
    }

private:
    const std::vector<Instruction>& code_;
    std::size_t at_ = 0;
    std::array<std::int64_t, kMaxLoopDepth> left_{};  // trips, including the current one
};

}  // namespace warpfront::program
