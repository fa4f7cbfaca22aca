#include "simulator/engine/stepping/matching.hpp"

namespace warpfront::engine {

void Choices::set_candidate(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint,
                            std::int64_t time) {
    Channel& channel = channels_[receive_endpoint];
    const auto [before, was_posted] = std::pair(channel.candidate, channel.candidate_is_posted);
    if (before == time && was_posted == channel.posted) return;
    const std::uint32_t place = layout_.receive_endpoint_numbers.place_of(receive_endpoint);
    for (const PlaceOfChoice& each : layout_.choices_of_place[rank_class][place]) {
        auto& in_order = of_ranks_[{rank, each.choice}].in_order;
        const bool any = !layout_.choices[each.choice].posted_alone;
        if (before < kHorizon.ps && (any || was_posted)) in_order.erase({before, each.index});
        if (time < kHorizon.ps && (any || channel.posted)) in_order.insert({time, each.index});
    }
    channel.candidate = time;
    channel.candidate_is_posted = channel.posted;
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
    const bool is_next = channel.request && channel.request->number == (channel.taken & kNumberMask);
    return is_next ? &*channel.request : nullptr;
}

bool Choices::expects(Rank rank, ReceiveEndpointId receive_endpoint) {
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
