// Programs executed: the instructions of a class in the order in which a rank carries them out, loops trip by trip.
//
// A program is gone through in two ways. What executes it, with times or without, steps a Position or a Cursor and has
// a `switch` over the operations: the walk (walk.hpp), the run without back-pressure
// (tools/difference/unblocked_run.hpp), SimGrid's actors (simulator/simgrid), the writer of traces
// (simulator/trace/write.hpp). The event engine alone steps by itself (simulator/engine/stepping), since each of its
// instructions costs nanoseconds. What needs no order goes through the code once, from its first instruction to its
// last, and multiplies by the trips of loops (counting.hpp) if it counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/program/program.hpp"
#include "simulator/units/wave.hpp"

namespace warpfront::program {

/// Where a rank is in the code of its class, loops included. Two ranks of a class at equal positions have the same left
/// to do.
struct Position {
    std::size_t at = 0;
    std::array<std::int64_t, kMaxLoopDepth> trips_left{};  // the present one included

    /// `now`, which stands here, is done. Not beyond `finish`.
    void pass(const Instruction& now) {
        if (operation(now.op).effect != Effect::loop) [[likely]] {
            ++at;
            return;
        }
        if (now.op == Op::loop) trips_left[now.depth] = now.amount;
        const bool again = now.op == Op::end_loop && --trips_left[now.depth] > 0;
        at = again ? now.operand + std::size_t{1} : at + 1;
    }
    friend bool operator==(const Position&, const Position&) = default;
};

/// A class's instructions one after another. It counts waves (units/wave.hpp).
class Cursor {
public:
    /// `rank_class` must outlive it.
    explicit Cursor(const RankClass& rank_class) : code_(rank_class.code) {}

    /// The next instruction other than loop and end_loop; after the end, `finish` at every call.
    const Instruction& next() {
        for (;;) {
            const Instruction& now = code_[position_.at];
            current_ = position_.at;
            if (now.op == Op::finish) return now;
            if (now.op == Op::end_loop && code_[current_ - 1].op != Op::iteration) ++wave_;
            if (now.op == Op::iteration) wave_ = ((wave_ >> kWaveBits) + 1) << kWaveBits;
            position_.pass(now);
            if (operation(now.op).effect != Effect::loop) return now;
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
    Position position_;
    std::size_t current_ = 0;
    std::uint64_t wave_ = 0;
};

}  // namespace warpfront::program
