// The nodes that one thread steps: their interpreter, the timing wheel of their requests, and the events they send.
//
// A partition moves in rounds; between two rounds one thread alone looks at all partitions (simulation.hpp). In a round
// it takes in what was sent to it in the round before, then grants the requests of one window up to a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/prefetch.hpp"
#include "simulator/engine/stepping/program_interpreter.hpp"
#include "simulator/engine/stepping/timing_wheel.hpp"

namespace warpfront::engine {

class Partition {
public:
    Partition(const Layout& layout, State& state, const variation::ComputeTime* compute_time, unsigned window_shift);

    /// Steps the ranks that can go on, after events were taken: all of them, or until `most` ranks have been stepped.
    void run_until_quiescent(std::uint64_t most = ProgramInterpreter::kAll);
    /// All requests and arrivals before `time` are known.
    void know_until(std::int64_t time) { context.known_until = std::max(context.known_until, time); }
    /// Grants the requests of `window` before `limit`.
    void serve(std::uint64_t window, std::int64_t limit);

    /// Puts new requests into the wheel.
    void schedule();

    /// The first window in which something is to be granted here or takes effect elsewhere.
    std::uint64_t next_window() const;
    /// Remote events of the round that has ended, by partition of their target.
    const std::vector<std::vector<RemoteEvent>>& sent() const { return sent_; }
    /// Ends the round: its events can be taken by other partitions.
    void close_round();
    bool has_sent() const;
    /// Remote events of the round that has ended and requests of a window: about what there is to do.
    std::size_t work(std::uint64_t window) const;

    /// Adds the messages that other nodes have not taken in yet.
    void count_messages(std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash>& sum);

    PartitionContext context;
    MessageProtocol protocol;
    ProgramInterpreter interpreter;
    std::uint64_t bytes() const;

private:
    std::uint64_t window_of(std::int64_t time) const { return static_cast<std::uint64_t>(time) >> window_shift_; }

    NodePrefetcher ahead_;
    unsigned window_shift_;
    TimingWheel wheel_;
    std::vector<Node> nodes_;  // with requests in the window being served
    std::vector<std::vector<RemoteEvent>> sent_;
};

}  // namespace warpfront::engine
