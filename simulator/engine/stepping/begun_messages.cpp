#include "simulator/engine/stepping/begun_messages.hpp"

#include <tuple>
#include <utility>

namespace warpfront::engine {

BegunMessage& BegunMessages::begin(const RankLine& line, SendEndpointId send_endpoint, CostId cost) {
    BegunMessage& message = messages_[send_endpoint];
    message.clock = line.clock;
    message.request_cost = cost;
    message.state = RankState::sending;
    message.send_endpoint = send_endpoint;
    message.age = age_of(layout_, line);
    return message;
}

void BegunMessages::request(BegunMessage& message, RankState what) {
    const Rank rank = layout_.rank_of(message.send_endpoint);
    const Node node = layout_.node_of[rank];
    if (message.clock >= kHorizon.ps) PartitionContext::throw_overflow(rank, message.age.site);
    message.state = what;
    context_.requests.push_back(ResourceRequest::of_departure(message.clock, node, message.send_endpoint));
    if (context_.in_order) return;
    if (first_.empty()) first_.assign(layout_.nodes, nullptr);
    BegunMessage** at = &first_[node];
    while (*at != nullptr && comes_before(**at, message)) at = &(*at)->next;
    message.next = std::exchange(*at, &message);
}

/// Endpoints of one rank are numbered by place.
bool BegunMessages::comes_before(const BegunMessage& a, const BegunMessage& b) const {
    const auto order_of = [](const BegunMessage& message) { return std::tuple(message.clock, message.age); };
    if (order_of(a) != order_of(b)) return order_of(a) < order_of(b);
    return layout_.send_endpoint_numbers.before(a.send_endpoint, b.send_endpoint);
}

SendEndpointId BegunMessages::take_first(Node node) {
    const BegunMessage* const taken = std::exchange(first_[node], first_[node]->next);
    return taken->send_endpoint;
}

bool BegunMessages::requests_links(Node node, std::int64_t time) const {
    for (const BegunMessage* each = first(node); each != nullptr && each->clock <= time; each = each->next) {
        if (each->state == RankState::requests_links) return true;
    }
    return false;
}

std::uint64_t BegunMessages::bytes() const {
    return messages_.size() * sizeof(BySendEndpoint::value_type) + first_.capacity() * sizeof(BegunMessage*);
}

}  // namespace warpfront::engine
