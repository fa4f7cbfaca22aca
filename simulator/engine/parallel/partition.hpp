// The nodes that one thread steps, and the events they send to those of other partitions.
//
// A partition moves in phases; between two phases one thread alone looks at all partitions (simulation.hpp). In a phase
// it takes in what was sent to it in the phase before, then grants the requests of one window up to a limit. What its nodes
// send each other is there at once.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/remote_event.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/stepper.hpp"

namespace warpfront::engine {

class Partition {
public:
    Partition(const Layout& layout, State& state, unsigned window_shift) : context(layout, state, window_shift) {}

    /// The first window in which something is to be granted here or takes effect elsewhere.
    std::uint64_t next_window() const;
    /// Events of the phase that has ended, by partition of their target.
    const std::vector<std::vector<RemoteEvent>>& sent() const { return sent_; }
    /// Ends the phase: its events can be taken by other partitions.
    void close_phase();
    bool has_sent() const;
    /// Events of the phase that has ended and requests of a window: about what there is to do.
    std::size_t work(std::uint64_t window) const;

    /// Adds the messages that other nodes have not taken in yet, by receive endpoint.
    void count_messages(std::unordered_map<std::uint32_t, std::uint64_t>& sum);

    PartitionContext context;
    std::unique_ptr<Stepper> ranks;
    std::uint64_t bytes() const;

private:
    std::vector<std::vector<RemoteEvent>> sent_;
};

}  // namespace warpfront::engine
