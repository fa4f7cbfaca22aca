// The order of events at one time (event.hpp), by what each concerns; and what is fetched into the cache before one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/begun_messages.hpp"
#include "simulator/engine/stepping/event.hpp"
#include "simulator/network/order.hpp"

namespace warpfront::engine {

/// The position of a request in its rank's program.
inline network::Age age_of(const Layout& layout, const RankLine& line) {
    return {line.wave + (line.collective_position + 2U) / 3, layout.code[line.at].site};
}

/// A message that wants links.
struct LinkRequest {
    network::Order order;
    std::uint64_t number = 0;  // of the request in its partition: a rank may request twice at a time in one statement
    SendEndpointId send_endpoint;
    CostId cost;
    Time leaves;  // its node
    // If messages are cut into packets (packet_trains.hpp), the order has the time of the next packet, and:
    TrainId train = kNone;         // of a message whose first packet has been granted its links
    LinkRequestId behind = kNone;  // the next message of the channel
    std::uint32_t events = 0;      // of this request in the calendar, those included that have no effect any more
    bool granted = false;          // all its links
    Time delay;                    // ... by how much these have delayed it
    Time arrives;
    bool transmitted = false;  // it has only events without effect

    friend bool operator<(const LinkRequest& a, const LinkRequest& b) {
        return a.order != b.order ? a.order < b.order : a.number < b.number;
    }
};

/// An event that may be put off, brought forward or called off: another is added then, and the one that stands in the
/// calendar is skipped when its time has come.
struct RevocableEvent {
    enum class Kind : std::uint8_t {
        end_of_block,     // of a rank that computes where memory is shared
        match,            // of a rank that waits for a message of a choice
        match_of_receive  // of one of a rank's open receives
    };
    Kind kind = Kind::end_of_block;
    bool revoked = false;
    network::Age age;
    Rank rank;
};

/// Entries by number, whose numbers are used again.
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
        return entries_[number];
    }
    /// In no order.
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

/// The empty statement keeps GCC from taking a function that does nothing else for one without effect, whose calls it
/// leaves out.
inline void prefetch_line(const void* address) {
    __builtin_prefetch(address);
    asm volatile("");
}

class EventOrder {
public:
    EventOrder(const Layout& layout, const State& state, const BegunMessages& begun,
               const NumberedList<LinkRequest>& link_requests, const NumberedList<RevocableEvent>& revocable)
        : layout_(layout), state_(state), begun_(begun), link_requests_(link_requests), revocable_(revocable) {}

    /// Both take place at the same time.
    bool comes_before(EventId a, EventId b) const;

    /// Fetches what the event will touch.
    void prefetch(EventId id) const {
        if (id.kind() == EventKind::request) return prefetch(id.rank());
        if (id.kind() != EventKind::arrival) return;
        prefetch_line(&state_.receive_endpoints[id.receive_endpoint()]);
        if (!layout_.is_of_collective(id.receive_endpoint())) prefetch(layout_.rank_of(id.receive_endpoint()));
    }

    /// Fetches the lines of other ranks that the rank of the event will touch, when its own have been fetched: the
    /// receiver's end of its message; or, if it takes a message and then posts a receive, the sender that may wait for
    /// the post.
    void prefetch_partner(EventId id) const {
        if (id.kind() != EventKind::request) return;
        const RankLine& line = state_.ranks[id.rank()];
        if (line.collective_position > 0) return;
        if (line.state == RankState::requests_receive) return prefetch_next(id.rank(), layout_.code[line.at + 1]);
        const program::Instruction& step = layout_.code[line.at];
        if (step.op != program::Op::send) return;
        const SendEndpointId sends = layout_.send_endpoint_numbers.at(id.rank(), step.operand);
        prefetch_line(&state_.receive_endpoints[state_.send_endpoints[sends].receive_endpoint]);
    }

private:
    /// What is compared, from the first to the last.
    struct Place {
        std::uint32_t turn = 0;
        network::Age age;
        std::uint32_t rank = 0;
        std::uint32_t kind = 0;
        std::uint64_t index = 0;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    Place place_of(EventId id) const;
    void prefetch_next(Rank rank, const program::Instruction& step) const {
        if (step.op == program::Op::compute) return prefetch_line(&state_.statistics[rank]);
        if (step.op != program::Op::recv) return;
        const ReceiveEndpointId receives = layout_.receive_endpoint_numbers.at(rank, step.operand);
        const SendEndpointId sends = state_.receive_endpoints[receives].send_endpoint;
        if (layout_.is_of_collective(sends)) return;
        prefetch_line(&state_.send_endpoints[sends]);
        prefetch_line(&state_.ranks[layout_.send_endpoint_numbers.rank_of(sends)]);
    }
    void prefetch(Rank rank) const {
        prefetch_line(&state_.ranks[rank]);
        prefetch_line(&state_.receive_endpoints[layout_.receive_endpoint_numbers.at(rank, 0)]);
        prefetch_line(&state_.send_endpoints[layout_.send_endpoint_numbers.at(rank, 0)]);
        prefetch_line(&state_.servers[layout_.servers_of(layout_.node_of[rank])]);
    }

    const Layout& layout_;
    const State& state_;
    const BegunMessages& begun_;
    const NumberedList<LinkRequest>& link_requests_;
    const NumberedList<RevocableEvent>& revocable_;
};

}  // namespace warpfront::engine
