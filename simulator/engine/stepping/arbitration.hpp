// Whose turn it is on a node: requests are granted in the order (time, age, rank).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

/// The rank with the next request; kNone: there is none in time.
struct NextRequest {
    Rank rank = kNone;
    std::int64_t time = 0;
};

/// The position of a request in its rank's program.
inline network::Age age_of(const Layout& layout, const RankLine& line) {
    return {line.wave + (line.collective_position + 2U) / 3, layout.code[line.at].site};
}

/// The rank with the oldest of a node's requests at `time`. Rarely called, and so kept out of the loop.
[[gnu::noinline]] inline Rank oldest_request(const Layout& layout, const State& state, Node node, std::int64_t time) {
    std::pair<network::Age, Rank> oldest{{~std::uint64_t{0}, 0xFFFF}, kNone};
    for (const Core core : layout.all_cores()) {
        if (state.request_time(layout.hot_state_of(node), core) != time) continue;
        const Rank rank = layout.rank_on(node, core);
        oldest = std::min(oldest, std::pair(age_of(layout, state.ranks[rank]), rank));
    }
    return oldest.second;
}

/// The next of a node's requests before `limit`; where there is none, `limit` is its time. Nearly always the times
/// alone decide, and these stand in the hot state: no rank's line is touched.
inline NextRequest next_request(const Layout& layout, const State& state, Node node, std::int64_t limit) {
    const network::Server* const request = &state.servers[layout.hot_state_of(node)];
    const std::uint32_t cores = layout.cores;
    std::uint32_t first = cores;
    std::int64_t earliest = limit - 1;
    bool at_once = false;
    for (std::uint32_t core = 0; core < cores; ++core) {
        const std::int64_t time = request[core].free_at.ps;
        if (time > earliest) continue;
        at_once = time == earliest;
        earliest = time;
        first = core;
    }
    if (first == cores) return {kNone, limit};
    if (at_once) return {oldest_request(layout, state, node, earliest), earliest};
    return {layout.ranks_of(node)[first], earliest};
}

}  // namespace warpfront::engine
