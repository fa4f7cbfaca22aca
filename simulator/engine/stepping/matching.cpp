#include "simulator/engine/stepping/matching.hpp"

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

/// Advances to the first message that has not been taken.
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

/// Returns true if the choice may take a message of the endpoint at index `place` before other messages of its source.
bool Choices::is_next(Rank rank, const PlaceOfChoice& of_choice, std::uint32_t place) const {
    return of_choice.send_order == kNone || send_orders_.next(rank, of_choice.send_order) == place;
}

void Choices::set_candidate(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint,
                            const Since& since) {
    Since& known = channels_[receive_endpoint].candidate;
    const bool in_send_order = !layout_.in_send_order.empty() && layout_.in_send_order[receive_endpoint];
    if (known == since && !in_send_order) return;
    const std::uint32_t place = layout_.receive_endpoint_numbers.place_of(receive_endpoint);
    for (const PlaceOfChoice& each : layout_.choices_of_place[rank_class][place]) {
        const auto time = layout_.choices[each.choice].posted_alone ? &Since::of_posted : &Since::of_any;
        auto& in_order = of_ranks_[{rank, each.choice}].in_order;
        in_order.erase({known.*time, each.index});
        if (since.*time < kHorizon.ps && is_next(rank, each, place)) in_order.insert({since.*time, each.index});
    }
    known = since;
}

Candidate Choices::first_candidate(Rank rank, ChoiceId choice) const {
    const auto found = of_ranks_.find({rank, choice});
    if (found == of_ranks_.end() || found->second.in_order.empty()) return {};
    const auto [time, index] = *found->second.in_order.begin();
    return {time, index, layout_.receive_endpoint_numbers.at(rank, layout_.choices[choice].places[index])};
}

void Choices::send(SendEndpointId send_endpoint) { ++sent_[send_endpoint]; }

std::uint32_t Choices::sent(SendEndpointId send_endpoint) const {
    const auto found = sent_.find(send_endpoint);
    return found == sent_.end() ? 0 : found->second;
}

std::uint32_t Choices::take(ReceiveEndpointId receive_endpoint) { return channels_[receive_endpoint].taken++; }

const MessageRequest* Choices::request(ReceiveEndpointId receive_endpoint) {
    const Channel& channel = channels_[receive_endpoint];
    const bool is_of_next = channel.request && channel.request->number == (channel.taken & kNumberMask);
    return is_of_next ? &*channel.request : nullptr;
}

bool Choices::expects(Rank rank, ReceiveEndpointId receive_endpoint) {
    const OpenReceive* const by_name = posted(receive_endpoint);
    if (by_name != nullptr && !by_name->there) return true;
    const std::vector<OpenReceive>& all = open(rank);
    return std::any_of(all.begin(), all.end(), [&](const OpenReceive& each) {
        return !each.there && each.receive_endpoint == receive_endpoint;
    });
}

std::uint64_t Choices::bytes() const {
    constexpr std::uint64_t kNode = 32;  // bytes of a node of a table or a tree, without its entry
    std::uint64_t sum = (kNode + sizeof(OfRank)) * ranks_.size() + (kNode + sizeof(Channel)) * channels_.size() +
                        (kNode + sizeof(ChoiceOfRank)) * of_ranks_.size() +
                        2 * kNode * (replied_on_.size() + sent_.size());
    for (const auto& [rank, each] : ranks_) sum += each.open.capacity() * sizeof(OpenReceive);
    for (const auto& [of, each] : of_ranks_) sum += 2 * kNode * each.in_order.size();
    return sum;
}

}  // namespace warpfront::engine
