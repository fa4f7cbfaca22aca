// How the code of a class is gone through: executed, loops trip by trip, or once, loops multiplied.
//
// What executes a program, with times or without, steps a Position or a Cursor and has a `switch` over the operations:
// the walk (walk.hpp), the run without back-pressure (tools/difference/unblocked_run.hpp), SimGrid's actors
// (simulator/simgrid), the writer of traces (simulator/trace/write.hpp). The event engine alone steps by itself
// (simulator/engine/stepping), since each of its instructions costs nanoseconds. What needs no order goes through the
// code once, from its first instruction to its last, and multiplies by the trips of loops if it counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

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

// Counting.

/// Each throws std::overflow_error.
template <class Count>
Count checked_product(Count a, Count b) {
    Count result = 0;
    if (__builtin_mul_overflow(a, b, &result))
        throw std::overflow_error("a count of messages or bytes does not fit its type");
    return result;
}

template <class Count>
Count checked_sum(Count a, Count b) {
    Count result = 0;
    if (__builtin_add_overflow(a, b, &result))
        throw std::overflow_error("a count of messages or bytes does not fit its type");
    return result;
}

/// Calls visit(instruction, times) for everything but the loops themselves, in the order of the code, in which loops
/// are whole; throws std::overflow_error.
template <class Visit>
void for_each_counted(std::span<const Instruction> code, Visit visit) {
    std::uint64_t times = 1;
    std::vector<std::uint64_t> outer;
    for (const Instruction& instruction : code) {
        if (instruction.op == Op::loop) {
            outer.push_back(times);
            times = checked_product(times, static_cast<std::uint64_t>(instruction.amount));
        } else if (instruction.op == Op::end_loop) {
            times = outer.back();
            outer.pop_back();
        } else {
            visit(instruction, times);
        }
    }
}

/// The sum of count(instruction) over all instructions that all ranks run, loops themselves left out; throws
/// std::overflow_error.
template <class Count>
std::uint64_t sum_over_ranks(const Program& program, Count count) {
    std::vector<std::uint64_t> of_class(program.classes.size(), 0);
    for (std::size_t index = 0; index < program.classes.size(); ++index) {
        for_each_counted(program.classes[index].code, [&](const Instruction& step, std::uint64_t times) {
            of_class[index] = checked_sum(of_class[index], checked_product(times, count(step)));
        });
    }
    std::uint64_t sum = 0;
    for (const std::uint32_t index : program.class_of) sum = checked_sum(sum, of_class[index]);
    return sum;
}

/// Point-to-point messages and bytes of the whole run, counted from the classes without stepping (loops multiply).
struct Traffic {
    std::uint64_t messages = 0;
    Wide bytes = 0;  // a production run of a million ranks has more than 2^64
};
/// Throws std::overflow_error if a count does not fit its type.
Traffic traffic(const Program& program);
/// One rank's share by channel: entry k belongs to send endpoint k.
std::vector<Traffic> traffic_by_send_endpoint(const RankClass& rank_class);

// Loops.

/// Loops whose trips may recur.
enum class LoopKind : std::uint8_t {
    of_iterations,  // outermost, and the end of an iteration is marked in it directly; a trip may mark several
    of_tiles        // innermost, and nothing in it but messages and work: no mark, no collective
};

/// Depth of an instruction that stands in no loop of the kind requested.
inline constexpr std::uint8_t kNoLoop = 0xFF;

/// By instruction: the depth of the loop of this kind that it stands in (its end included), or kNoLoop.
std::vector<std::uint8_t> loop_depths(const std::vector<Instruction>& code, LoopKind kind);

/// By instruction: how many iterations end in one trip of the loop of_iterations that it stands in; 0 if in none.
std::vector<std::int64_t> iterations_per_trip(const std::vector<Instruction>& code);

}  // namespace warpfront::program
