// Nodes at rest: whose state has recurred from one of their tiles to the next, and which are not stepped as long as the
// events that come in recur too.
//
// A node that halts at its cut X (node_watch.hpp) has the same state there as at X - p. It goes through the same period
// again as long as it takes the same events, p later. Its state at X + j p is that at X, every time j p later, with j
// trips and waves less to go. What it takes and sends meanwhile are its streams (resting_nodes.hpp).
//
// A node is woken at G, before which all requests of the machine are granted, if an event differs from the one expected,
// if the cause of an expected one is over and it has not come, once its loop comes to its last period, and when a message
// of a collective is begun that will take a link of its own. Nothing of this has effect on another node or on a link
// before G, and so it is soon enough. The node's state is moved to X + j p for the greatest j with X + j p <= G that all events
// taken allow; what it took since is given to it again, and it is stepped to G. What it sends or requests meanwhile and has
// been sent or requested for it, or counted as taken by a node at rest, is not sent again: it is the same.
//
// All of it happens between phases, by one thread, node after node in the order of their numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/parallel/partition.hpp"
#include "simulator/engine/recurrence/recurrence.hpp"
#include "simulator/engine/rest/node_watch.hpp"
#include "simulator/engine/rest/resting_nodes.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

class Rests {
public:
    /// Whether nodes of this machine can come to rest at all.
    static bool apply(const Layout& layout, const Channels& channels);

    Rests(const Observed& machine, const Channels& channels);

    /// The partitions' nodes are watched from now on.
    void begin();
    /// Nodes all of whose messages take links of their own or none.
    std::uint32_t with_own_links() const { return watch_.with_own_links(); }
    /// After a phase: all requests before `granted` are granted. Nodes come to rest and are woken, all where `wakes_all`.
    /// True if some were woken.
    bool settle(std::int64_t granted, bool wakes_all);

    std::uint64_t bytes() const { return watch_.bytes() + resting_.bytes(); }

private:
    void put_to_rest();
    void find_crossings();
    void cross(std::uint32_t send_endpoint, bool begun);
    void intercept(Partition& from);
    void take(const NodeEvent& event);
    void deliver(const NodeEvent& event);
    void send_due(std::uint32_t node, std::int64_t granted);
    void align(std::uint32_t node);
    void stay(std::uint32_t node, std::int64_t granted);
    void schedule(std::uint32_t node);

    // rests_wake.cpp
    void want_awake(std::uint32_t node);
    bool wake_wanted(std::int64_t granted);
    void end_implicit(std::uint32_t node, std::int64_t granted);
    void wake(std::uint32_t node, std::int64_t granted);
    void move(std::uint32_t node, const Rest& rest, std::int64_t periods);
    void move_rank(std::uint32_t rank, Backlog& backlog, std::int64_t shift, std::int64_t periods);
    void skip(std::uint32_t node, const Rest& rest, std::int64_t periods);
    void replay(std::uint32_t node, Rest& rest, std::int64_t periods, std::int64_t granted);
    void send_rest(Rest& rest, std::int64_t periods);
    void step(std::uint32_t node, std::int64_t limit) const;
    void push_requests(std::uint32_t node);

    Partition& partition(std::uint32_t node) const { return machine_.partition(node); }

    const Observed machine_;
    const Layout& layout_;
    State& state_;
    NodeWatch watch_;
    RestingNodes resting_;
    std::vector<std::uint32_t> begun_;   // in the phase that has ended
    std::vector<std::uint32_t> waking_;  // to be woken before the next
    std::vector<std::uint32_t> woken_;   // scratch memory, as the next
    std::vector<NodeEvent> taken_again_;
    std::vector<NodeEvent> sent_again_;
    std::vector<RemoteEvent> box_;
    std::vector<machine::LinkId> route_;
};

}  // namespace warpfront::engine
