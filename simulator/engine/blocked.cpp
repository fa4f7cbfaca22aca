#include "simulator/engine/blocked.hpp"

namespace warpfront::engine {

namespace {

record::Blocked in_collective(record::Blocked blocked, const Layout& layout, const RankLine& line) {
    blocked.what = record::Blocked::What::collective;
    const auto step = layout.doubling.step(blocked.rank, (line.collective_position - 1U) / 3);
    blocked.peer = line.state == RankState::sending ? *step.send_to : *step.recv_from;
    return blocked;
}

}  // namespace

std::vector<record::Blocked> blocked_ranks(const program::Program& program, const Layout& layout, const State& state,
                                           WideTime skipped) {
    std::vector<record::Blocked> all;
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const RankLine& line = state.ranks[rank];
        if (line.state != RankState::sending && line.state != RankState::receiving) continue;
        const program::Instruction& step = layout.code[line.at];
        record::Blocked blocked{
            .rank = {rank}, .peer = {}, .site = step.site, .since = {skipped + WideTime{Wide{line.clock}}}};
        if (line.collective_position > 0) {
            all.push_back(in_collective(blocked, layout, line));
            continue;
        }
        const program::RankClass& rank_class = program.of({rank});
        const bool sends = line.state == RankState::sending;
        const program::Channel& channel =
            sends ? rank_class.send_endpoints[step.operand] : rank_class.receive_endpoints[step.operand];
        blocked.what = sends ? record::Blocked::What::send : record::Blocked::What::recv;
        blocked.peer = {static_cast<std::uint32_t>(std::int64_t{rank} + channel.delta)};
        blocked.tag = channel.tag;
        all.push_back(blocked);
    }
    return all;
}

}  // namespace warpfront::engine
