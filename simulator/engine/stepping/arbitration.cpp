#include "simulator/engine/stepping/arbitration.hpp"

#include <algorithm>
#include <utility>

namespace warpfront::engine {

std::uint32_t oldest_request(const Layout& layout, const State& state, std::uint32_t node, std::int64_t time) {
    std::pair<network::Age, std::uint32_t> oldest{{~std::uint64_t{0}, 0xFFFF}, kNone};
    for (std::uint32_t core = 0; core < layout.cores; ++core) {
        if (state.servers[layout.hot_state_of(node) + core].free_at.ps != time) continue;
        const std::uint32_t rank = layout.ranks_on[std::size_t{node} * layout.cores + core];
        oldest = std::min(oldest, std::pair(age_of(layout, state.ranks[rank]), rank));
    }
    return oldest.second;
}

}  // namespace warpfront::engine
