// Two ways to traverse the code of a class. Execution follows the loops, iteration by iteration. Counting visits each
// instruction once and multiplies by the iterations of the loops around it.
//
// Code that executes a program, with or without times, advances a Position or a Cursor and has a `switch` over the
// operations. Such code is the walk (walk.hpp), the run without back-pressure
// (tools/answer/difference/unblocked_run.hpp), SimGrid's actors (simulator/simgrid) and the writer of traces
// (simulator/trace/write.hpp). Only the event engine has its own stepping (simulator/engine/stepping), since it spends
// nanoseconds per instruction. Code that does not depend on the order of execution visits the instructions once, from
// the first to the last.
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

/// The position of a rank in the code of its class, and the iterations left of each loop around it. Ranks of a class at
/// equal positions have the same remaining instructions.
struct Position {
    std::size_t at = 0;
    /// The iterations that are left of each enclosing loop, including the present iteration.
    std::array<std::int64_t, kMaxLoopDepth> iterations_left{};

    /// Advances past the instruction `now` at this position. `now` must not be `finish`.
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

/// An iterator over the instructions of a class in the order of execution. It counts waves (units/wave.hpp).
class Cursor {
public:
    /// `rank_class` must outlive the cursor.
    explicit Cursor(const RankClass& rank_class) : code_(rank_class.code) {}

    /// Returns the next instruction, without loop and end_loop. After the end, every call returns `finish`.
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

    /// Returns the instruction that `next` returned last.
    const Instruction& current() const { return code_[current_]; }
    /// Returns the wave of the current instruction. For the mark at the end of an iteration, this is the wave in which
    /// the next iteration begins.
    std::uint64_t wave() const { return wave_; }
    /// Advances the wave by the steps of a collective.
    void add_waves(std::uint64_t steps) { wave_ += steps; }
    /// Returns the number of the current block of computing in its iteration, from 0. Blocks without work are not
    /// counted.
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

/// Calls visit(instruction, times) once for every instruction except loops, in the order of the code. `times` is the
/// product of the iterations of the enclosing loops. Throws std::overflow_error if a product does not fit its type.
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

/// Returns the sum of count(instruction) over all executed instructions of all ranks, except loops. Throws
/// std::overflow_error if the sum does not fit its type.
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

/// The number and the bytes of point-to-point messages of the whole run, counted without executing the program.
struct Traffic {
    std::uint64_t messages = 0;
    Wide bytes = 0;  // size of all messages; may exceed 2^64 if a million ranks send
};
/// Counts the traffic of all ranks. Throws std::overflow_error if a count does not fit its type.
Traffic traffic(const Program& program);
/// Returns the messages and bytes that one rank sends, by its send endpoints.
std::vector<Traffic> traffic_by_send_endpoint(const RankClass& rank_class);

// Kinds of loops.

/// Loops whose iterations may recur.
enum class LoopKind : std::uint8_t {
    of_iterations,  // an outermost loop whose body directly contains at least one mark of an iteration's end
    of_tiles        // an innermost loop with messages and work only, without marks and collectives
};

/// The depth of an instruction that is in no loop of the requested kind.
inline constexpr std::uint8_t kNoLoop = 0xFF;

/// Returns, for each instruction, the depth of the enclosing loop of this kind, or kNoLoop. The end of the loop belongs
/// to the loop.
std::vector<std::uint8_t> loop_depths(const std::vector<Instruction>& code, LoopKind kind);

/// Returns, for each instruction, how many iterations of the code one iteration of the enclosing loop contains
/// (LoopKind::of_iterations); 0 if there is no such loop.
std::vector<std::int64_t> iterations_per_loop_iteration(const std::vector<Instruction>& code);

}  // namespace warpfront::program
