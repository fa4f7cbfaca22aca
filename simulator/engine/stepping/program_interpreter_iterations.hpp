// Ranks between iterations: marks passed, ranks held until all have ended the iteration, and released.
#pragma once

#include <algorithm>

#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

using program::Op;

template <bool kPlain>
Next ProgramInterpreter<kPlain>::end_iteration(std::uint32_t rank, RankLine& line) {
    const std::uint64_t iteration = line.wave >> kWaveBits;
    context_.iterations.pass(iteration, line.clock);
    if (timeline() != nullptr) timeline()->end_iteration(rank, line.clock);
    line.wave = (iteration + 1) << kWaveBits;
    ++line.at;
    if (!context_.hold_at_iterations) return Next::go_on;
    pass_loop_borders(rank, line);
    if (layout_.code[line.at].op == Op::finish) return Next::go_on;
    const std::int64_t acts = acts_at(rank, line);
    if (acts < context_.served_until) {
        context_.hold_at_iterations = false;
        release_held();
        return Next::go_on;
    }
    line.state = RankState::at_iteration_end;
    context_.held.push_back(rank);
    context_.held_until = std::min(context_.held_until, acts);
    return Next::stop;
}

template <bool kPlain>
void ProgramInterpreter<kPlain>::release_held() {
    for (const std::uint32_t rank : context_.held) context_.wake(rank, state_.ranks[rank]);
    context_.held.clear();
    context_.held_until = kHorizon.ps;
}

template <bool kPlain>
void ProgramInterpreter<kPlain>::enter_loops() {
    for (const std::uint32_t rank : context_.held) pass_loop_borders(rank, state_.ranks[rank]);
}

/// Posting a receive is no such act: its notice has no effect until the sender gets to its send.
template <bool kPlain>
std::int64_t ProgramInterpreter<kPlain>::acts_at(std::uint32_t rank, RankLine line) const {
    for (;; ++line.at) {
        const program::Instruction& step = layout_.code[line.at];
        if (step.op == Op::recv || step.op == Op::wait_recv || step.op == Op::finish) return kHorizon.ps;
        if (step.op == Op::compute && step.amount > 0) return line.clock + alone(rank, line).ps;
        const bool takes_no_time =
            step.op == Op::irecv || step.op == Op::phase || step.op == Op::loop || step.op == Op::compute;
        if (!takes_no_time) return line.clock;
    }
}

}  // namespace warpfront::engine
