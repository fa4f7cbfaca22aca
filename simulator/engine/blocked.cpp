#include "simulator/engine/blocked.hpp"

#include <algorithm>

namespace warpfront::engine {

namespace {

record::Blocked in_collective(record::Blocked blocked, const Layout& layout, const RankLine& line) {
    blocked.what = record::Blocked::What::collective;
    const auto step = layout.doubling.step(blocked.rank, (line.collective_position - 1U) / 3);
    blocked.peer = line.state == RankState::sending ? *step.send_to : *step.recv_from;
    return blocked;
}

bool is_blocked(const RankLine& line) {
    return line.state == RankState::sending || line.state == RankState::receiving || line.state == RankState::choosing;
}

record::Blocked outside_collective(record::Blocked blocked, const program::Program& program, const Layout& layout,
                                   const State& state, const MessageProtocol::Partners& partners) {
    const program::RankClass& rank_class = program.of(blocked.rank);
    const auto channel_of = [&](std::uint32_t endpoint) {
        return partners.sends ? rank_class.send_endpoints[layout.send_endpoint_numbers.place_of(endpoint)]
                              : rank_class.receive_endpoints[layout.receive_endpoint_numbers.place_of(endpoint)];
    };
    const auto peer_of = [&](std::uint32_t endpoint) {
        return static_cast<std::uint32_t>(std::int64_t{blocked.rank.index} + channel_of(endpoint).delta);
    };
    const auto end = partners.endpoints.end();
    const auto waits_too = std::find_if(partners.endpoints.begin(), end, [&](std::uint32_t endpoint) {
        return is_blocked(state.ranks[peer_of(endpoint)]);
    });
    const std::uint32_t endpoint = waits_too == end ? partners.endpoints.front() : *waits_too;
    blocked.what = partners.sends ? record::Blocked::What::send : record::Blocked::What::recv;
    blocked.peer = {peer_of(endpoint)};
    blocked.tag = channel_of(endpoint).tag;
    blocked.partners = static_cast<std::uint32_t>(partners.endpoints.size());
    return blocked;
}

}  // namespace

std::vector<record::Blocked> blocked_ranks(const program::Program& program, const Layout& layout, const State& state,
                                           WideTime skipped, const PartnersOf& partners_of) {
    std::vector<record::Blocked> all;
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const RankLine& line = state.ranks[rank];
        if (!is_blocked(line)) continue;
        const record::Blocked blocked{.rank = {rank},
                                      .peer = {},
                                      .site = layout.code[line.at].site,
                                      .since = {skipped + WideTime{Wide{line.clock}}}};
        all.push_back(line.collective_position > 0
                          ? in_collective(blocked, layout, line)
                          : outside_collective(blocked, program, layout, state, partners_of(rank)));
    }
    return all;
}

}  // namespace warpfront::engine
