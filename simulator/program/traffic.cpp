#include <algorithm>

#include "simulator/program/counting.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::program {

std::vector<Traffic> traffic_by_send_endpoint(const RankClass& rank_class) {
    std::vector<Traffic> result(rank_class.send_endpoints.size());
    for_each_counted(rank_class, [&](const Instruction& instruction, std::uint64_t times) {
        if (!is_send(instruction.op)) return;
        Traffic& send_endpoint = result[instruction.operand];
        send_endpoint.messages = checked_sum(send_endpoint.messages, times);
        send_endpoint.bytes = checked_sum<Wide>(send_endpoint.bytes, checked_product<Wide>(times, instruction.amount));
    });
    return result;
}

namespace {

bool has(const Program& program, Op op) {
    return std::any_of(program.classes.begin(), program.classes.end(), [op](const RankClass& rank_class) {
        return std::any_of(rank_class.code.begin(), rank_class.code.end(),
                           [op](const Instruction& step) { return step.op == op; });
    });
}

}  // namespace

bool has_allreduce(const Program& program) { return has(program, Op::allreduce); }

bool has_isend(const Program& program) { return has(program, Op::isend); }

bool has_delay(const Program& program) { return has(program, Op::delay); }

Traffic traffic(const Program& program) {
    std::vector<std::uint64_t> members(program.classes.size(), 0);
    for (const std::uint32_t rank_class : program.class_of) ++members[rank_class];
    Traffic total;
    for (std::size_t i = 0; i < program.classes.size(); ++i) {
        for (const Traffic& send_endpoint : traffic_by_send_endpoint(program.classes[i])) {
            total.messages = checked_sum(total.messages, checked_product(send_endpoint.messages, members[i]));
            total.bytes = checked_sum<Wide>(total.bytes, checked_product<Wide>(send_endpoint.bytes, members[i]));
        }
    }
    return total;
}

}  // namespace warpfront::program
