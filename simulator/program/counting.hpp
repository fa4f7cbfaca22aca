// How often instructions run: the code is gone through once, and loops multiply. Execution trip by trip: execution.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

}  // namespace warpfront::program
