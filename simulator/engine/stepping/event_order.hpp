// The order of simultaneous events (event.hpp), which depends on their objects. Also loads data into the cache before
// an event.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/begun_messages.hpp"
#include "simulator/engine/stepping/event.hpp"
#include "simulator/network/order.hpp"

namespace warpfront::engine {

/// Returns the position of a request in its rank's program.
inline network::Age age_of(const Layout& layout, const RankLine& line) {
    return {line.wave + (line.collective_position + 2U) / 3, layout.code[line.at].site};
}

/// A message that requests links. `order` has the time at which it requests the next link of its route.
struct LinkRequest {
    network::Order order;
    /// number of the request in its partition; needed since a rank may make two requests in one statement at one time
    std::uint64_t number = 0;
    SendEndpointId send_endpoint;
    CostId cost;
    Time leaves;                         // time at which the message leaves its node
    std::uint32_t next = 0;              // number of links of its route that the message has been granted
    std::optional<bool> detours;         // true if the message takes its Valiant route; empty until this is decided
    Time detour;                         // additional flight time on the Valiant route, without waiting
    std::vector<machine::LinkId> route;  // route of a message that waits on its way; empty if the layout stores it
    // Used for messages that are cut into packets (packet_trains.hpp). `order` has the time of the next packet.
    TrainId train = kNone;     // train of the message, set when its first packet has been granted links
    std::uint32_t events = 0;  // number of events of this request in the calendar, including those without effect
    bool transmitted = false;  // true if the message has been transmitted; further events have no effect
    // Used for messages that may pass each other (ChannelLines).
    LinkRequestId behind = kNone;  // next message of the channel
    bool granted = false;          // true if all links of the message are granted
    bool follows = false;          // true if it arrives with the earlier message of its channel
    Time delay;                    // how long links have delayed the message, if they are granted
    Time arrives;

    std::pair<SendEndpointId, std::uint64_t> key() const { return {send_endpoint, number}; }
    friend bool operator<(const LinkRequest& a, const LinkRequest& b) {
        return a.order != b.order ? a.order < b.order : a.number < b.number;
    }
};

/// An event that may be postponed, moved forward or cancelled. To move it, another event is added. The old one remains
/// in the calendar and is ignored when its time has come.
struct RevocableEvent {
    enum class Kind : std::uint8_t {
        end_of_block,     // end of a block of a rank that shares memory bandwidth
        match,            // match of a rank that waits for a message of a choice
        match_of_receive  // match of one of a rank's open receives
    };
    Kind kind = Kind::end_of_block;
    bool revoked = false;
    network::Age age;
    Rank rank;
};

/// A list of entries by number. The numbers of removed entries are used again.
template <typename Entry>
class NumberedList {
public:
    std::uint32_t add(const Entry& entry) {
        if (free_.empty()) {
            entries_.push_back(entry);
            return static_cast<std::uint32_t>(entries_.size() - 1);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        entries_[number] = entry;
        return number;
    }
    Entry take(std::uint32_t number) {
        free_.push_back(number);
        return std::move(entries_[number]);
    }
    /// Visits all entries in no particular order.
    template <typename Visit>
    void for_each(const Visit& visit) const {
        std::vector<bool> is_free(entries_.size());
        for (const std::uint32_t number : free_) is_free[number] = true;
        for (std::size_t number = 0; number < entries_.size(); ++number) {
            if (!is_free[number]) visit(entries_[number]);
        }
    }
    Entry& operator[](std::uint32_t number) { return entries_[number]; }
    const Entry& operator[](std::uint32_t number) const { return entries_[number]; }
    std::uint64_t bytes() const {
        return entries_.capacity() * sizeof(Entry) + free_.capacity() * sizeof(std::uint32_t);
    }

private:
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> free_;
};

/// Loads a cache line. Without the empty statement, GCC would treat the function as having no effect and remove its
/// calls.
inline void prefetch_line(const void* address) {
    __builtin_prefetch(address);
    asm volatile("");
}

class EventOrder {
public:
    EventOrder(const Layout& layout, const State& state, const BegunMessages& begun,
               const NumberedList<LinkRequest>& link_requests, const NumberedList<RevocableEvent>& revocable)
        : layout_(layout), state_(state), begun_(begun), link_requests_(link_requests), revocable_(revocable) {
        rank_shift_[static_cast<std::size_t>(EventKind::arrival)] = layout.receive_endpoint_numbers.rank_shift();
    }

    /// The values by which simultaneous events are compared, in this order.
    struct Place {
        std::uint32_t turn = 0;
        network::Age age;
        std::uint32_t rank = 0;
        std::uint32_t kind = 0;
        std::uint64_t index = 0;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    Place place_of(EventId id) const;

    /// Loads the data of a rank's request, of an arrival at its node, or of a request for links. For other events, and
    /// for arrivals of collectives, it loads useless data, since a test would cost more.
    void prefetch(EventId id) const {
        if (id.kind() == EventKind::links) return prefetch_links(link_requests_[id.index()].send_endpoint);
        const std::uint32_t shifted = id.index() >> rank_shift_[static_cast<std::size_t>(id.kind())];
        const Rank rank{std::min(shifted, layout_.ranks - 1)};
        prefetch_line(&state_.ranks[rank]);
        prefetch_line(&state_.receive_endpoints[layout_.receive_endpoint_numbers.at(rank, 0)]);
        prefetch_line(&state_.send_endpoints[layout_.send_endpoint_numbers.at(rank, 0)]);
        prefetch_line(&state_.servers[layout_.servers_of(layout_.node_of[rank])]);
    }

private:
    /// Loads the endpoint of a message that requests links, and the servers of its route if the route is stored.
    void prefetch_links(SendEndpointId send_endpoint) const {
        if (!layout_.stored_routes.contains(send_endpoint)) return;
        prefetch_line(&state_.send_endpoints[send_endpoint]);
        for (const RouteLink& link : layout_.stored_routes.of(send_endpoint))
            prefetch_line(&state_.servers[link.server]);
    }

    const Layout& layout_;
    const State& state_;
    const BegunMessages& begun_;
    const NumberedList<LinkRequest>& link_requests_;
    const NumberedList<RevocableEvent>& revocable_;
    std::array<unsigned, 8> rank_shift_{};  // for each kind, how far an event's index is shifted right to give its rank
};

}  // namespace warpfront::engine
