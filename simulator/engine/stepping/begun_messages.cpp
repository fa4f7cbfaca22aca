#include "simulator/engine/stepping/begun_messages.hpp"

#include <tuple>

namespace warpfront::engine {

void BegunMessages::request(std::uint32_t send_endpoint, RankState wants, std::int64_t time) {
    const std::uint32_t rank = layout_.rank_of_send_endpoint(send_endpoint);
    const std::uint32_t node = layout_.node_of[rank];
    BegunMessage& message = messages_.at(send_endpoint);
    if (time >= kHorizon.ps) PartitionContext::throw_overflow(rank, message.age.site);
    message.wants = wants;
    message.time = time;
    context_.requests.push_back({time, node, send_endpoint, ResourceRequest::Kind::departure});
    if (context_.in_order) return;
    if (first_.empty()) first_.assign(layout_.nodes, kNone);
    const std::uint32_t added = new_entry(time, send_endpoint);
    std::uint32_t* at = &first_[node];
    while (*at != kNone && comes_before(entries_[*at], entries_[added])) at = &entries_[*at].next;
    entries_[added].next = *at;
    *at = added;
}

std::uint32_t BegunMessages::new_entry(std::int64_t time, std::uint32_t send_endpoint) {
    if (free_.empty()) {
        entries_.push_back({time, send_endpoint, kNone});
        return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    const std::uint32_t entry = free_.back();
    free_.pop_back();
    entries_[entry] = {time, send_endpoint, kNone};
    return entry;
}

/// Endpoints of one rank are numbered by place.
bool BegunMessages::comes_before(const Entry& a, const Entry& b) const {
    if (a.time != b.time) return a.time < b.time;
    const network::Age age_a = messages_.at(a.send_endpoint).age;
    const network::Age age_b = messages_.at(b.send_endpoint).age;
    if (age_a != age_b) return age_a < age_b;
    return layout_.send_endpoint_numbers.before(a.send_endpoint, b.send_endpoint);
}

bool BegunMessages::is_before(std::uint32_t node, network::Age age, std::uint32_t rank) const {
    const std::uint32_t send_endpoint = entries_[first_[node]].send_endpoint;
    const network::Age own = messages_.at(send_endpoint).age;
    return std::tuple(own, layout_.rank_of_send_endpoint(send_endpoint)) < std::tuple(age, rank);
}

std::uint32_t BegunMessages::take_first(std::uint32_t node) {
    const std::uint32_t taken = first_[node];
    first_[node] = entries_[taken].next;
    free_.push_back(taken);
    return entries_[taken].send_endpoint;
}

bool BegunMessages::requests_links(std::uint32_t node, std::int64_t time) const {
    if (first_.empty()) return false;
    for (std::uint32_t at = first_[node]; at != kNone && entries_[at].time <= time; at = entries_[at].next) {
        if (messages_.at(entries_[at].send_endpoint).wants == RankState::requests_links) return true;
    }
    return false;
}

std::uint64_t BegunMessages::bytes() const {
    return messages_.size() * sizeof(BySendEndpoint::value_type) + entries_.capacity() * sizeof(Entry) +
           (first_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace warpfront::engine
