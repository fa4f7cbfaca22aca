// Steps the ranks of one partition through their programs, instruction by instruction.
//
// A rank is stepped until it must wait: for a message, for its partner's post, or for a shared resource. Only the last
// needs an order; it becomes a timed request (partition_context.hpp), granted through `serve_node` in the total order
// (time, age, rank) of that node. All else is dataflow: the event that completes a wait computes when the rank goes on,
// whatever the order in which ranks are stepped. What messages do is the message protocol's (message_protocol.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/shared_memory.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

class ProgramInterpreter {
public:
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    /// No `compute_time`: every block takes what its program says.
    ProgramInterpreter(PartitionContext& context, MessageProtocol& protocol,
                       const variation::ComputeTime* compute_time);

    void start(Rank rank, InstructionId entry);
    /// Steps until no rank can go on without a timed request, a remote event or a release, or until `most` ranks have
    /// been stepped.
    void run_until_quiescent(std::uint64_t most = kAll);
    bool quiescent() const { return context_.ready.empty(); }
    /// Grants all requests of the node before `limit`, earliest first, those included to which they lead.
    void serve_node(Node node, std::int64_t limit);
    /// The place of a request in the order (time, age, rank).
    network::Order order_of(const ResourceRequest& request);
    /// Among those of one time: where ranks make progress in calls, they act for a rendezvous and blocks end before all
    /// others; a message is taken after all others.
    enum class Precedence : std::uint8_t { first, by_order, last };
    Precedence precedence_of(const ResourceRequest& request) const {
        using enum ResourceRequest::Kind;
        if (request.kind == acknowledge || request.kind == leave) return Precedence::first;
        if (layout_.progress_in_calls && request.kind == of_rank && ends_block(request.rank()))
            return Precedence::first;
        const bool takes = request.kind == match || (request.kind == of_rank && is_match(request.rank()));
        return takes ? Precedence::last : Precedence::by_order;
    }
    /// Grants one request, the earliest of the whole machine, links included; for machines without lookahead. `order`:
    /// its place when it was made.
    void serve_in_order(const ResourceRequest& request, network::Order order);

    /// Ranks that have ended an iteration are held where the next one begins, until the state is observed; none is any
    /// longer once one acts before `served_until`, the time before which requests are granted in this round.
    bool hold_at_iterations = false;
    std::int64_t served_until = 0;
    const std::vector<Rank>& held() const { return held_; }
    /// When a rank that stands between iterations, as in `line`, first requests or sends anything by itself: never,
    /// where it waits for a message first.
    std::int64_t acts_at(Rank rank, const RankLine& beginning) const;
    /// No held rank acts before.
    std::int64_t held_until() const { return held_until_; }
    /// Held ranks that have left their loops are at the beginning of the next.
    void enter_loops();
    void release_held();

    IterationTracker& iteration_tracker() { return tracker_; }
    const IterationTracker& iteration_tracker() const { return tracker_; }
    std::uint32_t done() const { return done_; }
    std::uint64_t messages() const { return messages_; }
    std::uint64_t messages_of_collectives() const { return messages_of_collectives_; }
    std::uint64_t bytes() const { return (turn_.capacity() + held_.capacity()) * sizeof(Rank); }

private:
    bool ends_block(Rank rank) const {
        const RankState state = state_.ranks[rank].state;
        return state == RankState::in_block || state == RankState::computing;
    }
    bool is_match(Rank rank) const { return state_.ranks[rank].state == RankState::requests_match; }
    Rank before_matches(Node node, const NextRequest& next) const;
    ResourceRequest::Kind next_kind(Node node, const NextRequest& next, std::int64_t limit) const;
    void run(Rank rank);
    Next execute(Rank rank, RankLine& line, const program::Instruction& step);
    Next compute(Rank rank, RankLine& line, Time nominal);
    Next delay(Rank rank, RankLine& line, Time time);
    Time alone(Rank rank, const RankLine& line, Time nominal) const;
    Next serve(Rank rank, std::int64_t limit);
    bool withdrawn(const ResourceRequest& request, network::Age age) const;
    Next next_call(Rank rank, RankLine& line);
    bool serve_progress(Node node, const NextRequest& next, std::int64_t limit, std::int64_t arrives);
    Rank first_block_end(Node node, const NextRequest& next) const;
    Next serve_compute(Rank rank, RankLine& line);
    Next end_trip(Rank rank, RankLine& line, const program::Instruction& end);
    Next allreduce(Rank rank, RankLine& line, SizeId size);
    Next step_of_allreduce(Rank rank, RankLine& line, std::uint32_t step, SizeId size);
    Next end_iteration(Rank rank, RankLine& line);
    void pass_loop_borders(Rank rank, RankLine& line);

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    MessageProtocol& protocol_;
    const variation::ComputeTime* compute_time_;
    mutable std::array<variation::ComputeTime::Block, 64> blocks_{};  // found last, by instruction modulo 64
    SharedMemory memory_;
    const bool plain_;             // blocks take what their programs say
    const bool messages_request_;  // not only ranks do, or what they request are messages
    IterationTracker tracker_;
    std::vector<Rank> turn_;  // ranks that are stepped before those that they wake
    std::vector<Rank> held_;
    std::int64_t held_until_ = kHorizon.ps;
    std::uint64_t messages_ = 0;
    std::uint64_t messages_of_collectives_ = 0;
    std::uint32_t done_ = 0;
};

}  // namespace warpfront::engine
