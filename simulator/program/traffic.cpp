#include "simulator/program/counting.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::program {

std::vector<Traffic> traffic_by_send_endpoint(const RankClass& rank_class) {
    std::vector<Traffic> result(rank_class.send_endpoints.size());
    for_each_counted(rank_class.code, [&](const Instruction& instruction, std::uint64_t times) {
        if (!is_send(instruction.op)) return;
        Traffic& send_endpoint = result[instruction.operand];
        send_endpoint.messages = checked_sum(send_endpoint.messages, times);
        send_endpoint.bytes = checked_sum<Wide>(send_endpoint.bytes, checked_product<Wide>(times, instruction.amount));
    });
    return result;
}

namespace {

/// To ranks that the run itself decides.
Traffic replies(const RankClass& rank_class) {
    Traffic result;
    for_each_counted(rank_class.code, [&](const Instruction& instruction, std::uint64_t times) {
        if (!answers(instruction.op)) return;
        result.messages = checked_sum(result.messages, times);
        result.bytes = checked_sum<Wide>(result.bytes, checked_product<Wide>(times, instruction.amount));
    });
    return result;
}

}  // namespace

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
