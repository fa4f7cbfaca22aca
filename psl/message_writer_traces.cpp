// Writes the operations of a rank's trace.
#include <utility>
#include <vector>

#include "psl/message_writer.hpp"

namespace warpfront::psl {

using program::Op;

/// Computing is as recorded, so it passes as it is.
void MessageWriter::trace(const ResidualStatement& each, const program::RankClass& operations) {
    for (const program::Channel& channel : operations.send_endpoints) refuse_second(each, channel, true);
    for (const program::Channel& channel : operations.receive_endpoints) refuse_second(each, channel, false);
    const std::vector<std::uint32_t> choices = choices_of(operations);
    for (const program::Instruction& step : operations.code) {
        const auto push = [&](Op op, std::uint32_t operand) { code_.push(op, each.site, operand, step.amount); };
        switch (step.op) {
            case Op::iteration:
            case Op::finish: break;
            case Op::compute: push(Op::delay, 0); break;
            case Op::send:
            case Op::ssend:
            case Op::isend:
            case Op::wait_send: push(step.op, code_.sends_on(operations.send_endpoints[step.operand])); break;
            case Op::recv:
            case Op::irecv:
            case Op::wait_recv: push(step.op, code_.receives_on(operations.receive_endpoints[step.operand])); break;
            case Op::recv_any:
            case Op::wait_any: push(step.op, choices[step.operand]); break;
            case Op::allreduce: push(step.op, 0); break;
            case Op::reply:
            case Op::delay:
            case Op::loop:
            case Op::end_loop:
            case Op::phase: break;  // in no trace
        }
    }
}

/// The numbers that they have in the class that is written.
std::vector<std::uint32_t> MessageWriter::choices_of(const program::RankClass& operations) {
    std::vector<std::uint32_t> numbers;
    for (const program::Choice& choice : operations.choices) {
        program::Choice own;
        for (const std::uint32_t endpoint : choice.receive_endpoints) {
            own.receive_endpoints.push_back(code_.receives_on(operations.receive_endpoints[endpoint]));
        }
        numbers.push_back(code_.choice(std::move(own)));
    }
    return numbers;
}

}  // namespace warpfront::psl
