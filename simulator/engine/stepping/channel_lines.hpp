// The messages of each channel that have left their node and have not been transmitted, in the order of leaving.
//
// Messages of a channel may pass each other on the links. This is possible if routes or parallel links are chosen for
// each message, if messages are cut into packets, or if only some messages use links. Messages are transmitted in the
// order in which they left, so that they are received in the order of their sends. A message may be granted its links
// before an earlier message. It then arrives no sooner than the earlier message.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/stepping/event_order.hpp"

namespace warpfront::engine {

class ChannelLines {
public:
    explicit ChannelLines(NumberedList<LinkRequest>& requests) : requests_(requests) {}

    /// Adds a message to the line of its channel.
    void join(LinkRequestId id);
    /// Removes the first message in the line of the channel and returns it, if all its links have been granted.
    std::optional<LinkRequest> take_granted(SendEndpointId channel);

    std::uint64_t bytes() const { return lines_.size() * 2 * sizeof(Line); }

private:
    struct Line {
        LinkRequestId first;
        LinkRequestId last;
    };

    NumberedList<LinkRequest>& requests_;
    std::unordered_map<SendEndpointId, Line, IdHash> lines_;
};

}  // namespace warpfront::engine
