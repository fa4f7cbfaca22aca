// Steps the ranks of one partition through their programs, instruction by instruction.
//
// A rank is stepped until it must wait: for a message, for its partner's post, or for a shared resource. Only the last
// needs an order; it becomes a timed request (partition_context.hpp), granted in the total order (time, age, rank)
// of its node. All else is dataflow: the event that completes a wait computes when the rank goes on,
// whatever the order in which ranks are stepped. What messages do is the message protocol's (message_protocol.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/shared_memory.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

/// What a node grants next; its time is kHorizon where there is nothing.
struct NodeEvent {
    enum class Kind : std::uint8_t { none, rank, arrival, departure, match };

    std::int64_t time = kHorizon.ps;
    std::uint32_t rank = kNone;  // of the request, where a rank has made it
    Kind kind = Kind::none;
};

template <bool kPlain>
class ProgramInterpreter : Features<kPlain> {
    using Features<kPlain>::paths;
    using Features<kPlain>::timeline;
    using Features<kPlain>::has_choices;
    using Features<kPlain>::shares_memory;
    using Features<kPlain>::context_;
    using Features<kPlain>::layout_;
    using Features<kPlain>::state_;

public:
    /// No `compute_time`: every block takes what its program says.
    ProgramInterpreter(PartitionContext& context, MessageProtocol<kPlain>& protocol,
                       const variation::ComputeTime* compute_time);

    void start(std::uint32_t rank, std::uint32_t entry);
    /// Steps until no rank can go on without a timed request, a remote event or a release, or until `most` ranks have
    /// been stepped.
    void run_until_quiescent(std::uint64_t most = ~std::uint64_t{0});
    bool quiescent() const { return context_.ready.empty(); }
    NodeEvent next_event(std::uint32_t node) const;
    /// Grants it, and steps the ranks that go on.
    [[gnu::always_inline]] void grant(std::uint32_t node, const NodeEvent& event, std::int64_t limit);
    /// The place of a request in the order (time, age, rank).
    network::Order order_of(const ResourceRequest& request);
    /// Whether it comes after all others of its time: a message is taken then.
    bool comes_last(const ResourceRequest& request) const {
        if (request.kind == ResourceRequest::Kind::match) return true;
        return request.kind == ResourceRequest::Kind::of_rank && is_match(request.who);
    }
    /// Grants one request, the earliest of the whole machine, links included; for machines without lookahead. `order`: its
    /// place when it was made.
    void serve_in_order(const ResourceRequest& request, network::Order order);

    /// When a rank that stands between iterations, as in `line`, first requests or sends anything by itself: never, where it
    /// waits for a message first.
    std::int64_t acts_at(std::uint32_t rank, RankLine line) const;
    /// Held ranks that have left their loops are at the beginning of the next.
    void enter_loops();
    void release_held();

    std::uint64_t bytes() const {
        return turn_.capacity() * sizeof(std::uint32_t) + spreads_.capacity() * sizeof(variation::ComputeTime::Spread);
    }

private:
    NodeEvent next_event(std::uint32_t node, const NextRequest& next, std::int64_t arrives) const;
    bool is_match(std::uint32_t rank) const { return state_.ranks[rank].state == RankState::requests_match; }
    std::uint32_t before_matches(std::uint32_t node, const NextRequest& next) const;
    bool departure_is_next(std::uint32_t node, std::int64_t limit, std::int64_t time, std::uint32_t rank) const;
    bool match_is_next(std::uint32_t node, std::int64_t limit, std::int64_t time, std::uint32_t rank) const;
    bool departs_before(std::uint32_t node, std::uint32_t rank) const;
    void run(std::uint32_t rank);
    Next execute(std::uint32_t rank, RankLine& line, const program::Instruction& step);
    Next compute(std::uint32_t rank, RankLine& line, Time nominal);
    Next delay(std::uint32_t rank, RankLine& line, Time time);
    Time alone(std::uint32_t rank, const RankLine& line) const;
    Next serve(std::uint32_t rank, std::int64_t limit);
    bool withdrawn(const ResourceRequest& request, network::Age age) const;
    Next serve_compute(std::uint32_t rank, RankLine& line);
    Next end_trip(std::uint32_t rank, RankLine& line, const program::Instruction& end);
    Next allreduce(std::uint32_t rank, RankLine& line, std::uint32_t size);
    Next step_of_allreduce(std::uint32_t rank, RankLine& line, std::uint32_t step, std::uint32_t size);
    Next end_iteration(std::uint32_t rank, RankLine& line);
    void pass_loop_borders(std::uint32_t rank, RankLine& line);

    MessageProtocol<kPlain>& protocol_;
    const variation::ComputeTime* compute_time_;
    std::vector<variation::ComputeTime::Spread> spreads_;  // by instruction, where blocks vary
    SharedMemory memory_;
    const bool plain_;                 // blocks take what their programs say
    const bool messages_request_;      // not only ranks do, or what they request are messages
    std::vector<std::uint32_t> turn_;  // ranks that are stepped before those that they wake
};

template <bool kPlain>
[[gnu::always_inline]] inline NodeEvent ProgramInterpreter<kPlain>::next_event(std::uint32_t node) const {
    const NextRequest next = next_request(layout_, state_, node, kHorizon.ps);
    const std::int64_t arrives = layout_.ejects ? state_.arrival(layout_, node) : kHorizon.ps;
    if (messages_request_) [[unlikely]]
        return next_event(node, next, arrives);
    if (arrives <= next.time && arrives < kHorizon.ps) return {arrives, kNone, NodeEvent::Kind::arrival};
    return {next.time, next.rank, next.rank == kNone ? NodeEvent::Kind::none : NodeEvent::Kind::rank};
}

}  // namespace warpfront::engine
