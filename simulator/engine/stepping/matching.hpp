// Messages that a rank takes in the order of arrival: from any source (MPI_ANY_SOURCE), or by several posted receives
// (MPI_Waitany). Also nonblocking receives for the first message of a choice (MPI_Irecv of any source). Times are
// picoseconds of virtual time.
//
// A candidate is a message that may be taken. A message becomes a candidate when the NIC has received its data. A
// rendezvous from any source becomes a candidate when its request has arrived, since its data is sent only after the
// match. Messages of one channel are taken in the order of sending. So the request of a rendezvous contains the number
// of the message on its channel, and the rendezvous is no candidate before the earlier messages are taken.
//
//   match of a blocked rank   at the later of the rank's clock and the earliest candidate's time
//   match of an open receive  at the latest of the post, the candidate's time and the rank's previous match (that match
//                             may have taken an earlier message of the same channel). If a rank has several open
//                             receives, the one that was posted first takes the first candidate (MPI 4.0, sections 3.5,
//                             order, and 3.7.4, progress). If two matches have the same time, the match of the receive
//                             that was posted first takes place first
// Simultaneous candidates are taken in the order of the choice. If an open receive has matched a message, the message
// leaves its channel. OpenReceive stores its data until the rank waits for it, so requests may be completed in any
// order. A rendezvous meets its receive at the match, and its data arrives later. On one channel, data arrives in the
// order of matches.
//
// A choice may contain several channels of one source, with different tags. Messages of one source that match the same
// receive must be taken in the order in which they were sent (MPI 4.0, section 3.5, order), even if a later one arrives
// earlier. So a message is a candidate of the choice only if all earlier messages of its source on channels of the
// choice have been taken. SendOrders contain this order at the receiver. A message is added when its send begins, so
// before its data or its request can arrive. Therefore a match does not depend on when earlier messages, which are
// still on their way, become known. Messages that the choice cannot take, since their tags do not match, do not delay
// other messages. A wait_any has no such order: each posted receive takes messages of its own channel.
//
// A receive that is posted by name takes the next message of its channel (MPI 4.0, section 3.5: of two receives that
// match a message, the one that was posted first takes it). So this message counts as taken from the post on, and a
// choice continues with the messages behind it. The choice may take the next message before the rank waits for the
// posted receive. In this case, the message leaves the channel when its data arrives, and an OpenReceive stores the
// data.
//
// A match is an event that takes place after all arrivals and requests of the same time (event.hpp). Simultaneous
// matches are ordered by the age of the statement, then by rank. So a match is exact: all messages that arrive at its
// time or before are known.
//
// The tables in this file, by rank or endpoint, are only looked up, never iterated. Only one thread at a time may use
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/network/order.hpp"

namespace warpfront::engine {

struct Candidate {
    std::int64_t time = kHorizon.ps;
    std::uint32_t index = 0;  // index of the candidate's endpoint in the choice
    ReceiveEndpointId receive_endpoint = kNone;
    std::uint32_t event = 0;  // number of its match among the revocable events

    bool exists() const { return receive_endpoint != kNone; }
    bool before(const Candidate& other) const { return time != other.time ? time < other.time : index < other.index; }
};

/// The messages that have been sent to the ranks of a partition but not taken, in the order of sending. Only channels
/// in send orders (Layout::in_send_order) are included. For each rank and send order, the receive endpoints of the
/// messages are stored. This suffices, since the messages of one channel are taken in order.
class SendOrders {
public:
    explicit SendOrders(const Layout& layout) : layout_(layout) {}

    /// Adds a message to a receive endpoint. `rank_class` is the class of the rank.
    void send(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint);
    /// Removes the first message of the receive endpoint. If a receive is posted for a named source, the message may
    /// still be unsent.
    void take(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint);
    /// Returns the endpoint of the message that a choice with this order takes next; nothing if there is none.
    /// Endpoints are given by their index in the class.
    std::optional<std::uint32_t> next(Rank rank, SendOrderId order) const;

    std::uint64_t bytes() const;

private:
    struct Untaken {
        std::vector<std::uint32_t> places;
        /// index in `places` of the first message that is not taken
        std::size_t first = 0;
        /// by endpoint, the number of taken messages that have not been removed yet
        std::unordered_map<std::uint32_t, std::uint32_t> gone;

