// Executes the programs of the ranks of one partition, instruction by instruction.
//
// A rank is simulated until it must wait: for a message, for its partner's post, or for a shared resource. Only
// requests for shared resources need an order, and each of them is an event of the calendar. Everything else is
// dataflow: the end of a wait determines when the rank continues, in whatever order ranks are simulated. So ranks run
// ahead of the calendar until they need a shared resource. MessageProtocol performs the operations of messages
// (message_protocol.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/shared_memory.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

/// The number of instructions after which a rank lets others catch up, about a tile. Otherwise a rank that never has to
/// wait would fill its channels. Receivers would then find its messages in the backlog and not at the head of the
/// channel.
inline constexpr unsigned kInstructionsPerTurn = 8;

template <bool kPlain>
class ProgramInterpreter {
public:
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    explicit ProgramInterpreter(PartitionContext& context)
        : context_(context),
          layout_(context.layout),
          state_(context.state),
          run_{layout_, state_},
          ranks_(state_.ranks),
          code_(layout_.code),
          protocol_(context),
          memory_(context),
          takes_nominal_(context.compute_time == nullptr && !run_.memory_shared() && !run_.progress_in_calls()) {}

    /// Simulates ranks until each of them needs an event or the end of its pause, or until `most` ranks have been
    /// simulated.
    void run_until_quiescent(std::uint64_t most = kAll) {
        for (std::uint64_t stepped = 0; !quiescent() && stepped < most; context_.turn.clear()) {
            context_.turn.swap(context_.ready);
            for (const Rank rank : context_.turn) run(rank);
            stepped += context_.turn.size();
        }
    }
    /// Serves an event, and simulates all ranks that can then continue.
    [[gnu::always_inline]] void serve(EventId event) {
        ++context_.events;
        switch (event.kind()) {
            case EventKind::request: serve_request(event.rank()); break;
            case EventKind::arrival: serve_arrival(event.receive_endpoint()); break;
            case EventKind::departure: protocol_.depart_begun(event.send_endpoint()); break;
            case EventKind::links: protocol_.serve_links({event.index()}); break;
            case EventKind::end_of_block: end_block(event.rank()); break;
            case EventKind::revocable: serve_revocable(context_.revocable.take(event.index())); break;
            case EventKind::acknowledge:
                protocol_.act(ProgressStep::acknowledge(context_.now, event.receive_endpoint()));
                break;
            case EventKind::leave: protocol_.act(ProgressStep::leave(context_.now, event.send_endpoint())); break;
        }
        if (!quiescent()) run_until_quiescent();
    }
    /// Returns when a rank first acts. Posting a receive is no action here, since a post has no effect until the sender
    /// reaches its send.
    std::int64_t acts_at(Rank rank, const RankLine& beginning) const {
        RankLine line = beginning;
        for (;; ++line.at) {
            const program::Instruction& step = code_[line.at];
            if (step.op == program::Op::recv || step.op == program::Op::wait_recv || step.op == program::Op::finish)
                return kHorizon.ps;
            if (program::computes(step.op) && step.amount > 0) return line.clock + alone(rank, line, {step.amount}).ps;
            const bool takes_no_time = step.op == program::Op::irecv || step.op == program::Op::phase ||
                                       step.op == program::Op::loop || program::computes(step.op);
            if (!takes_no_time) return line.clock;
        }
    }
    /// Moves paused ranks that have left their loops to the beginning of the next loop.
    void enter_loops() {
        for (const Rank rank : context_.paused) pass_loop_borders(rank, ranks_[rank]);
    }
    void resume_paused() {
        for (const Rank rank : context_.paused) context_.wake(rank, ranks_[rank]);
        context_.paused.clear();
        context_.paused_until = kHorizon.ps;
    }

    bool quiescent() const { return context_.ready.empty(); }
    MessageProtocol<kPlain>& protocol() { return protocol_; }
    const MessageProtocol<kPlain>& protocol() const { return protocol_; }

private:
    // --- events of the calendar --------------------------------------------------------------------------------------

