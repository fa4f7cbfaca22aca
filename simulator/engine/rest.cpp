#include "simulator/engine/rest.hpp"

namespace warpfront::engine {

Rest::Rest(const Layout& laid_out, const State& machine)
    : layout(laid_out),
      state(machine),
      flags(layout.nodes),
      nodes(layout.nodes),
      ranks(layout.ranks),
      link_waits(std::size_t{layout.nodes} * own_links()),
      ends(std::size_t{layout.first_collective_inlet} + layout.first_collective_outlet) {}

std::uint32_t Rest::own_links() const { return state.link_waits.empty() ? 0 : layout.own_links(); }

void Rest::keep_link_waits(std::uint32_t node, std::vector<std::int64_t>& kept) const {
    const auto first = state.link_waits.begin() + std::int64_t{node} * own_links();
    kept.insert(kept.end(), first, first + own_links());
}

void Rest::learn_link_waits(std::uint32_t node, std::size_t first, const std::vector<std::int64_t>& kept) {
    const std::size_t own = std::size_t{node} * own_links();
    for (std::uint32_t k = 0; k < own_links(); ++k) link_waits[own + k] = state.link_waits[own + k] - kept[first + k];
}

void Rest::repeat_link_waits(std::uint32_t node, std::uint32_t periods, Table<std::int64_t>& waits) const {
    const std::size_t own = std::size_t{node} * own_links();
    for (std::uint32_t k = 0; k < own_links(); ++k) waits[own + k] += periods * link_waits[own + k];
}

std::uint64_t Rest::bytes() const {
    return flags.capacity() + nodes.capacity() * sizeof(NodeRest) + ranks.capacity() * sizeof(RankRest) +
           link_waits.capacity() * sizeof(std::int64_t) +
           ends.capacity() * sizeof(End) + said.capacity() * sizeof(Said);
}

}  // namespace warpfront::engine