        bool empty() const { return first == places.size(); }
        void drop_taken();
    };

    const std::vector<SendOrderId>& orders_of(std::uint32_t rank_class, ReceiveEndpointId receive_endpoint) const {
        return layout_.send_orders_of_place[rank_class][layout_.receive_endpoint_numbers.place_of(receive_endpoint)];
    }

    const Layout& layout_;
    std::unordered_map<std::pair<Rank, SendOrderId>, Untaken, IdHash> untaken_;
};

/// A request-to-send (RTS) that has arrived at the receiver.
struct MessageRequest {
    std::int64_t time = 0;
    std::uint32_t number = 0;  // number of the message on its channel, modulo 2^28
    bool in_calls = false;     // true if it is acknowledged in a call (call_progress.hpp)
};

/// A receive that its rank has posted and not completed yet. It is for the first message of a choice, or for a named
/// source. A receive for a named source is matched from its post on.
struct OpenReceive {
    ChoiceId choice{};
    std::int64_t posted = 0;
    network::Age age{};       // age of the statement that posted the receive
    std::uint32_t index = 0;  // index in the choice of the endpoint of the matched message
    /// endpoint of the matched message; kNone if no message has been matched
    ReceiveEndpointId receive_endpoint = kNone;
    std::uint32_t number = 0;     // number of the matched message on its channel
    std::int64_t matched_at = 0;  // time of the match; the data may have arrived before or after it
    /// true if the data has arrived; then `time`, `cost` and `delay` describe it
    bool there = false;
    std::int64_t time = 0;
    CostId cost{};
    Delay delay{};

    bool matched() const { return receive_endpoint != kNone; }
};

/// The next match of a rank.
struct PendingMatch {
    std::int64_t time = kHorizon.ps;
    network::Age age;
    ChoiceId choice;
    Candidate candidate;
};

/// The state of all choices and replies, and of channels from any source.
class Choices {
public:
    Choices(const Layout& layout, const SendOrders& send_orders) : layout_(layout), send_orders_(send_orders) {}

    // Candidates. Those of one choice are sorted as they are taken: by time of arrival, then by place in the choice. A
    // receive endpoint has one candidate at most for choices of any source: the first message of its channel. The
    // candidate is updated with every change of this message or of a receive that is posted by name
    // (MessageProtocol::refresh_candidate). So the first candidate of a choice is found without a search.
    /// The times since which there is a candidate on an endpoint; kHorizon if there is none.
    struct Since {
        std::int64_t of_posted = kHorizon.ps;  // for the receive that is posted on the endpoint for a named source
        std::int64_t of_any = kHorizon.ps;     // for a receive from any source
        friend bool operator==(const Since&, const Since&) = default;
    };
    /// Updates the candidate on a receive endpoint. `rank_class` is the class of the rank.
    void set_candidate(Rank rank, std::uint32_t rank_class, ReceiveEndpointId receive_endpoint, const Since& since);
    Candidate first_candidate(Rank rank, ChoiceId choice) const;

    // Blocked ranks.
    /// Returns the candidate that a waiting rank will match.
    Candidate& matches(Rank rank) { return ranks_[rank].matches; }
    /// Stores which message of a choice the rank has taken last.
    void took(Rank rank, ChoiceId choice, std::uint32_t index) { of_ranks_[{rank, choice}].taken = index; }
    std::uint32_t taken_of(Rank rank, ChoiceId choice) const { return of_ranks_.at({rank, choice}).taken; }
    /// Stores the send endpoint of the rank's latest nonblocking reply.
    void replied(Rank rank, ReplyId reply, SendEndpointId send_endpoint) { replied_on_[{rank, reply}] = send_endpoint; }
    SendEndpointId replied_on(Rank rank, ReplyId reply) const { return replied_on_.at({rank, reply}); }

