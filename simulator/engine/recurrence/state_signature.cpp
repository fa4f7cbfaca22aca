#include "simulator/engine/recurrence/state_signature.hpp"

#include <algorithm>
#include <array>

namespace warpfront::engine {

namespace {

using Kind = StateWriter::Kind;

// A new member of these types must be described below or be a sum (sums.hpp), unless it is omitted for a reason.
static_assert(sizeof(RankLine) == 64 && sizeof(RankStatistics) == 56 && sizeof(ReceiveEndpoint) == 16);
static_assert(sizeof(OpenPost) == 8 && sizeof(PostedSendEndpoint) == 16 && sizeof(Backlog::Entry) == 32 &&
              sizeof(network::Server) == 8);

void add_delay(const Delay& delay, StateWriter& words) {
    words.put_duration(delay.link);
    words.put_duration(delay.ejection);
}

}  // namespace

void StateSignature::add_node(Node node, Backlog& backlog, StateWriter& words) const {
    for (const Rank rank : layout.ranks_of(node)) {
        if (rank == kNone) continue;
        add_rank(state.ranks[rank], words);
        for (std::uint32_t k = 0; k < layout.receive_endpoint_numbers.room(rank); ++k) {
            add_receive_endpoint(layout.receive_endpoint_numbers.at(rank, k), backlog, words);
        }
        for (std::uint32_t k = 0; k < layout.send_endpoint_numbers.room(rank); ++k) {
            add_send_endpoint(layout.send_endpoint_numbers.at(rank, k), words);
        }
        for (std::uint32_t k = 0; k < layout.collective_steps; ++k) {
            add_receive_endpoint(layout.collective_receive_endpoint(rank, k), backlog, words);
            add_send_endpoint(layout.collective_send_endpoint(rank, k), words);
        }
    }
    const ServerId first = layout.servers_of(node);
    const NodeServers& on_node = layout.on_node;
    add_servers(first, first + on_node.injection, layout.longest_early, words);
    add_servers(first + on_node.injection, first + on_node.ejection, {}, words);
    // The packets of a message may have waited for links for any time before the NIC is requested.
    const Time longest_ejection = layout.cuts_packets && layout.ejects ? kHorizon : layout.longest_early;
    add_servers(first + on_node.ejection, first + on_node.links, longest_ejection, words);
    add_servers(first + on_node.links, first + on_node.used, {}, words);
}

void StateSignature::add_rank(const RankLine& line, StateWriter& words) const {
    const bool requested = has_request(line.state) || line.state == RankState::sending;
    const bool began = line.state == RankState::receiving || line.state == RankState::sending;
    std::array<std::uint32_t, program::kMaxLoopDepth> left = line.iterations_left;
    left[depths[line.at]] = 0;
    words.begin(Kind::rank);
    words.put(line.at.index, 32);
    words.put(line.collective_position, 8);
    words.put(static_cast<std::uint64_t>(line.state), 8);
    began ? words.put_time(line.clock) : words.put_time_since(line.clock);
    words.put_wave(line.wave);
    words.put(requested ? line.request_cost.index : 0, 32);
    for (const std::uint32_t of_loop : left) words.put(of_loop, 32);
}

void StateSignature::add_receive_endpoint(ReceiveEndpointId receive_endpoint, Backlog& backlog,
                                          StateWriter& words) const {
    const ReceiveEndpoint& head = state.receive_endpoints[receive_endpoint];
    if (layout.counts_unexpected) add_open_post(receive_endpoint, words);
    if (is(head, ReceiveState::empty)) return;
    words.begin(Kind::receive_endpoint);
    words.put(receive_endpoint.index, 29);
    words.put(head.queued, 1);
    words.put(head.delayed, 1);
    words.put(head.state, 2);
    words.put(head.cost_index, 24);
    add_arrival(head.time, words);
    if (head.delayed) add_delay(backlog.delay(receive_endpoint), words);
    if (!head.queued) return;
    words.put(backlog.count(receive_endpoint));
    backlog.for_each(receive_endpoint, [&](const Backlog::Entry& message) {
        words.put(message.in_flight, 1);
        words.put(message.cost_index, 31);
        add_arrival(message.time, words);
        add_delay(message.delay, words);
    });
}

/// Describes an open receive: when it was posted, if not before the cut, and whether its message arrived before the
/// post. A message that has not arrived yet arrives at the cut or later.
void StateSignature::add_open_post(ReceiveEndpointId receive_endpoint, StateWriter& words) const {
    const OpenPost post = state.open_posts[receive_endpoint];
    if (!post.exists()) return;
    const ReceiveEndpoint& head = state.receive_endpoints[receive_endpoint];
    words.begin(Kind::open_post);
    words.put(receive_endpoint.index, 29);
    words.put(is(head, ReceiveState::data) && head.time < post.time() ? 1 : 0, 1);
    words.put_time_since(post.time());
}

/// Describes the arrival of a message whose receive may be posted later. If unexpected messages have a cost, an arrival
/// before the cut differs from an arrival at the cut.
void StateSignature::add_arrival(std::int64_t time, StateWriter& words) const {
    if (layout.counts_unexpected && time < words.cut()) return words.put(~std::uint64_t{0});
    words.put_time_since(time);
}

void StateSignature::add_send_endpoint(SendEndpointId send_endpoint, StateWriter& words) const {
    const bool has_post = state.send_endpoint(send_endpoint).has_post == 1;
    const std::uint64_t before_post = state.before_post.contains(send_endpoint) ? state.before_post[send_endpoint] : 0;
    if (!has_post && before_post == 0) return;
    words.begin(Kind::send_endpoint);
    words.put(send_endpoint.index, 29);
    words.put(has_post ? 1 : 0, 1);
    has_post ? words.put_time_since(state.send_endpoints[send_endpoint].posted) : words.put(before_post);
}

void StateSignature::add_servers(ServerId first, ServerId last, Time early, StateWriter& words) const {
    const bool turns = !state.turns.empty();
    for (const ServerId server : id_range<ServerId>(first.index, last.index)) {
        const std::int64_t free_at = state.servers[server].free_at.ps;
        // A server that has never been used is left out, however early a service may begin.
        if ((free_at == 0 || free_at <= words.cut() - early.ps) && (!turns || state.turns[server] == 0)) continue;
        words.begin(Kind::server);
        words.put(server.index, 32);
        words.put_time(std::max(free_at, words.cut() - early.ps));
        if (turns) words.put(state.turns[server]);
    }
}

}  // namespace warpfront::engine
