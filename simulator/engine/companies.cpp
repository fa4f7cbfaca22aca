#include "simulator/engine/companies.hpp"

#include <algorithm>
#include <numeric>

#include <boost/pending/disjoint_sets.hpp>

namespace warpfront::engine {

namespace {

bool may_hold_links(const Layout& layout, std::uint32_t path) {
    for (std::size_t cost = path; cost < layout.costs.size(); cost += layout.paths) {
        if (layout.costs[cost].holds_links) return true;
    }
    return false;
}

}  // namespace

Companies::Companies(const Layout& layout, const Channels& channels)
    : layout_(layout), users_(layout.server_count - layout.desk_of(layout.nodes), kNone), places_(layout.nodes) {
    boost::disjoint_sets_with_storage<> sets(layout.nodes);
    std::vector<machine::LinkId> route;
    for (std::uint32_t outlet = 0; outlet < layout.first_collective_outlet; ++outlet) {
        const Way& way = channels.ways[outlet];
        if (way.inlet == kNone || way.own_link != kRouted || !may_hold_links(layout, way.path)) continue;
        const std::uint32_t from = layout.node_of[layout.rank_of_outlet(outlet)];
        const std::uint32_t to = layout.node_of[layout.rank_of_inlet(way.inlet)];
        if (from == to) continue;
        route.clear();
        layout.routes->append_links(layout.host_of[from], layout.host_of[to], route);
        for (const machine::LinkId link : route) {
            std::uint32_t& user = users_[layout.link_server[link.index] - layout.desk_of(layout.nodes)];
            if (user == kNone) user = from;
            sets.union_set(user, from);
        }
    }
    std::vector<std::uint32_t> leaders(layout.nodes);
    for (std::uint32_t node = 0; node < layout.nodes; ++node) {
        leaders[node] = static_cast<std::uint32_t>(sets.find_set(node));
    }
    gather(leaders);
}

/// Puts the members and the links of a company side by side.
void Companies::gather(const std::vector<std::uint32_t>& leaders) {
    const auto first_shared = static_cast<std::uint32_t>(layout_.desk_of(layout_.nodes));
    for (std::uint32_t server = 0; server < users_.size(); ++server) {
        if (users_[server] != kNone) links_.push_back(first_shared + server);
    }
    members_.resize(layout_.nodes);
    std::iota(members_.begin(), members_.end(), 0U);
    const auto by_leader = [&](std::uint32_t a, std::uint32_t b) { return leaders[a] < leaders[b]; };
    std::stable_sort(members_.begin(), members_.end(), by_leader);
    std::stable_sort(links_.begin(), links_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return by_leader(user(a), user(b));
    });
    const auto count = [&](std::uint32_t leader, Part Place::*part, std::uint32_t at) {
        Part& in = places_[leader].*part;
        if (in.count++ == 0) in.first = at;
    };
    for (std::uint32_t at = 0; at < members_.size(); ++at) count(leaders[members_[at]], &Place::members, at);
    for (std::uint32_t at = 0; at < links_.size(); ++at) count(leaders[user(links_[at])], &Place::links, at);
    for (std::uint32_t node = 0; node < layout_.nodes; ++node) places_[node] = places_[leaders[node]];
}

std::uint32_t Companies::user(std::uint32_t server) const {
    return users_[server - layout_.desk_of(layout_.nodes)];
}

std::uint64_t Companies::bytes() const {
    return (users_.capacity() + members_.capacity() + links_.capacity()) * sizeof(std::uint32_t) +
           places_.capacity() * sizeof(Place);
}

}  // namespace warpfront::engine
