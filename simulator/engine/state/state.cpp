#include "simulator/engine/state/state.hpp"

#include <algorithm>
#include <cstddef>

namespace warpfront::engine {

void Backlog::push(std::uint32_t receive_endpoint, const Entry& entry) {
    std::uint32_t index = 0;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(entries_.size());
        budget_.push(entries_, entry);
    } else {
        index = free_.back();
        free_.pop_back();
        entries_[index] = entry;
    }
    Ends& queue = ends(receive_endpoint);
    (queue.first == kNone ? queue.first : entries_[queue.last].next) = index;
    queue.last = index;
    ++queue.count;
    if (entry.in_flight && queue.in_flight == kNone) queue.in_flight = index;
}

Backlog::Entry Backlog::pop(std::uint32_t receive_endpoint, bool& more) {
    Ends& queue = ends(receive_endpoint);
    const std::uint32_t index = queue.first;
    if (queue.in_flight == index) queue.in_flight = next_in_flight(entries_[index].next);
    queue.first = entries_[index].next;
    --queue.count;
    more = queue.first != kNone;
    free_.push_back(index);
    return entries_[index];
}

void Backlog::land(std::uint32_t receive_endpoint) {
    Ends& queue = ends(receive_endpoint);
    entries_[queue.in_flight].in_flight = 0;
    queue.in_flight = next_in_flight(entries_[queue.in_flight].next);
}

std::uint32_t Backlog::next_in_flight(std::uint32_t index) const {
    while (index != kNone && !entries_[index].in_flight) index = entries_[index].next;
    return index;
}

std::uint64_t Backlog::bytes() const {
    return collective_.size() * (sizeof(Ends) + 4 * sizeof(void*)) + entries_.capacity() * sizeof(Entry) +
           free_.capacity() * sizeof(std::uint32_t);
}

namespace {

bool collectives_need_post_notices(const Layout& layout, const Channels& channels) {
    const auto first =
        channels.needs_post_notice.begin() + static_cast<std::ptrdiff_t>(layout.first_collective_receive_endpoint);
    return std::find(first, channels.needs_post_notice.end(), true) != channels.needs_post_notice.end();
}

Extents extents_of(const Layout& layout, const Channels& channels) {
    const bool links = layout.routes != nullptr;
    Extents extents;
    extents.ranks = layout.ranks;
    extents.channels = layout.first_collective_receive_endpoint;
    extents.receive_endpoints = layout.receive_endpoints();
    extents.send_endpoints = collectives_need_post_notices(layout, channels) ? layout.send_endpoints()
                                                                             : layout.first_collective_send_endpoint;
    extents.quiet_send_endpoints = layout.send_endpoints() - extents.send_endpoints;
    extents.servers = layout.server_count;
    if (links && layout.links.choice == machine::LinkChoice::round_robin) extents.turns = extents.servers;
    if (links) extents.links = layout.link_number(layout.server_count);
    if (layout.ejects || links) extents.delays = extents.channels;
    if (channels.mixes_protocols) extents.before_post = extents.send_endpoints;
    extents.phase_times = extents.ranks * layout.phases;
    if (layout.has_choices) extents.overheads = extents.ranks;
    return extents;
}

/// Every array of a State with the extent that it has: the one list by which they are made and counted.
template <typename Visit>
void for_each_array(Visit&& visit) {
    visit(&State::ranks, &Extents::ranks);
    visit(&State::receive_endpoints, &Extents::receive_endpoints);
    visit(&State::send_endpoints, &Extents::send_endpoints);
    visit(&State::quiet_send_endpoints, &Extents::quiet_send_endpoints);
    visit(&State::servers, &Extents::servers);
    visit(&State::turns, &Extents::turns);
    visit(&State::link_waits, &Extents::links);
    visit(&State::statistics, &Extents::ranks);
    visit(&State::overheads, &Extents::overheads);
    visit(&State::delays, &Extents::delays);
    visit(&State::queues, &Extents::channels);
    visit(&State::before_post, &Extents::before_post);
    visit(&State::phase_times, &Extents::phase_times);
}

template <typename Array>
constexpr std::uint64_t element_bytes(Array State::*) {
    return sizeof(typename Array::value_type);
}

}  // namespace

State::State(const Layout& layout, const Channels& channels) : State(layout, channels, extents_of(layout, channels)) {}

State::State(const Layout& layout, const Channels& channels, const Extents& extents)
    : records_activity(extents.overheads > 0), extents_(extents) {
    for_each_array([&](auto array, auto count) { (this->*array).resize(extents.*count); });
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        ranks[rank].node = layout.node_of[rank];
    }
    for (std::uint32_t node = 0; node < layout.nodes; ++node) {
        for (std::uint32_t core = 0; core < layout.cores; ++core) {
            const std::uint32_t rank = layout.ranks_on[std::size_t{node} * layout.cores + core];
            if (rank != kNone) ranks[rank].core = static_cast<std::uint16_t>(core);
            request_time(layout.hot_state_of(node), core) = kHorizon.ps;
        }
        if (!layout.ejects) continue;
        arrival(layout, node) = kHorizon.ps;
        set_first_in_flight(layout, node, {});
    }
    for (std::uint32_t send_endpoint = 0; send_endpoint < layout.send_endpoints(); ++send_endpoint) {
        const ChannelPath& way = channels.paths[send_endpoint];
        SendEndpoint& out = this->send_endpoint(send_endpoint);
        out.receive_endpoint = way.receive_endpoint;
        out.path = way.path & 0xFFFFU;
        out.own_link = way.own_link & 7U;
        out.needs_post_notice =
            way.receive_endpoint != kNone && channels.needs_post_notice[way.receive_endpoint] ? 1 : 0;
    }
    for (std::uint32_t receive_endpoint = 0; receive_endpoint < layout.receive_endpoints(); ++receive_endpoint) {
        receive_endpoints[receive_endpoint].send_endpoint = channels.send_endpoint_of[receive_endpoint];
        receive_endpoints[receive_endpoint].needs_post_notice = channels.needs_post_notice[receive_endpoint] ? 1 : 0;
        const bool in_choice = receive_endpoint < layout.in_choice.size() && layout.in_choice[receive_endpoint];
        receive_endpoints[receive_endpoint].in_choice = in_choice ? 1 : 0;
    }
}

std::uint64_t state_bytes(const Extents& extents) {
    std::uint64_t sum = 0;
    for_each_array([&](auto array, auto count) { sum += extents.*count * element_bytes(array); });
    return sum;
}

std::uint64_t State::bytes() const { return state_bytes(extents_); }

}  // namespace warpfront::engine
