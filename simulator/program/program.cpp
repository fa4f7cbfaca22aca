#include "simulator/program/program.hpp"

#include <algorithm>
#include <cstddef>

namespace warpfront::program {

namespace {

template <class Is>
bool has(const Program& program, Is is) {
    return std::any_of(program.classes.begin(), program.classes.end(), [is](const RankClass& rank_class) {
        return std::any_of(rank_class.code.begin(), rank_class.code.end(),
                           [is](const Instruction& step) { return is(step.op); });
    });
}

}  // namespace

std::span<const std::uint32_t> endpoints_of(const Instruction& step, const RankClass& rank_class) {
    switch (operation(step.op).operand) {
        case Operand::send_endpoint:
        case Operand::receive_endpoint: return {&step.operand, 1};
        case Operand::choice: return rank_class.choices[step.operand].receive_endpoints;
        case Operand::reply: return rank_class.replies[step.operand].send_endpoints;
        case Operand::none:
        case Operand::instruction:
        case Operand::phase: break;
    }
    return {};
}

std::vector<std::uint32_t> first_instructions(const Program& program) {
    std::vector<std::uint32_t> first;
    std::size_t number = 0;
    for (const RankClass& rank_class : program.classes) {
        first.push_back(static_cast<std::uint32_t>(number));
        number += rank_class.code.size();
    }
    return first;
}

bool has_allreduce(const Program& program) {
    return has(program, [](Op op) { return op == Op::allreduce; });
}

bool has_isend(const Program& program) {
    return has(program, [](Op op) { return operation(op).effect == Effect::begin_send; });
}

bool has_choices(const Program& program) { return has(program, chooses); }

bool has_delay(const Program& program) {
    return has(program, [](Op op) { return op == Op::delay; });
}

}  // namespace warpfront::program
