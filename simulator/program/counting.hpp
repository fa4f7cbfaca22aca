// How often instructions run: loops multiply.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

/// Both throw std::overflow_error.
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
