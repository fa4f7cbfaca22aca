// The state of one node as words that are equal for equal states, up to a shift in time and in waves.
//
// A state is described at a cut X of virtual time: all requests before X granted, none after, all remote events taken.
// From a cut on only comparisons with times >= X matter, so times before X count as X, and a server that is free by X
// is left out. There are two exceptions. The time at which a rank began to wait is kept exactly, because request
// matching and the accounting of waits use it. If unexpected messages have a cost, the state contains whether a message
// came before its receive was posted. The remaining iterations of the loop that may recur are not described: they
// differ, and are compared separately.
//
// Two states with the same words are the same state: a rank has six words; a channel end or a server with any content
// has a first word with its kind in the four highest bits (a rank's has none there), its number, and the number of
// words that follow.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

struct StateSignature {
    const Layout& layout;
    State& state;
    const IndexedVector<InstructionId, std::uint8_t>& depths;  // loop_depths of iterations

    /// Adds the node's ranks, channels and servers to `words`; waves are counted from `waves`.
    void add_node(Node node, Backlog& backlog, std::int64_t cut, std::uint64_t waves,
                  std::vector<std::uint64_t>& words) const;
    /// Adds the servers from `first` up to `last`, exclusive, that are not free by the cut.
    void add_servers(ServerId first, ServerId last, std::int64_t cut, std::vector<std::uint64_t>& words) const;

private:
    void add_channels(Rank rank, Backlog& backlog, std::int64_t cut, std::vector<std::uint64_t>& words) const;
    void add_rank(const RankLine& line, std::int64_t cut, std::uint64_t waves, std::vector<std::uint64_t>& words) const;
    void add_receive_endpoint(ReceiveEndpointId receive_endpoint, Backlog& backlog, std::int64_t cut,
                              std::vector<std::uint64_t>& words) const;
    void add_open_post(ReceiveEndpointId receive_endpoint, std::int64_t cut, std::vector<std::uint64_t>& words) const;
    std::uint64_t arrived(std::int64_t time, std::int64_t cut) const;
    void add_send_endpoint(SendEndpointId send_endpoint, std::int64_t cut, std::vector<std::uint64_t>& words) const;
};

}  // namespace warpfront::engine
