// How often instructions run: loops multiply.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

inline std::uint64_t checked_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) throw std::overflow_error("a count of messages or bytes does not fit 64 bits");
    return result;
}

inline std::uint64_t checked_sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw std::overflow_error("a count of messages or bytes does not fit 64 bits");
    return result;
}

/// Calls visit(instruction, times) for everything but the loops themselves; throws std::overflow_error.
template <class Visit>
void for_each_counted(const RankClass& rank_class, Visit visit) {
    std::uint64_t times = 1;
    std::vector<std::uint64_t> outer;
    for (const Instruction& instruction : rank_class.code) {
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

}  // namespace warpfront::program
