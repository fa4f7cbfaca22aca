// What ends a run before its ranks are done: a deadlock, with the peer that each blocked rank waits for, or queues that
// take more memory than they may.
#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/parallel/simulation.hpp"

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

record::Blocked outside_collective(record::Blocked blocked, const program::Program& program, const State& state,
                                   const MessageProtocol::Partners& partners) {
    const program::RankClass& rank_class = program.of(blocked.rank);
    const std::vector<program::Channel>& channels =
        partners.sends ? rank_class.send_endpoints : rank_class.receive_endpoints;
    const auto peer_of = [&](std::uint32_t place) { return program::peer_of(blocked.rank, channels[place]); };
    const auto end = partners.places.end();
    const auto waits_too = std::find_if(partners.places.begin(), end,
                                        [&](std::uint32_t place) { return is_blocked(state.ranks[peer_of(place)]); });
    const std::uint32_t place = waits_too == end ? partners.places.front() : *waits_too;
    blocked.what = partners.sends ? record::Blocked::What::send : record::Blocked::What::recv;
    blocked.peer = peer_of(place);
    blocked.tag = channels[place].tag;
    blocked.partners = static_cast<std::uint32_t>(partners.places.size());
    return blocked;
}

}  // namespace

void Simulation::stop_if_deadlocked() {
    std::int64_t done = 0;
    for (const auto& partition : partitions_) done += partition->interpreter.done();
    if (done == layout_.ranks) return;
    throw Deadlock(blocked_ranks());
}

/// Every rank that is blocked, by rank; its clock and what was skipped say since when.
std::vector<record::Blocked> Simulation::blocked_ranks() {
    std::vector<record::Blocked> all;
    for (const Rank rank : layout_.all_ranks()) {
        const RankLine& line = state_.ranks[rank];
        if (!is_blocked(line)) continue;
        const record::Blocked blocked{.rank = rank,
                                      .peer = {},
                                      .site = layout_.code[line.at].site,
                                      .since = {skipped_.time + WideTime{Wide{line.clock}}}};
        all.push_back(
            line.collective_position > 0
                ? in_collective(blocked, layout_, line)
                : outside_collective(blocked, program_, state_, partition_of(line.node).protocol.partners_of(rank)));
    }
    return all;
}

/// No thread steps any more.
void Simulation::stop_for_memory() {
    MemoryExhausted::Found found{};
    found.limit = options_.queue_memory;
    const ReceiveEndpointId longest = longest_queue(found.queued);
    const SendEndpointId send_endpoint = state_.receive_endpoints[longest].send_endpoint;
    found.from = layout_.rank_of(send_endpoint);
    found.to = layout_.rank_of(longest);
    if (!layout_.is_of_collective(send_endpoint)) {
        const std::uint32_t place = layout_.send_endpoint_numbers.place_of(send_endpoint);
        found.tag = program_.of(found.from).send_endpoints[place].tag;
        found.site = layout_.first_send(program_.class_of[found.from.index], place).site;
    }
    found.simulated = skipped_.time + WideTime{Wide{std::max(granted_until_, iterations_.last_end())}};
    found.iterations = iterations_.durations();
    throw MemoryExhausted(std::move(found));
}

/// The receive endpoint with most messages, the first where several have as many; `queued` receives their number.
ReceiveEndpointId Simulation::longest_queue(std::uint64_t& queued) {
    std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash> between_nodes;
    for (const auto& partition : partitions_) partition->count_messages(between_nodes);
    ReceiveEndpointId longest;
    queued = 0;
    for (const ReceiveEndpointId receive_endpoint : layout_.all_receive_endpoints()) {
        const Node node = layout_.node_of[layout_.rank_of(receive_endpoint)];
        Backlog& backlog = partition_of(node).context.backlog;
        const auto sent = between_nodes.find(receive_endpoint);
        const std::uint64_t here = backlog.count(receive_endpoint) + (sent == between_nodes.end() ? 0 : sent->second);
        if (here > queued) std::tie(queued, longest) = std::pair(here, receive_endpoint);
    }
    return longest;
}

}  // namespace warpfront::engine