    // Receives that are posted by name.
    /// Counts the next message of the channel as taken by a receive that is posted at `time`.
    void post(ReceiveEndpointId receive_endpoint, std::int64_t time) {
        channels_[receive_endpoint].by_name = OpenReceive{
            .posted = time, .receive_endpoint = receive_endpoint, .number = take(receive_endpoint), .matched_at = time};
    }
    /// Returns the receive that is posted by name; null if there is none.
    OpenReceive* posted(ReceiveEndpointId receive_endpoint) {
        std::optional<OpenReceive>& by_name = channels_[receive_endpoint].by_name;
        return by_name ? &*by_name : nullptr;
    }
    /// Ends and returns the receive that is posted by name.
    OpenReceive complete(ReceiveEndpointId receive_endpoint) {
        return *std::exchange(channels_[receive_endpoint].by_name, std::nullopt);
    }

    // Numbers of messages on their channels, and requests. (`send` and `take` are not inline, since every message of a
    // program without choices passes their calls.)
    void send(SendEndpointId send_endpoint);
    /// Returns the number of messages sent so far, modulo 2^32.
    std::uint32_t sent(SendEndpointId send_endpoint) const;
    std::uint32_t number_of_last(SendEndpointId send_endpoint) { return (sent_[send_endpoint] - 1) & kNumberMask; }
    /// Counts the next message as taken. Returns its number on the channel, from 0.
    std::uint32_t take(ReceiveEndpointId receive_endpoint);
    void add_request(ReceiveEndpointId receive_endpoint, MessageRequest request) {
        channels_[receive_endpoint].request = request;
    }
    /// Returns the request of the next message of the channel; null if there is none.
    const MessageRequest* request(ReceiveEndpointId receive_endpoint);
    void end_request(ReceiveEndpointId receive_endpoint) { channels_[receive_endpoint].request.reset(); }

    // Open receives.
    /// Returns the open receives of a rank in the order of posting.
    std::vector<OpenReceive>& open(Rank rank) { return ranks_[rank].open; }
    OpenReceive& open(Rank rank, ChoiceId choice) { return *find_in(ranks_.at(rank).open, choice); }
    const OpenReceive& open(Rank rank, ChoiceId choice) const { return *find_in(ranks_.at(rank).open, choice); }
    void end_open(Rank rank, ChoiceId choice) { open(rank).erase(find_in(open(rank), choice)); }
    /// Returns true if a message on this endpoint has been matched but has not arrived yet.
    bool expects(Rank rank, ReceiveEndpointId receive_endpoint);
    /// Returns the time of the rank's last match of an open receive.
    std::int64_t& last_match(Rank rank) { return ranks_[rank].last_match; }
    /// Returns the next match of an open receive. If it has no candidate, no match is pending.
    PendingMatch& next_match(Rank rank) { return ranks_[rank].next_match; }

    std::uint64_t bytes() const;

private:
    static constexpr std::uint32_t kNumberMask = (1U << 28U) - 1;  // RemoteEvent::kNumberMask

    struct OfRank {
        Candidate matches;
        std::vector<OpenReceive> open;
        std::int64_t last_match = 0;
        PendingMatch next_match;
    };
    struct ChoiceOfRank {
        std::uint32_t taken = 0;                                         // index of the message that was taken last
        std::set<std::pair<std::int64_t, std::uint32_t>> in_order = {};  // candidates as (time, index)
    };
    struct Channel {
        Since candidate{};                     // the candidate as it is in `in_order`
        std::uint32_t taken = 0;               // number of messages that have been taken
        std::optional<OpenReceive> by_name{};  // the receive that is posted by name
        std::optional<MessageRequest> request{};
    };

    bool is_next(Rank rank, const PlaceOfChoice& of_choice, std::uint32_t place) const;
    template <typename Receives>
    static auto find_in(Receives& open, ChoiceId choice) -> decltype(open.begin()) {
        return std::find_if(open.begin(), open.end(), [&](const OpenReceive& each) { return each.choice == choice; });
    }

    const Layout& layout_;
    const SendOrders& send_orders_;
    std::unordered_map<Rank, OfRank, IdHash> ranks_;
    std::unordered_map<std::pair<Rank, ChoiceId>, ChoiceOfRank, IdHash> of_ranks_;
    std::unordered_map<std::pair<Rank, ReplyId>, SendEndpointId, IdHash> replied_on_;
    std::unordered_map<ReceiveEndpointId, Channel, IdHash> channels_;
    std::unordered_map<SendEndpointId, std::uint32_t, IdHash> sent_;  // number of messages that have been sent
};

}  // namespace warpfront::engine
