// An allreduce over all ranks by recursive doubling, as one instruction.
#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

/// Step by step: post, send, wait. Both partners of a step number it alike.
Next ProgramInterpreter::allreduce(Rank rank, RankLine& line, SizeId size) {
    if (line.collective_position == 0) {
        state_.statistics[rank].collective -= line.clock;
        if (state_.timeline != nullptr) state_.timeline->begin_collective(rank, line.clock);
        line.collective_position = 1;
    }
    for (;;) {
        const std::uint32_t step = (line.collective_position - 1U) / 3;
        if (step == layout_.collective_steps) break;
        if (step_of_allreduce(rank, line, step, size) == Next::stop) return Next::stop;
    }
    state_.statistics[rank].collective += line.clock;
    if (state_.timeline != nullptr) state_.timeline->end_collective(rank, line.clock, layout_.code[line.at].site);
    add_waves(line, layout_.collective_steps);
    line.collective_position = 0;
    ++line.at;
    return Next::go_on;
}

Next ProgramInterpreter::step_of_allreduce(Rank rank, RankLine& line, std::uint32_t step, SizeId size) {
    enum Part : std::uint32_t { post, send, wait };
    const ReceiveEndpointId receive_endpoint = layout_.collective_receive_endpoint(rank, step);
    const SendEndpointId send_endpoint = layout_.collective_send_endpoint(rank, step);
    const bool receives = state_.receive_endpoints[receive_endpoint].send_endpoint != kNone;
    const bool sends = state_.send_endpoint(send_endpoint).receive_endpoint != kNone;
    const auto part = static_cast<Part>((line.collective_position - 1U) % 3);
    if (part == send && sends) {
        ++messages_of_collectives_;
        return protocol_.send(rank, line, send_endpoint, size);
    }
    if (part == wait && receives) return protocol_.wait_receive(rank, line, receive_endpoint);
    if (part == post && receives) protocol_.post(line, receive_endpoint);
    ++line.collective_position;
    return Next::go_on;
}

}  // namespace warpfront::engine
