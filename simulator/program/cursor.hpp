// A cursor over a class's instructions in execution order, loops unrolled. It counts waves (units/wave.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/program/program.hpp"
#include "simulator/units/wave.hpp"

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
                case Op::finish: current_ = at_; return now;
                case Op::loop:
                    left_[now.depth] = now.amount;
                    ++at_;
                    break;
                case Op::end_loop:
                    if (code_[at_ - 1].op != Op::iteration) ++wave_;
                    at_ = --left_[now.depth] > 0 ? now.operand + std::size_t{1} : at_ + 1;
                    break;
                case Op::iteration: wave_ = ((wave_ >> kWaveBits) + 1) << kWaveBits; [[fallthrough]];
                default: current_ = at_++; return now;
            }
        }
    }

    /// What `next` has returned last, and its index in the code.
    const Instruction& current() const { return code_[current_]; }
    std::uint32_t index() const { return static_cast<std::uint32_t>(current_); }
    /// The wave of the current instruction; of an iteration mark, that in which the next iteration begins.
    std::uint64_t wave() const { return wave_; }
    /// A collective has taken so many steps.
    void add_waves(std::uint64_t steps) { wave_ += steps; }

private:
    const std::vector<Instruction>& code_;
    std::size_t at_ = 0;
    std::size_t current_ = 0;
    std::uint64_t wave_ = 0;
    std::array<std::int64_t, kMaxLoopDepth> left_{};  // trips, including the current one
};

}  // namespace warpfront::program
