#include "simulator/engine/rest.hpp"

namespace warpfront::engine {

Rest::Rest(const Layout& laid_out, const State& machine, const Companies& together)
    : layout(laid_out),
      state(machine),
      companies(together),
      flags(layout.nodes),
      nodes(layout.nodes),
      ranks(layout.ranks),
      link_waits(state.link_waits.size()),
      ends(std::size_t{layout.first_collective_inlet} + layout.first_collective_outlet) {}

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
           ends.capacity() * sizeof(End) + said.capacity() * sizeof(Said);
}

}  // namespace warpfront::engine
