// The nodes that one thread simulates: their calendar, their ranks, and their events for other partitions.
//
// A partition works in rounds. Between two rounds one thread alone examines all partitions (parallel/simulation.hpp).
// In a round, a partition receives the events that were sent to it in the previous round, then serves all events before
// a limit.
//
// The code of a partition is compiled twice: for plain runs, which are faster, and for all runs
// (PartitionContext::is_plain).
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

class Partition {
public:
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    Partition(const Layout& layout, State& state, const variation::ComputeTime* compute_time)
        : context(layout, state, compute_time), plain_(context), any_(context) {}

    /// Simulates ranks until each of them needs an event or the end of its pause, or until `most` ranks have been
    /// simulated.
    void run_until_quiescent(std::uint64_t most);
    /// Serves all events before `limit`, in order. If a rank ends an iteration, stops at the end of the present window.
    /// Calls `pause` from time to time.
    void serve(std::int64_t limit, const std::function<void()>& pause);
    /// Returns the earliest time of an event of this partition, or of an effect of its remote events on another
    /// partition.
    std::int64_t next_time() { return std::min(context.calendar.first_time(), context.soonest_effect); }

    /// Receives events that other partitions have sent.
    void take(const std::vector<RemoteEvent>& events);
    /// Returns the remote events of the round that has ended, by target partition.
    const std::vector<std::vector<RemoteEvent>>& sent() const { return sent_; }
    bool has_sent() const;
    /// Ends the round. Other partitions may then receive its events.
    void close_round();
    /// Grants links to a message of a rank of this partition.
    bool grant_links(LinkRequestId request);

    /// Moves paused ranks that have left their loops to the beginning of the next loop.
    void enter_loops() { any_.enter_loops(); }
    void resume_paused() { any_.resume_paused(); }
    /// Returns when a rank between iterations, in the state `line`, first requests a resource or sends. Returns
    /// kHorizon if it waits for a message before that.
    std::int64_t acts_at(Rank rank, const RankLine& line) const { return any_.acts_at(rank, line); }

    Partners partners_of(Rank rank) const;
    /// Adds to `sum`, for each receive endpoint, the number of messages that other partitions have not received yet.
    void count_messages(std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash>& sum) const;

    std::uint64_t bytes() const;

    PartitionContext context;

private:
    template <bool kPlain>
    bool serve_with(ProgramInterpreter<kPlain>& interpreter, const std::function<void()>& pause);

    ProgramInterpreter<true> plain_;
    ProgramInterpreter<false> any_;
    std::vector<std::vector<RemoteEvent>> sent_;
};

}  // namespace warpfront::engine
