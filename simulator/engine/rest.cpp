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

std::uint64_t Rest::bytes() const {
    return flags.capacity() + nodes.capacity() * sizeof(NodeRest) + ranks.capacity() * sizeof(RankRest) +
           link_waits.capacity() * sizeof(std::int64_t) +
           ends.capacity() * sizeof(End) + said.capacity() * sizeof(Said);
}

}  // namespace warpfront::engine
