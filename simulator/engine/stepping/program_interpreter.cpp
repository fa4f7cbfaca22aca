#include "simulator/engine/stepping/program_interpreter.hpp"

#include <algorithm>

namespace warpfront::engine {

namespace {

using program::Op;
using Kind = ResourceRequest::Kind;

/// A rank that nothing stops would fill its channels; after about a tile it lets the others catch up, so that what it
/// sends is taken from the head of its channel and not from behind it.
constexpr unsigned kInstructionsPerTurn = 8;

}  // namespace

ProgramInterpreter::ProgramInterpreter(PartitionContext& context, MessageProtocol& protocol,
                                       const variation::ComputeTime* compute_time)
    : context_(context),
      layout_(context.layout),
      state_(context.state),
      protocol_(protocol),
      compute_time_(compute_time),
      memory_(context),
      plain_(compute_time == nullptr && !layout_.memory.shared),
      messages_request_(layout_.has_begun || layout_.has_choices) {}

void ProgramInterpreter::start(Rank rank, InstructionId entry) {
    state_.ranks[rank].at = entry;
    context_.ready.push_back(rank);
}

void ProgramInterpreter::run_until_quiescent(std::uint64_t most) {
    for (std::uint64_t stepped = 0; !quiescent() && stepped < most; turn_.clear()) {
        turn_.swap(context_.ready);
        for (const Rank rank : turn_) run(rank);
        stepped += turn_.size();
    }
}

void ProgramInterpreter::serve_node(Node node, std::int64_t limit) {
    for (;;) {
        NextRequest next = next_request(layout_, state_, node, limit);
        const std::int64_t arrives = layout_.ejects ? state_.arrival(layout_, node) : kHorizon.ps;
        Kind kind = Kind::of_rank;
        if (messages_request_) {
            next.rank = before_matches(node, next);
            kind = next_kind(node, next, std::min(limit, arrives));
        }
        if (kind == Kind::match) {
            protocol_.match_open(protocol_.open_receives().first(node)->rank);
        } else if (kind == Kind::departure) {
            protocol_.serve_begun(node, limit);
        } else if (arrives <= next.time && arrives < limit) {
            protocol_.receive_at_nic(node);
        } else if (next.rank != kNone) {
            if (serve(next.rank, limit) == Next::go_on) run(next.rank);
        } else {
            return;
        }
        if (!quiescent()) run_until_quiescent();
    }
}

void ProgramInterpreter::serve_in_order(const ResourceRequest& request, network::Order order) {
    if (request.kind == Kind::ejection) {
        protocol_.receive_at_nic(request.node);
    } else if (request.kind == Kind::departure) {
        protocol_.depart_begun(request.send_endpoint(), request.time + 1);
    } else if (request.kind == Kind::match) {
        const bool stands = protocol_.open_receives().is_next(request.rank(), request.time, order.age);
        if (stands) protocol_.match_open(request.rank());
    } else if (!withdrawn(request, order.age) && serve(request.rank(), request.time + 1) == Next::go_on) {
        run(request.rank());
    }
    run_until_quiescent();
}

void ProgramInterpreter::run(Rank rank) {
    ++context_.events;
    RankLine& line = state_.ranks[rank];
    for (unsigned executed = 0; executed < kInstructionsPerTurn; ++executed) {
        if (execute(rank, line, layout_.code[line.at]) == Next::stop) return;
    }
    context_.ready.push_back(rank);
}

[[gnu::always_inline]] inline Next ProgramInterpreter::execute(Rank rank, RankLine& line,
                                                               const program::Instruction& step) {
    const auto sends = [&] { return layout_.send_endpoint_numbers.at(rank, step.operand); };
    const auto receives = [&] { return layout_.receive_endpoint_numbers.at(rank, step.operand); };
    const SizeId size = size_in(step);
    switch (step.op) {
        case Op::compute: return compute(rank, line, {step.amount});
        case Op::delay: return delay(rank, line, {step.amount});
        case Op::ssend:
        case Op::send: ++messages_; return protocol_.send(rank, line, sends(), size);
        case Op::recv: protocol_.post(line, receives()); return protocol_.wait_receive(rank, line, receives());
        case Op::irecv:
            if (layout_.has_choices) protocol_.post_for_wait_any(receives());
            protocol_.post(line, receives());
            ++line.at;
            return Next::go_on;
        case Op::wait_recv:
            if (layout_.has_choices) protocol_.complete_for_wait_any(receives());
            return protocol_.wait_receive(rank, line, receives());
        case Op::isend: ++messages_; return protocol_.isend(rank, line, sends(), size);
        case Op::wait_send: return protocol_.wait_send(rank, line, sends());
        case Op::irecv_any: return protocol_.post_for_any(rank, line);
        case Op::wait_recv_any: return protocol_.wait_for_open(rank, line);
        case Op::recv_any:
        case Op::wait_any: return protocol_.choose(rank, line);
        case Op::reply: ++messages_; return protocol_.reply(rank, line, size);
        case Op::ireply: ++messages_; return protocol_.ireply(rank, line, size);
        case Op::wait_reply: return protocol_.wait_reply(rank, line);
        case Op::loop:
            line.trips_left[step.depth] = static_cast<std::uint32_t>(step.amount);
            ++line.at;
            return Next::go_on;
        case Op::end_loop: return end_trip(rank, line, step);
        case Op::allreduce: return allreduce(rank, line, size);
        case Op::iteration: return end_iteration(rank, line);
        case Op::phase:
            begin_phase(layout_, state_, rank, line, step.operand);
            ++line.at;
            return Next::go_on;
        case Op::finish:
            end_phases(layout_, state_, rank, line);
            line.state = RankState::done;
            ++done_;
            return Next::stop;
    }
    return Next::stop;
}

inline Next ProgramInterpreter::compute(Rank rank, RankLine& line, Time nominal) {
    if (plain_) return delay(rank, line, nominal);
    if (layout_.memory.shared && nominal.ps > 0) {
        memory_.request(rank, line);
        return Next::stop;
    }
    return delay(rank, line, alone(rank, line, nominal));
}

inline Next ProgramInterpreter::delay(Rank rank, RankLine& line, Time time) {
    if (!plain_) state_.statistics[rank].compute += time.ps;
    line.clock += time.ps;
    if (state_.paths != nullptr) state_.paths->pass(rank, line.clock, PathPart::compute);
    protocol_.advance(rank, line, record::Activity::compute);
    context_.check_horizon(rank, line);
    ++line.at;
    return Next::go_on;
}

/// The time that a block takes which begins at the rank's clock. Instructions distinguish the blocks of one wave: a
/// statement may stand in the code several times.
Time ProgramInterpreter::alone(Rank rank, const RankLine& line, Time nominal) const {
    if (compute_time_ == nullptr) return nominal;
    variation::ComputeTime::Block& block = blocks_[line.at.index % blocks_.size()];
    if (block.nominal() != nominal) block = compute_time_->block(nominal);
    return (*compute_time_)(rank, line.wave, line.at.index, block, {line.clock});
}

inline Next ProgramInterpreter::serve(Rank rank, std::int64_t limit) {
    if (layout_.memory.shared) {
        RankLine& line = state_.ranks[rank];
        if (line.state == RankState::requests_compute || line.state == RankState::computing) {
            return serve_compute(rank, line);
        }
    }
    return protocol_.serve(rank, limit);
}

/// A block begins or ends.
Next ProgramInterpreter::serve_compute(Rank rank, RankLine& line) {
    ++context_.events;
    if (line.state == RankState::requests_compute) {
        memory_.begin(rank, line, alone(rank, line, {layout_.code[line.at].amount}));
        return Next::stop;
    }
    if (state_.paths != nullptr) {
        const Chain& chain = state_.paths->of(rank);
        RankLine begun = line;
        begun.clock = chain.end;
        state_.paths->pass_block(rank, alone(rank, begun, {layout_.code[line.at].amount}), line.clock);
    }
    protocol_.advance(rank, line, record::Activity::compute);
    memory_.end(line);
    ++line.at;
    return Next::go_on;
}

/// The end of a block of computing, or a match, may have moved since this request was made, and another took its place;
/// the rank may even have got to its next request, of the same time.
bool ProgramInterpreter::withdrawn(const ResourceRequest& request, network::Age age) const {
    if (!layout_.memory.shared && !layout_.has_choices) return false;
    const RankLine& line = state_.ranks[request.rank()];
    const std::int64_t time = state_.request_time(layout_.hot_state_of(line.node), line.core);
    return time != request.time || age_of(layout_, line) != age;
}

/// Each iteration begins at wave 0, so a loop's trip that ends one makes no wave of its own.
inline Next ProgramInterpreter::end_trip(Rank rank, RankLine& line, const program::Instruction& end) {
    if (layout_.code[line.at - 1].op != Op::iteration) add_waves(line, 1);
    if (line.wave == 1) state_.statistics[rank].first_tile = line.clock;
    context_.check_horizon(rank, line);
    line.at = --line.trips_left[end.depth] > 0 ? InstructionId{end.operand} + 1 : line.at + 1;
    return Next::go_on;
}

/// From the end of a trip of an outermost loop to the beginning of the next, or of the loop that follows.
void ProgramInterpreter::pass_loop_borders(Rank rank, RankLine& line) {
    for (;;) {
        const program::Instruction& step = layout_.code[line.at];
        if (step.depth != 0 || (step.op != Op::loop && step.op != Op::end_loop)) return;
        execute(rank, line, step);
    }
}

}  // namespace warpfront::engine
