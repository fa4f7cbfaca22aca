#include "simulator/engine/recurrence/state_signature.hpp"

#include <algorithm>
#include <array>

namespace warpfront::engine {

namespace {

constexpr std::uint64_t kReceiveEndpoint = std::uint64_t{1} << 60;
constexpr std::uint64_t kSendEndpoint = std::uint64_t{2} << 60;
constexpr std::uint64_t kServer = std::uint64_t{3} << 60;
constexpr std::uint64_t kOpenPost = std::uint64_t{4} << 60;

// A new field of one of these types is described below, is a sum (sums.hpp), or is left out for a reason.
static_assert(sizeof(RankLine) == 64 && sizeof(RankStatistics) == 48 && sizeof(ReceiveEndpoint) == 16);
static_assert(sizeof(OpenPost) == 8 && sizeof(PostedSendEndpoint) == 16 && sizeof(Backlog::Entry) == 32 &&
              sizeof(network::Server) == 8);

std::uint64_t since(std::int64_t time, std::int64_t cut) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time - cut, 0));
}

}  // namespace

void StateSignature::add_node(Node node, Backlog& backlog, std::int64_t cut, std::uint64_t waves,
                              std::vector<std::uint64_t>& words) const {
    const std::uint32_t steps = layout.collective_steps;
    for (const Rank rank : layout.ranks_of(node)) {
        if (rank == kNone) continue;
        add_rank(state.ranks[rank], cut, waves, words);
        add_channels(rank, backlog, cut, words);
        for (std::uint32_t k = 0; k < steps; ++k) {
            add_receive_endpoint(layout.collective_receive_endpoint(rank, k), backlog, cut, words);
            add_send_endpoint(layout.collective_send_endpoint(rank, k), cut, words);
        }
    }
    const ServerId first = layout.servers_of(node);
    add_servers(first, first + layout.on_node.used, cut, words);
}

void StateSignature::add_channels(Rank rank, Backlog& backlog, std::int64_t cut,
                                  std::vector<std::uint64_t>& words) const {
    for (std::uint32_t k = 0; k < layout.receive_endpoint_numbers.room(rank); ++k) {
        add_receive_endpoint(layout.receive_endpoint_numbers.at(rank, k), backlog, cut, words);
    }
    for (std::uint32_t k = 0; k < layout.send_endpoint_numbers.room(rank); ++k) {
        add_send_endpoint(layout.send_endpoint_numbers.at(rank, k), cut, words);
    }
}

void StateSignature::add_rank(const RankLine& line, std::int64_t cut, std::uint64_t waves,
                              std::vector<std::uint64_t>& words) const {
    const bool requested = has_request(line.state) || line.state == RankState::sending;
    const bool began = line.state == RankState::receiving || line.state == RankState::sending;
    std::array<std::uint32_t, program::kMaxLoopDepth> trips = line.trips_left;
    trips[depths[line.at]] = 0;
    words.push_back(line.at.index | std::uint64_t{line.collective_position} << 32 |
                    std::uint64_t{static_cast<std::uint8_t>(line.state)} << 48);
    words.push_back(began ? static_cast<std::uint64_t>(line.clock - cut) : since(line.clock, cut));
    words.push_back(line.wave - waves);
    words.push_back((requested ? line.request_cost.index : 0U) | std::uint64_t{trips[0]} << 32);
    words.push_back(trips[1] | std::uint64_t{trips[2]} << 32);
    words.push_back(trips[3]);
}

void StateSignature::add_receive_endpoint(ReceiveEndpointId receive_endpoint, Backlog& backlog, std::int64_t cut,
                                          std::vector<std::uint64_t>& words) const {
    const ReceiveEndpoint& head = state.receive_endpoints[receive_endpoint];
    if (layout.counts_unexpected) add_open_post(receive_endpoint, cut, words);
    if (head.state == static_cast<std::uint32_t>(ReceiveState::empty)) return;
    words.push_back(kReceiveEndpoint | std::uint64_t{receive_endpoint.index} << 28 | std::uint64_t{head.queued} << 27 |
                    std::uint64_t{head.delayed} << 26 | std::uint64_t{head.state} << 24 |
                    std::uint64_t{head.cost_index});
    words.push_back(arrived(head.time, cut));
    if (head.delayed) words.push_back(static_cast<std::uint64_t>(state.delays[receive_endpoint].link));
    if (head.delayed) words.push_back(static_cast<std::uint64_t>(state.delays[receive_endpoint].ejection));
    if (!head.queued) return;
    words.push_back(backlog.count(receive_endpoint));
    for (const Backlog::Entry* at = backlog.first(receive_endpoint); at != nullptr; at = backlog.after(*at)) {
        words.push_back(std::uint64_t{at->in_flight} << 32 | std::uint64_t{at->cost_index});
        words.push_back(arrived(at->time, cut));
        words.push_back(static_cast<std::uint64_t>(at->delay.link));
        words.push_back(static_cast<std::uint64_t>(at->delay.ejection));
    }
}

/// Describes an open receive: the time at which it was posted, if that is not before the cut, and whether the message
/// that has arrived came before it. A message that has not arrived yet arrives at the cut or later.
void StateSignature::add_open_post(ReceiveEndpointId receive_endpoint, std::int64_t cut,
                                   std::vector<std::uint64_t>& words) const {
    const OpenPost post = state.open_posts[receive_endpoint];
    if (!post.exists()) return;
    const ReceiveEndpoint& head = state.receive_endpoints[receive_endpoint];
    const bool came_before = is(head, ReceiveState::data) && head.time < post.time();
    words.push_back(kOpenPost | std::uint64_t{receive_endpoint.index} << 28 | std::uint64_t{came_before});
    words.push_back(since(post.time(), cut));
}

/// Returns the arrival of a message whose receive may still have to be posted, which happens at the cut or later. If
/// unexpected messages have a cost, one that arrived before the cut differs from one that arrives at the cut.
std::uint64_t StateSignature::arrived(std::int64_t time, std::int64_t cut) const {
    return layout.counts_unexpected && time < cut ? ~std::uint64_t{0} : since(time, cut);
}

void StateSignature::add_send_endpoint(SendEndpointId send_endpoint, std::int64_t cut,
                                       std::vector<std::uint64_t>& words) const {
    const bool has_post = state.send_endpoint(send_endpoint).has_post == 1;
    const std::uint64_t before_post = state.before_post.contains(send_endpoint) ? state.before_post[send_endpoint] : 0;
    if (!has_post && before_post == 0) return;
    words.push_back(kSendEndpoint | std::uint64_t{send_endpoint.index} << 28 | std::uint64_t{has_post});
    words.push_back(has_post ? since(state.send_endpoints[send_endpoint].posted, cut) : before_post);
}

void StateSignature::add_servers(ServerId first, ServerId last, std::int64_t cut,
                                 std::vector<std::uint64_t>& words) const {
    const bool turns = !state.turns.empty();
    for (const ServerId server : id_range<ServerId>(first.index, last.index)) {
        const std::int64_t free_at = state.servers[server].free_at.ps;
        if (free_at <= cut && (!turns || state.turns[server] == 0)) continue;
        words.push_back(kServer | server.index);
        words.push_back(since(free_at, cut));
        if (turns) words.push_back(state.turns[server]);
    }
}

}  // namespace warpfront::engine