    [[gnu::always_inline]] void serve_request(Rank rank) {
        RankLine& line = ranks_[rank];
        if (line.state == RankState::requests_compute) {
            memory_.begin(rank, line, next_block(rank, line, {code_[line.at].amount}));
        } else if (protocol_.serve(rank, line) == Next::go_on) {
            run(rank);
        }
    }
    /// Serves an arrival. A rank that has waited for the message may request at once to receive it.
    [[gnu::always_inline]] void serve_arrival(ReceiveEndpointId receive_endpoint) {
        context_.nothing_else_now = !context_.calendar.has_more_at(context_.now);
        const Rank goes_on = protocol_.receive_at_nic(receive_endpoint);
        context_.nothing_else_now = false;
        if (goes_on != kNone) run(goes_on);
    }
    /// Serves a revocable event. An event that was revoked has no effect.
    [[gnu::noinline]] void serve_revocable(const RevocableEvent& event) {
        if (event.revoked) return;
        switch (event.kind) {
            case RevocableEvent::Kind::end_of_block: return end_block(event.rank);
            case RevocableEvent::Kind::match_of_receive: return protocol_.match_open(event.rank);
            case RevocableEvent::Kind::match:
                if (protocol_.match(event.rank, ranks_[event.rank]) == Next::go_on) run(event.rank);
        }
    }
    [[gnu::noinline]] void end_block(Rank rank) {
        RankLine& line = ranks_[rank];
        const bool alone_in_block = line.state == RankState::in_block;
        if (run_.paths() != nullptr) {
            alone_in_block ? run_.paths()->pass_block(rank, line.clock)
                           : run_.paths()->pass_shared_block(rank, line.clock);
        }
        protocol_.advance(rank, line, record::Activity::compute);
        if (alone_in_block) {
            line.state = RankState::running;
        } else {
            memory_.end(rank, line);
            ++state_.statistics[rank].blocks;
        }
        ++line.at;
        if (!run_.progress_in_calls() || next_call(rank, line) == Next::go_on) run(rank);
    }
    /// Continues from the end of a block to the next message operation. Stops if another block comes first.
    Next next_call(Rank rank, RankLine& line) {
        for (;;) {
            const program::Instruction& step = code_[line.at];
            const program::Effect effect = program::operation(step.op).effect;
            const bool no_call =
                effect == program::Effect::work || effect == program::Effect::loop || effect == program::Effect::mark;
            if (!no_call) break;
            if (execute(rank, line, step) == Next::stop) return Next::stop;
        }
        protocol_.enter_call(rank, line);
        return Next::go_on;
    }

    // --- instructions ------------------------------------------------------------------------------------------------

