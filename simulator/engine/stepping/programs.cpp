// Ranks going through their programs, instruction by instruction.
#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

/// A rank that nothing stops would fill its channels; after about a tile it lets the others catch up, so that what it
/// sends is taken from the head of its channel and not from behind it.
constexpr unsigned kTurn = 8;

}  // namespace

Stepper::Stepper(const Layout& layout, State& state, const ComputeTime* compute_time)
    : layout_(layout), state_(state), compute_time_(compute_time), backlog_(state.queues, state.budget) {}

void Stepper::address(std::uint32_t partitions, const std::vector<std::uint16_t>* partition_of) {
    signals_.resize(partitions);
    partition_of_ = partition_of;
}

void Stepper::start(std::uint32_t rank, std::uint32_t entry) {
    state_.ranks[rank].at = entry;
    ready_.push_back(rank);
}

void Stepper::wake(std::uint32_t rank, RankLine& line) {
    check_horizon(rank, line);
    line.state = RankState::running;
    ready_.push_back(rank);
}

/// `kHorizon` itself means never.
void Stepper::check_horizon(std::uint32_t rank, const RankLine& line) const {
    if (line.clock >= kHorizon.ps) throw TimeOverflow({rank}, layout_.code[line.at].site);
}

/// The message with this cost that will arrive too late is of the first such statement of its sender.
void Stepper::arrives_too_late(const SendEndpoint& out, std::uint32_t cost) const {
    const std::uint32_t send_endpoint = state_.receive_endpoints[out.receive_endpoint].send_endpoint;
    const std::uint32_t rank = layout_.rank_of_send_endpoint(send_endpoint);
    if (send_endpoint >= layout_.first_collective_send_endpoint) {
        throw TimeOverflow({rank}, layout_.code[state_.ranks[rank].at].site);
    }
    const auto rank_class = std::upper_bound(layout_.entry.begin(), layout_.entry.end(), state_.ranks[rank].at) - 1;
    throw TimeOverflow({rank},
                       layout_
                           .first_send(static_cast<std::uint32_t>(rank_class - layout_.entry.begin()),
                                       layout_.send_endpoint_numbers.place_of(send_endpoint), cost / layout_.paths)
                           .site);
}

bool Stepper::run_until_quiescent(std::uint64_t most) {
    for (std::uint64_t stepped = 0; !ready_.empty() && stepped < most; turn_.clear()) {
        turn_.swap(ready_);
        for (const std::uint32_t rank : turn_) run(rank);
        stepped += turn_.size();
    }
    return quiescent();
}

void Stepper::release_held() {
    for (const std::uint32_t rank : held_) wake(rank, state_.ranks[rank]);
    held_.clear();
}

std::uint64_t Stepper::bytes() const {
    std::uint64_t sum = backlog_.bytes() + timed_.capacity() * sizeof(ResourceRequest) +
                        in_flight_.capacity() * sizeof(InFlight) + free_in_flight_.capacity() * sizeof(std::uint32_t) +
                        departures_.capacity() * sizeof(LinkRequest);
    for (const auto& box : signals_) sum += box.capacity() * sizeof(RemoteEvent);
    return sum + (ready_.capacity() + turn_.capacity() + held_.capacity()) * sizeof(std::uint32_t);
}

/// Blocks of one wave are told apart by their instructions: a statement may stand in the code several times.
Time Stepper::compute_time(std::uint32_t rank, const RankLine& line, Time nominal) {
    const Time takes = (*compute_time_)({rank}, line.wave, static_cast<std::uint16_t>(line.at), nominal, {line.clock});
    state_.statistics[rank].compute += takes.ps;
    return takes;
}

