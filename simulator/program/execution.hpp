// Two traversals of the code of a class: execution, iteration by iteration of each loop; and counting, which visits
// each instruction once and multiplies by the iterations of loops.
//
// Code that executes a program, with or without times, advances a Position or a Cursor and has a `switch` over the
// operations: the walk (walk.hpp), the run without back-pressure (tools/answer/difference/unblocked_run.hpp), SimGrid's
// actors (simulator/simgrid), the writer of traces (simulator/trace/write.hpp). Only the event engine has its own
// stepping (simulator/engine/stepping), since each of its instructions costs nanoseconds. Code that does not depend on
// the executed order visits the instructions once, from the first to the last.
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

/// The position of a rank in the code of its class, including its loops. Ranks of a class at equal positions have the
/// same remaining instructions.
struct Position {
    std::size_t at = 0;
    /// Iterations left of each enclosing loop, including the present one.
    std::array<std::int64_t, kMaxLoopDepth> iterations_left{};

    /// Advances past `now`, the instruction at this position. Not allowed beyond `finish`.
    void pass(const Instruction& now) {
        if (operation(now.op).effect != Effect::loop) [[likely]] {
            ++at;
            return;
        }
        if (now.op == Op::loop) iterations_left[now.depth] = now.amount;
        const bool again = now.op == Op::end_loop && --iterations_left[now.depth] > 0;
        at = again ? now.operand + std::size_t{1} : at + 1;
    }
    friend bool operator==(const Position&, const Position&) = default;
};

/// An iterator over the instructions of a class in executed order, which counts waves (units/wave.hpp).
class Cursor {
public:
    /// `rank_class` must outlive the cursor.
    explicit Cursor(const RankClass& rank_class) : code_(rank_class.code) {}

    /// Returns the next instruction other than loop and end_loop; after the end, `finish` at every call.
    const Instruction& next() {
        for (;;) {
            const Instruction& now = code_[position_.at];
            current_ = position_.at;
            if (now.op == Op::finish) return now;
            if (now.op == Op::end_loop && code_[current_ - 1].op != Op::iteration) ++wave_;
            if (now.op == Op::iteration) {
                wave_ = ((wave_ >> kWaveBits) + 1) << kWaveBits;
                blocks_ = 0;
            }
            if (computes(now.op) && now.amount > 0) ++blocks_;
            position_.pass(now);
            if (operation(now.op).effect != Effect::loop) return now;
        }
    }

    /// Returns the instruction last returned by `next`.
    const Instruction& current() const { return code_[current_]; }
    /// Returns the wave of the current instruction; for an iteration mark, the wave in which the next iteration begins.
    std::uint64_t wave() const { return wave_; }
    /// Adds the steps of a collective to the number of waves.
    void add_waves(std::uint64_t steps) { wave_ += steps; }
    /// Returns the number of the current block of computing in its iteration, from 0; blocks without work do not count.
    std::uint64_t block_number() const { return blocks_ - 1; }

private:
    const std::vector<Instruction>& code_;
    Position position_;
    std::size_t current_ = 0;
    std::uint64_t wave_ = 0;
    std::uint64_t blocks_ = 0;  // blocks with work in the present iteration, up to the current one
};

// Counting with overflow checks.

/// Multiply and add with overflow checks; each throws std::overflow_error.
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

/// Calls visit(instruction, times) once for every instruction except loops, in the order of the code; `times` is the
/// product of the iterations of the enclosing loops. Throws std::overflow_error.
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

/// Returns the sum of count(instruction) over all instructions that all ranks run, except loops; throws
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

/// Point-to-point messages and bytes of the whole run, counted from the classes without executing them (loops
/// multiply).
struct Traffic {
    std::uint64_t messages = 0;
    Wide bytes = 0;  // size of all messages; runs of a million ranks may exceed 2^64
};
/// Counts the traffic of all ranks. Throws std::overflow_error if a count does not fit its type.
Traffic traffic(const Program& program);
/// Returns one rank's share by channel: entry k belongs to send endpoint k.
std::vector<Traffic> traffic_by_send_endpoint(const RankClass& rank_class);

// Kinds of loops.

/// Loops whose iterations may recur.
enum class LoopKind : std::uint8_t {
    of_iterations,  // an outermost loop whose body directly contains marks of iterations' ends, one or more
    of_tiles        // an innermost loop with messages and work only, without marks and collectives
};

/// Depth of an instruction that is in no loop of the requested kind.
inline constexpr std::uint8_t kNoLoop = 0xFF;

/// Returns, by instruction, the depth of the enclosing loop of this kind (its end included), or kNoLoop.
std::vector<std::uint8_t> loop_depths(const std::vector<Instruction>& code, LoopKind kind);

/// Returns, by instruction, the number of iterations of the code in one iteration of the enclosing loop
/// `of_iterations`; 0 without such a loop.
std::vector<std::int64_t> iterations_per_loop_iteration(const std::vector<Instruction>& code);

}  // namespace warpfront::program
