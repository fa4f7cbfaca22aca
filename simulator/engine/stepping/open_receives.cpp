#include "simulator/engine/stepping/open_receives.hpp"

#include <algorithm>

namespace warpfront::engine {

namespace {

network::Order order_of(const PendingMatch& match, Rank rank) { return {{match.time}, match.age, rank}; }

}  // namespace

std::vector<OpenReceive>& OpenReceives::of(Rank rank) { return ranks_[rank].open; }

bool OpenReceives::expects(Rank rank, ReceiveEndpointId receive_endpoint) const {
    const auto found = ranks_.find(rank);
    if (found == ranks_.end()) return false;
    return std::any_of(found->second.open.begin(), found->second.open.end(), [&](const OpenReceive& each) {
        return !each.there && each.receive_endpoint == receive_endpoint;
    });
}

void OpenReceives::end(Rank rank, ChoiceId choice) {
    std::erase_if(ranks_.at(rank).open, [&](const OpenReceive& each) { return each.choice == choice; });
}

void OpenReceives::set_next(Node node, Rank rank, const PendingMatch& match) {
    const auto before = next_.find(rank);
    if (before != next_.end()) {
        in_order_.erase({node, order_of(before->second, rank)});
        next_.erase(before);
    }
    if (!match.candidate.exists()) return;
    next_[rank] = match;
    in_order_.insert({node, order_of(match, rank)});
}

std::uint64_t OpenReceives::bytes() const {
    constexpr std::uint64_t kNode = 48;  // of a table or a tree, besides its entry
    std::uint64_t sum =
        in_order_.size() * (kNode + sizeof(InOrder::value_type)) + next_.size() * (kNode + sizeof(PendingMatch));
    for (const auto& [rank, each] : ranks_) sum += kNode + sizeof(OfRank) + each.open.capacity() * sizeof(OpenReceive);
    return sum;
}

}  // namespace warpfront::engine
