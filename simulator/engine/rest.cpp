#include "simulator/engine/rest.hpp"

#include <algorithm>

namespace warpfront::engine {

Rest::Rest(const Layout& laid_out, const State& machine, const Companies& together)
    : layout(laid_out),
      state(machine),
      companies(together),
      flags(layout.nodes),
      nodes(layout.nodes),
      ranks(layout.ranks),
      link_waits(state.link_waits.size()),
      ends(std::size_t{layout.first_collective_inlet} + layout.first_collective_outlet) {
    for (std::uint32_t node = 0; node < layout.nodes; ++node) {
        for (std::uint32_t core = 0; core < layout.cores; ++core) {
            const std::uint32_t rank = layout.ranks_on[std::size_t{node} * layout.cores + core];
            if (rank != kNone) find_channels(rank);
        }
        taken_.first.push_back(static_cast<std::uint32_t>(taken_.channels.size()));
        sent_.first.push_back(static_cast<std::uint32_t>(sent_.channels.size()));
    }
}

void Rest::find_channels(std::uint32_t rank) {
    for (std::uint32_t k = 0; k < 1U << layout.inlet_shift; ++k) {
        const std::uint32_t inlet = (rank << layout.inlet_shift) + k;
        const Inlet& head = state.inlets[inlet];
        if (head.outlet == kNone || head.is_local) continue;
        const std::uint32_t sender = layout.node_of[layout.rank_of_outlet(head.outlet)];
        taken_.channels.push_back({inlet, sender});
        if (head.announces) sent_.channels.push_back({end_of_posts(head.outlet), sender});
    }
    for (std::uint32_t k = 0; k < 1U << layout.outlet_shift; ++k) {
        const std::uint32_t outlet = (rank << layout.outlet_shift) + k;
        const Outlet& out = state.outlets[outlet];
        if (out.inlet == kNone || out.is_local) continue;
        const std::uint32_t taker = layout.node_of[layout.rank_of_inlet(out.inlet)];
        if (out.announced) taken_.channels.push_back({end_of_posts(outlet), taker});
        sent_.channels.push_back({out.inlet, taker});
    }
}

void Rest::forget() {
    if (said.size() < forget_at_) return;
    const auto is_of_use = [](const End& end) { return end.mode != EndMode::live; };
    std::size_t count = 0;
    for (const End& end : ends) count += is_of_use(end) ? std::size_t{end.count} : 0;
    std::vector<Said> kept;
    kept.reserve(count);
    for (End& end : ends) {
        if (!is_of_use(end)) continue;
        const auto first = said.begin() + end.first;
        end.first = static_cast<std::uint32_t>(kept.size());
        kept.insert(kept.end(), first, first + end.count);
    }
    said.swap(kept);
    forget_at_ = std::max(kLeastSaid, 2 * count);
}

std::uint64_t Rest::Channels::bytes() const {
    return channels.capacity() * sizeof(Channel) + first.capacity() * sizeof(std::uint32_t);
}

template <typename Visit>
void Rest::each_link(std::uint32_t node, const Visit& visit) const {
    if (link_waits.empty()) return;
    for (const std::uint32_t member : companies.of(node)) {
        const std::size_t own = std::size_t{member} * layout.own_links();
        for (std::uint32_t k = 0; k < layout.own_links(); ++k) visit(own + k);
    }
    for (const std::uint32_t server : companies.links_of(node)) visit(layout.link_number(server));
}

void Rest::keep_link_waits(std::uint32_t node, std::vector<std::int64_t>& kept) const {
    each_link(node, [&](std::size_t link) { kept.push_back(state.link_waits[link]); });
}

void Rest::learn_link_waits(std::uint32_t node, std::size_t first, const std::vector<std::int64_t>& kept) {
    each_link(node, [&](std::size_t link) { link_waits[link] = state.link_waits[link] - kept[first++]; });
}

void Rest::repeat_link_waits(std::uint32_t node, std::uint32_t periods, Table<std::int64_t>& waits) const {
    each_link(node, [&](std::size_t link) { waits[link] += periods * link_waits[link]; });
}

std::uint64_t Rest::bytes() const {
    return flags.capacity() + nodes.capacity() * sizeof(NodeRest) + ranks.capacity() * sizeof(RankRest) +
           link_waits.capacity() * sizeof(std::int64_t) +
           ends.capacity() * sizeof(End) + said.capacity() * sizeof(Said) +
           taken_.bytes() + sent_.bytes();
}

}  // namespace warpfront::engine
