#include "simulator/engine/stepping/matching.hpp"

#include <algorithm>
#include <cstddef>

namespace warpfront::engine {

void SendOrders::send(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint) {
    const std::uint32_t place = layout_.receive_endpoint_numbers.place_of(receive_endpoint);
    for (const SendOrderId order : orders_of(rank_class, receive_endpoint)) {
        Untaken& untaken = untaken_[{rank, order}];
        untaken.places.push_back(place);
        untaken.drop_taken();
    }
}

void SendOrders::take(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint) {
    const std::uint32_t place = layout_.receive_endpoint_numbers.place_of(receive_endpoint);
    for (const SendOrderId order : orders_of(rank_class, receive_endpoint)) {
        Untaken& untaken = untaken_[{rank, order}];
        ++untaken.gone[place];
        untaken.drop_taken();
    }
}

/// Advances to the first message that is not taken.
void SendOrders::Untaken::drop_taken() {
    for (; !empty(); ++first) {
        const auto found = gone.find(places[first]);
        if (found == gone.end()) break;
        if (--found->second == 0) gone.erase(found);
    }
    if (2 * first < places.size()) return;
    places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(first));
    first = 0;
}

std::optional<std::uint32_t> SendOrders::next(Rank rank, SendOrderId order) const {
    const auto found = untaken_.find({rank, order});
    if (found == untaken_.end() || found->second.empty()) return std::nullopt;
    return found->second.places[found->second.first];
}

std::uint64_t SendOrders::bytes() const {
    constexpr std::uint64_t kNode = 48;  // bytes of a node of a table, including its entry
    std::uint64_t sum = 0;
    for (const auto& [of, each] : untaken_) {
        sum += kNode * (1 + each.gone.size()) + sizeof(Untaken) + each.places.capacity() * sizeof(std::uint32_t);
    }
    return sum;
}

/// Returns true if the choice may take a message of the endpoint at `place` before the other messages of its source.
bool Candidates::is_next(Rank rank, const PlaceOfChoice& of_choice, std::uint32_t place) const {
    return of_choice.send_order == kNone || send_orders_.next(rank, of_choice.send_order) == place;
}

void Candidates::set(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint, const Since& since) {
    Since& known = known_[receive_endpoint];
    const bool in_send_order = !layout_.in_send_order.empty() && layout_.in_send_order[receive_endpoint];
    if (known == since && !in_send_order) return;
    const std::uint32_t place = layout_.receive_endpoint_numbers.place_of(receive_endpoint);
    for (const PlaceOfChoice& each : layout_.choices_of_place[rank_class][place]) {
        const auto time = layout_.choices[each.choice].posted_alone ? &Since::of_posted : &Since::of_any;
        InOrder& in_order = in_order_[{rank, each.choice}];
        in_order.erase({known.*time, each.index});
        if (since.*time < kHorizon.ps && is_next(rank, each, place)) in_order.insert({since.*time, each.index});
    }
    known = since;
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