    [[gnu::noinline]] void run(Rank rank) {
        ++context_.events;
        RankLine& line = ranks_[rank];
        for (unsigned executed = 0; executed < kInstructionsPerTurn; ++executed) {
            if (execute(rank, line, code_[line.at]) == Next::stop) return;
        }
        context_.ready.push_back(rank);
    }
    [[gnu::always_inline]] Next execute(Rank rank, RankLine& line, const program::Instruction& step) {
        const auto sends = [&] { return layout_.send_endpoint_numbers.at(rank, step.operand); };
        const auto receives = [&] { return layout_.receive_endpoint_numbers.at(rank, step.operand); };
        const SizeId size = size_in(step);
        using program::Op;
        switch (step.op) {
            case Op::compute: return compute(rank, line, {step.amount});
            case Op::delay: return delay(rank, line, {step.amount});
            case Op::ssend:
            case Op::send: ++context_.messages; return protocol_.send(rank, line, sends(), size);
            case Op::recv: protocol_.post(line, receives()); return protocol_.wait_receive(rank, line, receives());
            case Op::irecv:
                if (run_.has_choices()) protocol_.post_by_name(line, receives());
                protocol_.post(line, receives());
                ++line.at;
                return Next::go_on;
            case Op::wait_recv:
                if (run_.has_choices()) return protocol_.await_posted(rank, line, receives());
                return protocol_.wait_receive(rank, line, receives());
            case Op::isend: ++context_.messages; return protocol_.isend(rank, line, sends(), size);
            case Op::wait_send: return protocol_.wait_send(rank, line, sends());
            case Op::irecv_any: return protocol_.post_for_any(rank, line);
            case Op::wait_recv_any: return protocol_.wait_for_open(rank, line);
            case Op::recv_any:
            case Op::wait_any: return protocol_.choose(rank, line);
            case Op::reply: ++context_.messages; return protocol_.reply(rank, line, size);
            case Op::ireply: ++context_.messages; return protocol_.ireply(rank, line, size);
            case Op::wait_reply: return protocol_.wait_reply(rank, line);
            case Op::loop:
                line.iterations_left[step.depth] = static_cast<std::uint32_t>(step.amount);
                ++line.at;
                return Next::go_on;
            case Op::end_loop: return end_loop_iteration(rank, line, step);
            case Op::allreduce: return allreduce(rank, line, size);
            case Op::iteration: return end_iteration(rank, line);
            case Op::phase:
                begin_phase(layout_, state_, rank, line, step.operand);
                ++line.at;
                return Next::go_on;
            case Op::finish:
                end_phases(layout_, state_, rank, line);
                line.state = RankState::done;
                ++context_.done;
                return Next::stop;
        }
        return Next::stop;
    }
    Next compute(Rank rank, RankLine& line, Time nominal) {
        if (takes_nominal_) return delay(rank, line, nominal);
        if (run_.memory_shared() && nominal.ps > 0) {
            if (run_.progress_in_calls()) protocol_.leave_call(rank, line);
            memory_.request(rank, line);
            return Next::stop;
        }
        const Time time = next_block(rank, line, nominal);
        if (nominal.ps > 0) ++state_.statistics[rank].blocks;
        return delay(rank, line, time);
    }
    Next delay(Rank rank, RankLine& line, Time time) {
        if (!takes_nominal_) {
            state_.statistics[rank].compute += time.ps;
            if (run_.progress_in_calls() && time.ps > 0) return protocol_.begin_block(rank, line, time);
        }
        line.clock += time.ps;
        if (run_.paths() != nullptr) run_.paths()->pass_block(rank, line.clock);
        protocol_.advance(rank, line, record::Activity::compute);
        context_.check_horizon(rank, line);
        ++line.at;
        return Next::go_on;
    }
    /// Returns the time of the rank's next block in this iteration. The block begins at the rank's clock.
    [[gnu::noinline]] Time alone(Rank rank, const RankLine& line, Time nominal) const {
        if (context_.compute_time == nullptr) return nominal;
        return (*context_.compute_time)(rank, line.wave, state_.statistics[rank].blocks, block_of(line, nominal),
                                        {line.clock});
    }
    const variation::ComputeTime::Block& block_of(const RankLine& line, Time nominal) const {
        variation::ComputeTime::Block& block = context_.blocks[line.at.index % context_.blocks.size()];
        if (block.nominal() != nominal) block = context_.compute_time->block(nominal);
        return block;
    }
    /// Returns the time of the rank's next block, which begins at the rank's clock.
    Time next_block(Rank rank, const RankLine& line, Time nominal) const {
        if (run_.paths() != nullptr && context_.compute_time != nullptr) {
            run_.paths()->expect_noise(rank,
                                       context_.compute_time->noise_in(rank, line.wave, state_.statistics[rank].blocks,
                                                                       block_of(line, nominal), {line.clock}));
        }
        return alone(rank, line, nominal);
    }
    /// Ends a loop iteration and counts a wave. If the loop iteration ends an iteration of the model, no wave is
    /// counted, since each iteration of the model begins at wave 0.
    Next end_loop_iteration(Rank rank, RankLine& line, const program::Instruction& end) {
        if (code_[line.at - 1].op != program::Op::iteration) add_waves(line, 1);
        if (line.wave == 1) state_.statistics[rank].first_tile = line.clock;
        context_.check_horizon(rank, line);
        line.at = --line.iterations_left[end.depth] > 0 ? InstructionId{end.operand} + 1 : line.at + 1;
        return Next::go_on;
    }

