// An event between two nodes, as it is recorded, expected and compared where nodes come to rest (rests.hpp). Those on
// their way are RemoteEvents (state/remote_event.hpp).
#pragma once

#include <cstdint>

#include "simulator/engine/state/remote_event.hpp"

namespace warpfront::engine {

/// `time` as in RemoteEvent. The event was caused at `cause`, and has effect at least one lookahead later. Of data, what
/// lies between beyond its flight is the delay at links.
struct NodeEvent {
    std::int64_t time = 0;
    std::int64_t cause = 0;
    std::uint32_t target = 0;
    std::uint32_t kind : 2 = RemoteEvent::data;
    std::uint32_t cost : 30 = 0;  // data
    std::uint32_t from = 0;       // nodes; kNone: not of a channel
    std::uint32_t to = 0;

    bool operator==(const NodeEvent& other) const {
        return kind == other.kind && target == other.target && time == other.time && cost == other.cost &&
               cause == other.cause;
    }
};
static_assert(sizeof(NodeEvent) == 32);

}  // namespace warpfront::engine
