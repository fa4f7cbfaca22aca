#include "simulator/engine/stepping/channel_lines.hpp"

namespace warpfront::engine {

void ChannelLines::join(LinkRequestId id) {
    const auto [line, alone] = lines_.try_emplace(requests_[id.index].send_endpoint, Line{id, id});
    if (alone) return;
    requests_[line->second.last.index].behind = id;
    line->second.last = id;
}

std::optional<LinkRequest> ChannelLines::take_granted(SendEndpointId channel) {
    const auto line = lines_.find(channel);
    if (line == lines_.end()) return std::nullopt;
    const LinkRequestId id = line->second.first;
    LinkRequest& request = requests_[id.index];
    if (!request.granted) return std::nullopt;
    if (request.behind == kNone) {
        lines_.erase(line);
    } else {
        LinkRequest& behind = requests_[request.behind.index];
        behind.follows = behind.granted && behind.arrives < request.arrives;
        if (behind.follows) behind.arrives = request.arrives;
        line->second.first = request.behind;
    }
    request.transmitted = true;
    if (request.events == 0) return requests_.take(id.index);
    return request;
}

}  // namespace warpfront::engine