    // --- an allreduce over all ranks by recursive doubling, as one instruction ---------------------------------------

    /// Performs an allreduce step by step: post, send, wait. Both partners use the same number for a step.
    [[gnu::noinline]] Next allreduce(Rank rank, RankLine& line, SizeId size) {
        if (line.collective_position == 0) {
            state_.statistics[rank].collective -= line.clock;
            if (run_.timeline() != nullptr) run_.timeline()->begin_collective(rank, line.clock);
            line.collective_position = 1;
            ++context_.in_collectives;
        }
        for (;;) {
            const std::uint32_t step = (line.collective_position - 1U) / 3;
            if (step == layout_.collective_steps_of(rank)) break;
            if (step_of_allreduce(rank, line, step, size) == Next::stop) return Next::stop;
        }
        state_.statistics[rank].collective += line.clock;
        context_.leave_collective(line);
        if (run_.timeline() != nullptr) run_.timeline()->end_collective(rank, line.clock, code_[line.at].site);
        add_waves(line, layout_.collective_steps_of(rank));
        line.collective_position = 0;
        ++line.at;
        return Next::go_on;
    }
    Next step_of_allreduce(Rank rank, RankLine& line, std::uint32_t step, SizeId size) {
        enum Part : std::uint32_t { post, send, wait };
        const ReceiveEndpointId receive_endpoint = layout_.collective_receive_endpoint(rank, step);
        const SendEndpointId send_endpoint = layout_.collective_send_endpoint(rank, step);
        const bool receives = state_.receive_endpoints[receive_endpoint].send_endpoint != kNone;
        const bool sends = state_.send_endpoint(send_endpoint).receive_endpoint != kNone;
        const auto part = static_cast<Part>((line.collective_position - 1U) % 3);
        if (part == send && sends) {
            ++context_.messages_of_collectives;
            return protocol_.send(rank, line, send_endpoint, size);
        }
        if (part == wait && receives) return protocol_.wait_receive(rank, line, receive_endpoint);
        if (part == post && receives) protocol_.post(line, receive_endpoint);
        ++line.collective_position;
        return Next::go_on;
    }

    // --- the end of an iteration, after which ranks may be paused ----------------------------------------------------

    [[gnu::noinline]] Next end_iteration(Rank rank, RankLine& line) {
        const std::uint64_t iteration = line.wave >> kWaveBits;
        context_.tracker.pass(iteration, line.clock);
        context_.end_window();
        if (run_.timeline() != nullptr) run_.timeline()->end_iteration(rank, line.clock);
        line.wave = (iteration + 1) << kWaveBits;
        if (context_.compute_time != nullptr) state_.statistics[rank].blocks = 0;
        ++line.at;
        if (!context_.pauses_at_iterations) return Next::go_on;
        pass_loop_borders(rank, line);
        if (code_[line.at].op == program::Op::finish) return Next::go_on;
        const std::int64_t acts = acts_at(rank, line);
        if (acts < context_.window_end()) {
            context_.pauses_at_iterations = false;
            context_.first_wave_after_pausing = line.wave;
            context_.pausing_ended_until = context_.window_end();
            resume_paused();
            return Next::go_on;
        }
        line.state = RankState::at_iteration_end;
        context_.paused.push_back(rank);
        context_.paused_until = std::min(context_.paused_until, acts);
        return Next::stop;
    }
    /// Moves the rank from the end of an iteration of an outermost loop to the beginning of the next iteration, or of
    /// the next loop.
    void pass_loop_borders(Rank rank, RankLine& line) {
        for (;;) {
            const program::Instruction& step = code_[line.at];
            if (step.depth != 0 || (step.op != program::Op::loop && step.op != program::Op::end_loop)) return;
            execute(rank, line, step);
        }
    }

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    const Features<kPlain> run_;
    const IndexedSpan<Rank, RankLine> ranks_;
    const IndexedSpan<InstructionId, const program::Instruction> code_;
    MessageProtocol<kPlain> protocol_;
    SharedMemory memory_;
    const bool takes_nominal_;  // true if blocks take the times of their programs
};

}  // namespace warpfront::engine
