// Steps the ranks of one partition: what the engine calls once in a phase. There are two of them, one that is compiled for plain
// runs (features.hpp) and one for all runs; both are the same source.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/stepping/begun_messages.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

class Stepper {
public:
    virtual ~Stepper() = default;

    /// The rank begins its program at `entry`.
    virtual void start(std::uint32_t rank, std::uint32_t entry) = 0;
    /// Events that nodes of other partitions have sent.
    virtual void take(const std::vector<RemoteEvent>& events) = 0;
    /// Steps until no rank can go on without a timed request, a remote event or a release, or until `most` ranks have
    /// been stepped.
    virtual void run_until_quiescent(std::uint64_t most) = 0;
    /// Grants the requests of `window` before `limit`.
    virtual void serve(std::uint64_t window, std::int64_t limit) = 0;

    /// Held ranks go on.
    virtual void release_held() = 0;
    /// Held ranks that have left their loops are at the beginning of the next.
    virtual void enter_loops() = 0;
    /// When a rank that stands between iterations, as in `line`, first requests or sends anything by itself: never, where it
    /// waits for a message first.
    virtual std::int64_t acts_at(std::uint32_t rank, const RankLine& line) const = 0;

    /// A message leaves its node, whose links have been granted.
    virtual void transmit(std::uint32_t send_endpoint, std::int64_t leaves, std::int64_t link_wait, std::uint32_t cost,
                          Time detour) = 0;
    /// The node's NICs receive what has arrived before `time`, for which no rank waits.
    virtual void drain_nics(std::uint32_t node, std::int64_t time) = 0;

    // Where the machine is stepped in order.
    /// The place of a request in the order (time, age, rank).
    virtual network::Order order_of(const ResourceRequest& request) = 0;
    /// Whether it comes after all others of its time: a message is taken then.
    virtual bool comes_last(const ResourceRequest& request) const = 0;
    /// Grants one request, the earliest of the whole machine, links included. `order`: its place when it was made.
    virtual void serve_in_order(const ResourceRequest& request, network::Order order) = 0;

    virtual const BegunMessages& begun() const = 0;
    virtual Partners partners_of(std::uint32_t rank) const = 0;
    virtual std::uint64_t bytes() const = 0;
};

/// No `compute_time`: every block takes what its program says.
std::unique_ptr<Stepper> make_stepper(PartitionContext& context, const variation::ComputeTime* compute_time);

}  // namespace warpfront::engine
