#include "simulator/engine/description.hpp"

#include <algorithm>
#include <array>

namespace warpfront::engine {

namespace {

std::uint64_t since(std::int64_t time, std::int64_t cut) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time - cut, 0));
}

}  // namespace

void Describer::add_node(std::uint32_t node, Backlog& backlog, std::int64_t cut, std::uint64_t waves,
                         std::vector<std::uint64_t>& words) const {
    const std::uint32_t steps = layout.collective_steps;
    for (std::uint32_t core = 0; core < layout.cores; ++core) {
        const std::uint32_t rank = layout.ranks_on[std::size_t{node} * layout.cores + core];
        if (rank == kNone) continue;
        add_rank(state.ranks[rank], cut, waves, words);
        for (std::uint32_t k = 0; k < 1U << layout.inlet_shift; ++k) {
            add_inlet((rank << layout.inlet_shift) + k, backlog, cut, words);
        }
        for (std::uint32_t k = 0; k < 1U << layout.outlet_shift; ++k) {
            add_outlet((rank << layout.outlet_shift) + k, cut, words);
        }
        for (std::uint32_t k = 0; k < steps; ++k) {
            add_inlet(layout.first_collective_inlet + rank * steps + k, backlog, cut, words);
            add_outlet(layout.first_collective_outlet + rank * steps + k, cut, words);
        }
    }
    for (std::uint32_t k = layout.desk.buses; k < layout.desk.used; ++k) {
        add_server(node * layout.desk.stride + k, cut, words);
    }
}

void Describer::add_rank(const RankLine& line, std::int64_t cut, std::uint64_t waves,
                         std::vector<std::uint64_t>& words) const {
    const bool asked = asks(line.state) || line.state == RankState::sending;
    const bool began = line.state == RankState::receiving || line.state == RankState::sending;
    std::array<std::uint32_t, program::kMaxLoopDepth> trips = line.trips_left;
    trips[depths[line.at]] = 0;
    words.push_back(line.at | std::uint64_t{line.micro} << 32 |
                    std::uint64_t{static_cast<std::uint8_t>(line.state)} << 48);
    words.push_back(began ? static_cast<std::uint64_t>(line.clock - cut) : since(line.clock, cut));
    words.push_back(line.wave - waves);
    words.push_back((asked ? line.request_cost : 0U) | std::uint64_t{trips[0]} << 32);
    words.push_back(trips[1] | std::uint64_t{trips[2]} << 32);
    words.push_back(trips[3]);
}

void Describer::add_inlet(std::uint32_t inlet, Backlog& backlog, std::int64_t cut,
                          std::vector<std::uint64_t>& words) const {
    const Inlet& head = state.inlets[inlet];
    if (head.state == static_cast<std::uint32_t>(InletState::empty)) return;
    words.push_back(std::uint64_t{inlet} << 32 | std::uint64_t{head.state} << 24 | std::uint64_t{head.cost});
    words.push_back(since(head.time, cut));
    if (head.delayed) words.push_back(static_cast<std::uint64_t>(state.delays[inlet].link));
    if (head.delayed) words.push_back(static_cast<std::uint64_t>(state.delays[inlet].ejection));
    if (!head.queued) return;
    for (const Backlog::Entry* at = backlog.first(inlet); at != nullptr; at = backlog.after(*at)) {
        words.push_back(std::uint64_t{at->flying} << 32 | std::uint64_t{at->cost});
        words.push_back(since(at->time, cut));
        words.push_back(static_cast<std::uint64_t>(at->delay.link));
        words.push_back(static_cast<std::uint64_t>(at->delay.ejection));
    }
}

void Describer::add_outlet(std::uint32_t outlet, std::int64_t cut, std::vector<std::uint64_t>& words) const {
    const Outlet& out = state.outlet(outlet);
    if (out.ahead == 0) return;
    words.push_back(std::uint64_t{outlet} << 32 | static_cast<std::uint64_t>(out.ahead + kMostUntaken + 1));
    words.push_back(out.ahead > 0 ? since(state.outlets[outlet].posted, cut) : 0);
}

void Describer::add_server(std::uint32_t server, std::int64_t cut, std::vector<std::uint64_t>& words) const {
    words.push_back(since(state.servers[server].free_at.ps, cut));
    if (!state.turns.empty()) words.push_back(state.turns[server] % layout.links.parallel);
}

}  // namespace warpfront::engine
