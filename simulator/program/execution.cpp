#include "simulator/program/execution.hpp"

#include <algorithm>
#include <span>

namespace warpfront::program {

namespace {

std::span<const Instruction> body_of(const std::vector<Instruction>& code, std::size_t loop) {
    return {code.data() + loop + 1, code.data() + code[loop].operand};
}

bool is(LoopKind kind, const std::vector<Instruction>& code, std::size_t first) {
    unsigned depth = 0;
    bool marked = false;
    bool plain = true;
    for (const Instruction& step : body_of(code, first)) {
        if (step.op == Op::loop) ++depth;
        if (step.op == Op::end_loop) --depth;
        marked = marked || (step.op == Op::iteration && depth == 0);
        const Effect effect = operation(step.op).effect;
        plain = plain && effect != Effect::loop && effect != Effect::collective && effect != Effect::mark;
    }
    return kind == LoopKind::of_iterations ? marked && code[first].depth == 0 : plain;
}

/// Counts the messages whose receiver is determined during the run.
Traffic replies(const RankClass& rank_class) {
    Traffic result;
    for_each_counted(rank_class.code, [&](const Instruction& instruction, std::uint64_t times) {
        if (!sends(instruction.op, Operand::reply)) return;
        result.messages = checked_sum(result.messages, times);
        result.bytes = checked_sum<Wide>(result.bytes, checked_product<Wide>(times, instruction.amount));
    });
    return result;
}

}  // namespace

std::vector<std::uint8_t> loop_depths(const std::vector<Instruction>& code, LoopKind kind) {
    std::vector<std::uint8_t> depth(code.size(), kNoLoop);
    for (std::size_t first = 0; first < code.size(); ++first) {
        if (code[first].op != Op::loop || !is(kind, code, first)) continue;
        std::fill(depth.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  depth.begin() + static_cast<std::ptrdiff_t>(code[first].operand) + 1, code[first].depth);
    }
    return depth;
}

std::vector<std::int64_t> iterations_per_loop_iteration(const std::vector<Instruction>& code) {
    const std::vector<std::uint8_t> depths = loop_depths(code, LoopKind::of_iterations);
    std::vector<std::int64_t> counts(code.size(), 0);
    for (std::size_t first = 0; first < code.size(); ++first) {
        if (code[first].op != Op::loop || code[first].depth != 0 || depths[first + 1] == kNoLoop) continue;
        std::int64_t marks = 0;
        for_each_counted(body_of(code, first), [&marks](const Instruction& step, std::uint64_t times) {
            if (step.op == Op::iteration) marks += static_cast<std::int64_t>(times);
        });
        std::fill(counts.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                  counts.begin() + static_cast<std::ptrdiff_t>(code[first].operand) + 1, marks);
    }
    return counts;
}

std::vector<Traffic> traffic_by_send_endpoint(const RankClass& rank_class) {
    std::vector<Traffic> result(rank_class.send_endpoints.size());
    for_each_counted(rank_class.code, [&](const Instruction& instruction, std::uint64_t times) {
        if (!sends(instruction.op, Operand::send_endpoint)) return;
        Traffic& send_endpoint = result[instruction.operand];
        send_endpoint.messages = checked_sum(send_endpoint.messages, times);
        send_endpoint.bytes = checked_sum<Wide>(send_endpoint.bytes, checked_product<Wide>(times, instruction.amount));
    });
    return result;
}

Traffic traffic(const Program& program) {
    std::vector<std::uint64_t> members(program.classes.size(), 0);
    for (const std::uint32_t rank_class : program.class_of) ++members[rank_class];
    Traffic total;
    for (std::size_t i = 0; i < program.classes.size(); ++i) {
        std::vector<Traffic> parts = traffic_by_send_endpoint(program.classes[i]);
        parts.push_back(replies(program.classes[i]));
        for (const Traffic& part : parts) {
            total.messages = checked_sum(total.messages, checked_product(part.messages, members[i]));
            total.bytes = checked_sum<Wide>(total.bytes, checked_product<Wide>(part.bytes, members[i]));
        }
    }
    return total;
}

}  // namespace warpfront::program
