#include "simulator/engine/stepping/collectives_on_links.hpp"

#include <algorithm>

namespace warpfront::engine {

void CollectivesOnLinks::count(const State& state, Changes& changes) {
    for (const SendEndpointId sender : changes.begun) add(state, sender, 1);
    for (const SendEndpointId sender : changes.ended) add(state, sender, UINT16_MAX);
    changes.begun.clear();
    changes.ended.clear();
}

/// Adds `change`, modulo 2^16, on each link of the message's route.
void CollectivesOnLinks::add(const State& state, SendEndpointId sender, std::uint16_t change) {
    const Rank from = layout_.rank_of(sender);
    const Rank to = layout_.rank_of(state.send_endpoint(sender).receive_endpoint);
    if (layout_.node_of[from] == layout_.node_of[to]) return;
    route_.clear();
    layout_.routes->append_links(layout_.host_nic_of(from), layout_.host_nic_of(to), route_);
    for (const machine::LinkId link : route_) {
        std::uint16_t& count = counts_[layout_.link_server[link]];
        count = static_cast<std::uint16_t>(count + change);
    }
}

bool CollectivesOnLinks::cross(std::span<const RouteLink> route) const {
    return std::any_of(route.begin(), route.end(), [&](const RouteLink& link) { return cross(link.server); });
}

}  // namespace warpfront::engine
