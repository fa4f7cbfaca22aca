// Ranks between iterations: marks passed, ranks held until all have ended the iteration, and released.
#include <algorithm>

#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

using program::Op;

Next ProgramInterpreter::end_iteration(Rank rank, RankLine& line) {
    const std::uint64_t iteration = line.wave >> kWaveBits;
    tracker_.pass(iteration, line.clock);
    if (state_.timeline != nullptr) state_.timeline->end_iteration(rank, line.clock);
    line.wave = (iteration + 1) << kWaveBits;
    ++line.at;
    if (!hold_at_iterations) return Next::go_on;
    pass_loop_borders(rank, line);
    if (layout_.code[line.at].op == Op::finish) return Next::go_on;
    const std::int64_t acts = acts_at(rank, line);
    if (acts < served_until) {
        hold_at_iterations = false;
        release_held();
        return Next::go_on;
    }
    line.state = RankState::at_iteration_end;
    held_.push_back(rank);
    held_until_ = std::min(held_until_, acts);
    return Next::stop;
}

void ProgramInterpreter::release_held() {
    for (const Rank rank : held_) context_.wake(rank, state_.ranks[rank]);
    held_.clear();
    held_until_ = kHorizon.ps;
}

void ProgramInterpreter::enter_loops() {
    for (const Rank rank : held_) pass_loop_borders(rank, state_.ranks[rank]);
}

/// Posting a receive is no such act: its notice has no effect until the sender gets to its send.
std::int64_t ProgramInterpreter::acts_at(Rank rank, const RankLine& beginning) const {
    RankLine line = beginning;
    for (;; ++line.at) {
        const program::Instruction& step = layout_.code[line.at];
        if (step.op == Op::recv || step.op == Op::wait_recv || step.op == Op::finish) return kHorizon.ps;
        if (step.op == Op::compute && step.amount > 0) return line.clock + alone(rank, line, {step.amount}).ps;
        const bool takes_no_time =
            step.op == Op::irecv || step.op == Op::phase || step.op == Op::loop || step.op == Op::compute;
        if (!takes_no_time) return line.clock;
    }
}

}  // namespace warpfront::engine
