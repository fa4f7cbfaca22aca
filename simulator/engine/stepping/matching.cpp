#include "simulator/engine/stepping/matching.hpp"

#include <algorithm>

namespace warpfront::engine {

void Candidates::set(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint, std::int64_t time,
                     bool posted) {
    const Known now{time, posted};
    Known& known = known_[receive_endpoint];
    if (known == now) return;
    const std::uint32_t place = layout_.receive_endpoint_numbers.place_of(receive_endpoint);
    for (const PlaceOfChoice& each : layout_.choices_of_place[rank_class][place]) {
        InOrder& in_order = in_order_[{rank, each.choice}];
        const bool any = !layout_.choices[each.choice].posted_alone;
        if (known.time < kHorizon.ps && (any || known.posted)) in_order.erase({known.time, each.index});
        if (now.time < kHorizon.ps && (any || now.posted)) in_order.insert({now.time, each.index});
    }
    known = now;
}

Candidate Candidates::first(Rank rank, ChoiceId choice) const {
    const auto found = in_order_.find({rank, choice});
    if (found == in_order_.end() || found->second.empty()) return {};
    const auto [time, index] = *found->second.begin();
    return {time, index, layout_.receive_endpoint_numbers.at(rank, layout_.choices[choice].places[index])};
}

std::uint64_t Candidates::bytes() const {
    constexpr std::uint64_t kNode = 48;  // bytes of a node of a table or a tree, including its entry
    std::uint64_t sum = kNode * known_.size();
    for (const auto& [of, in_order] : in_order_) sum += kNode * (1 + in_order.size());
    return sum;
}

void Choices::send(SendEndpointId send_endpoint) { ++sent_[send_endpoint]; }

std::uint32_t Choices::take(ReceiveEndpointId receive_endpoint) { return taken_[receive_endpoint]++; }

std::uint64_t Choices::bytes() const {
    constexpr std::uint64_t kNode = 48;  // bytes of a node of a hash table, including its entry
    return kNode * (first_.size() + taken_of_.size() + replied_on_.size() + posted_.size() + sent_.size() +
                    taken_.size() + requests_.size());
}

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

std::uint64_t OpenReceives::bytes() const {
    constexpr std::uint64_t kNode = 48;  // bytes of a node of a table or a tree, without its entry
    std::uint64_t sum = 0;
    for (const auto& [rank, each] : ranks_) sum += kNode + sizeof(OfRank) + each.open.capacity() * sizeof(OpenReceive);
    return sum;
}

}  // namespace warpfront::engine
