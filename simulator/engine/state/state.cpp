#include "simulator/engine/state/state.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warpfront::engine {

void Backlog::push(ReceiveEndpointId receive_endpoint, const Entry& entry) {
    EntryId last;
    if (free_.empty()) {
        last = {static_cast<std::uint32_t>(entries_.size())};
        budget_.push(entries_, entry);
    } else {
        last = free_.back();
        free_.pop_back();
        entries_[last] = entry;
    }
    Ends& queue = ends(receive_endpoint);
    entries_[last].next = queue.last == kNone ? last : std::exchange(entries_[queue.last].next, last);
    queue.last = last;
    if (entry.in_flight && queue.in_flight == kNone) queue.in_flight = last;
}

Backlog::Entry Backlog::pop(ReceiveEndpointId receive_endpoint, bool& more) {
    Ends& queue = ends(receive_endpoint);
    const EntryId first = entries_[queue.last].next;
    if (queue.in_flight == first) queue.in_flight = next_in_flight(first, queue.last);
    more = first != queue.last;
    if (more) {
        entries_[queue.last].next = entries_[first].next;
    } else {
        queue.last = kNone;
    }
    free_.push_back(first);
    return entries_[first];
}

void Backlog::land(ReceiveEndpointId receive_endpoint) {
    Ends& queue = ends(receive_endpoint);
    entries_[queue.in_flight].in_flight = 0;
    queue.in_flight = next_in_flight(queue.in_flight, queue.last);
}

/// Returns the first message in flight behind `entry`, up to `last`; kNone if there is none.
Backlog::EntryId Backlog::next_in_flight(EntryId entry, EntryId last) const {
    while (entry != last) {
        entry = entries_[entry].next;
        if (entries_[entry].in_flight) return entry;
    }
    return kNone;
}

std::uint64_t Backlog::count(ReceiveEndpointId receive_endpoint) {
    std::uint64_t count = 0;
    for_each(receive_endpoint, [&](const Entry&) { ++count; });
    return count;
}

void Backlog::delay_head(ReceiveEndpointId receive_endpoint, const Delay& delay) {
    std::uint32_t& number = delay_numbers_[receive_endpoint];
    if (free_delays_.empty()) {
        number = static_cast<std::uint32_t>(delays_.size());
        budget_.push(delays_, delay);
    } else {
        number = free_delays_.back();
        free_delays_.pop_back();
        delays_[number] = delay;
    }
}

std::uint64_t Backlog::bytes() const {
    return collective_.size() * (sizeof(Ends) + 4 * sizeof(void*)) + entries_.capacity() * sizeof(Entry) +
           free_.capacity() * sizeof(EntryId) + delays_.capacity() * sizeof(Delay) +
           free_delays_.capacity() * sizeof(std::uint32_t);
}

namespace {

bool collectives_need_post_notices(const Layout& layout, const Channels& channels) {
    const auto first =
        channels.needs_post_notice.begin() + static_cast<std::ptrdiff_t>(layout.receive_endpoint_numbers.size());
    return std::find(first, channels.needs_post_notice.end(), true) != channels.needs_post_notice.end();
}

Extents extents_of(const Layout& layout, const Channels& channels) {
    const bool links = layout.routes != nullptr;
    Extents extents;
    extents.ranks = layout.ranks;
    extents.channels = layout.receive_endpoint_numbers.size();
    extents.receive_endpoints = layout.receive_endpoints();
    extents.send_endpoints =
        collectives_need_post_notices(layout, channels) ? layout.send_endpoints() : layout.send_endpoint_numbers.size();
    extents.quiet_send_endpoints = layout.send_endpoints() - extents.send_endpoints;
    extents.servers = layout.server_count;
    if (links && layout.links.choice == machine::LinkChoice::round_robin) extents.turns = extents.servers;
    if (links) extents.links = layout.link_of({layout.server_count}).index;
    if (layout.ejects || links) extents.delay_numbers = extents.channels;
    if (channels.mixes_protocols) extents.before_post = extents.send_endpoints;
    extents.phase_times = extents.ranks * layout.phases;
    if (layout.has_choices) extents.overheads = extents.ranks;
    if (layout.counts_unexpected) extents.open_posts = extents.receive_endpoints;
    return extents;
}

/// Visits every array of a State with its number of elements. Allocation and counting both use this function.
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
    visit(&State::open_posts, &Extents::open_posts);
    visit(&State::delay_numbers, &Extents::delay_numbers);
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
    for (const Rank rank : layout.all_ranks()) {
        ranks[rank].node = layout.node_of[rank];
    }
    for (const Node node : layout.all_nodes()) {
        for (const Core core : layout.all_cores()) {
            const Rank rank = layout.rank_on(node, core);
            if (rank != kNone) ranks[rank].core = core;
        }
    }
    for (const SendEndpointId send_endpoint : layout.all_send_endpoints()) {
        const ChannelPath& way = channels.paths[send_endpoint];
        SendEndpoint& out = this->send_endpoint(send_endpoint);
        out.receive_endpoint = way.receive_endpoint;
        out.path = way.path & 0xFFFFU;
        out.own_link = way.own_link & 7U;
        out.needs_post_notice =
            way.receive_endpoint != kNone && channels.needs_post_notice[way.receive_endpoint] ? 1 : 0;
    }
    for (const ReceiveEndpointId receive_endpoint : layout.all_receive_endpoints()) {
        receive_endpoints[receive_endpoint].send_endpoint = channels.send_endpoint_of[receive_endpoint];
        receive_endpoints[receive_endpoint].needs_post_notice = channels.needs_post_notice[receive_endpoint] ? 1 : 0;
        const bool in_choice = layout.in_choice.contains(receive_endpoint) && layout.in_choice[receive_endpoint];
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