/// One allreduce, step by step: post, send, await. Both partners of a step number it alike.
Stepper::Next Stepper::collective(std::uint32_t rank, RankLine& line, std::uint32_t size) {
    if (line.collective_position == 0) {
        state_.statistics[rank].collective -= line.clock;
        line.collective_position = 1;
    }
    const std::uint32_t own = rank * layout_.collective_steps;
    for (;;) {
        const std::uint32_t step = (line.collective_position - 1U) / 3;
        if (step == layout_.collective_steps) break;
        const std::uint32_t receive_endpoint = layout_.first_collective_receive_endpoint + own + step;
        const std::uint32_t send_endpoint = layout_.first_collective_send_endpoint + own + step;
        const bool receives = state_.receive_endpoints[receive_endpoint].send_endpoint != kNone;
        Next next = Next::go_on;
        switch ((line.collective_position - 1U) % 3) {
            case 0:
                if (receives) post(line, receive_endpoint);
                ++line.collective_position;
                break;
            case 1:
                if (state_.send_endpoint(send_endpoint).receive_endpoint != kNone) {
                    ++messages_of_collectives_;
                    next = send(rank, line, send_endpoint, size);
                } else {
                    ++line.collective_position;
                }
                break;
            default:
                if (receives) {
                    next = await(rank, line, receive_endpoint);
                } else {
                    ++line.collective_position;
                }
        }
        if (next == Next::stop) return Next::stop;
    }
    state_.statistics[rank].collective += line.clock;
    add_waves(line, layout_.collective_steps);
    line.collective_position = 0;
    ++line.at;
    return Next::go_on;
}

Stepper::Next Stepper::end_iteration(RankLine& line) {
    const std::uint64_t iteration = line.wave >> kWaveBits;
    tracker_.pass(iteration, line.clock);
    line.wave = (iteration + 1) << kWaveBits;
    ++line.at;
    if (!hold_at_iterations) return Next::go_on;
    line.state = RankState::at_iteration_end;
    return Next::stop;
}

void Stepper::probe_tile(const RankLine& line, const program::Instruction& end) {
    constexpr std::uint64_t kFirst = 4;
    constexpr std::uint64_t kFollowing = 8;
    const std::uint64_t trips = static_cast<std::uint64_t>(layout_.code[end.operand].amount);
    const std::uint64_t tile = trips - line.trips_left[end.depth] + 1;
    const std::uint64_t kept = std::bit_floor(tile);
    if (tile < kFirst || tile - kept > kFollowing) return;
    tile_probes_.push_back({line.clock, tile == kept});
}

void Stepper::run(std::uint32_t rank) {
    ++events_;
    RankLine& line = state_.ranks[rank];
    for (unsigned turn = 0; turn < kTurn; ++turn) {
        const program::Instruction& step = layout_.code[line.at];
        Next next = Next::go_on;
        switch (step.op) {
            case Op::compute:
                line.clock += compute_time_ == nullptr ? step.amount : compute_time(rank, line, {step.amount}).ps;
                check_horizon(rank, line);
                ++line.at;
                break;
            case Op::send:
                ++messages_;
                next = send(rank, line, layout_.send_endpoint_numbers.at(rank, step.operand),
                            static_cast<std::uint32_t>(step.amount));
                break;
            case Op::recv:
                post(line, layout_.receive_endpoint_numbers.at(rank, step.operand));
                next = await(rank, line, layout_.receive_endpoint_numbers.at(rank, step.operand));
                break;
            case Op::irecv:
                post(line, layout_.receive_endpoint_numbers.at(rank, step.operand));
                ++line.at;
                break;
            case Op::wait_recv:
                next = await(rank, line, layout_.receive_endpoint_numbers.at(rank, step.operand));
                break;
            case Op::isend:
                ++messages_;
                next = start_send(rank, line, layout_.send_endpoint_numbers.at(rank, step.operand),
                                  static_cast<std::uint32_t>(step.amount));
                break;
            case Op::wait_send:
                next = await_sent(rank, line, layout_.send_endpoint_numbers.at(rank, step.operand));
                break;
            case Op::loop:
                line.trips_left[step.depth] = static_cast<std::uint32_t>(step.amount);
                ++line.at;
                break;
            case Op::end_loop:
                if (layout_.code[line.at - 1].op != Op::iteration)
                    add_waves(line, 1);  // each iteration begins at wave 0
                check_horizon(rank, line);
                if (probes_tiles && is_marked(rank)) probe_tile(line, step);
                line.at = --line.trips_left[step.depth] > 0 ? step.operand + 1 : line.at + 1;
                break;
            case Op::allreduce: next = collective(rank, line, static_cast<std::uint32_t>(step.amount)); break;
            case Op::iteration:
                next = end_iteration(line);
                if (next == Next::stop) held_.push_back(rank);
                break;
            case Op::finish:
                line.state = RankState::done;
                ++done_;
                return;
        }
        if (next == Next::stop) return;
    }
    ready_.push_back(rank);
}

}  // namespace warpfront::engine
