// Describes the state of one node as words. Equal states have equal words, up to a shift in time and in waves.
//
// README.md lists what belongs to a state at a cut X of virtual time, and proves that it suffices. Times before X count
// as X unless stated otherwise. The remaining iterations of the loop that may recur are not described. They differ, and
// are compared separately.
//
// Two states with the same words are the same state. The description of each object begins in a new word with the kind
// of the object. This first word determines how many words follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

/// Writes the fields of a state into words of 64 bits. Each field has a given width in bits.
class StateWriter {
public:
    enum class Kind : std::uint8_t { rank, receive_endpoint, send_endpoint, server, open_post, other };

    /// Makes a writer that appends to `words`. Times count from `cut`, and waves from `waves`.
    StateWriter(std::vector<std::uint64_t>& words, std::int64_t cut, std::uint64_t waves)
        : words_(words), cut_(cut), waves_(waves) {}

    void begin(Kind kind) {
        used_ = 64;
        put(static_cast<std::uint64_t>(kind), 4);
    }
    /// Adds a field to the last word, or to a new word if it does not fit.
    void put(std::uint64_t value, unsigned width = 64) {
        if (used_ + width > 64) {
            words_.push_back(0);
            used_ = 0;
        }
        words_.back() |= value << used_;
        used_ += width;
    }
    void put_time(std::int64_t time) { put(static_cast<std::uint64_t>(time - cut_)); }
    /// Adds a time. A time before the cut is written as the cut.
    void put_time_since(std::int64_t time) { put_time(std::max(time, cut_)); }
    /// Adds a difference of times.
    void put_duration(std::int64_t duration) { put(static_cast<std::uint64_t>(duration)); }
    void put_wave(std::uint64_t wave) { put(wave - waves_); }
    std::int64_t cut() const { return cut_; }

private:
    std::vector<std::uint64_t>& words_;
    std::int64_t cut_;
    std::uint64_t waves_;
    unsigned used_ = 64;  // number of bits used in the last word
};

struct StateSignature {
    const Layout& layout;
    State& state;
    const IndexedVector<InstructionId, std::uint8_t>& depths;  // loop_depths of iterations

    /// Adds the node's ranks, channels and servers.
    void add_node(Node node, Backlog& backlog, StateWriter& words) const;
    /// Adds the servers from `first` up to `last`, exclusive, that are occupied at the cut, or were at the time `early`
    /// before it. `early` is the longest part of a service that may precede its request.
    void add_servers(ServerId first, ServerId last, Time early, StateWriter& words) const;

private:
    void add_rank(const RankLine& line, StateWriter& words) const;
    void add_receive_endpoint(ReceiveEndpointId receive_endpoint, Backlog& backlog, StateWriter& words) const;
    void add_open_post(ReceiveEndpointId receive_endpoint, StateWriter& words) const;
    void add_arrival(std::int64_t time, StateWriter& words) const;
    void add_send_endpoint(SendEndpointId send_endpoint, StateWriter& words) const;
};

}  // namespace warpfront::engine
