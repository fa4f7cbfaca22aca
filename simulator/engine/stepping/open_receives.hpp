// Receives that ranks have posted for whichever message of a choice is there first, and have not completed yet
// (MPI_Irecv, MPI_ANY_SOURCE).
//
// Such a receive is matched while its rank does something else, as the network interface does it (MPI 4.0, sections
// 3.5, order, and 3.7.4, progress). Times are picoseconds of virtual time. Of the receives that a rank has open the one
// that was posted first takes the candidate (choices.hpp) that is there first:
//
//   match   at the latest of the post, the candidate's time and the match before, behind which the candidate may have
//           been on its channel; of two matches at the same time that of the receive which was posted first; of
//           candidates that are there at the same time the first of the choice
// What is matched is taken off its channel: its data is kept here until the rank waits for it, so requests may be
// completed in any order. A rendezvous is met by the match, and its data comes later: of a channel in the order of
// matches.
//
// The next match of each rank is a request of its node, granted after all else that the node has at that time but the
// matches of blocked ranks; of all matches first that of the oldest statement, then of the lowest rank. That is exact
// as it is for blocked ranks (choices.hpp): what arrives at that time or before is known by then.
//
// By rank, looked up and never iterated; used by one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/choices.hpp"
#include "simulator/network/order.hpp"

namespace warpfront::engine {

struct OpenReceive {
    ChoiceId choice;
    std::int64_t posted = 0;
    network::Age age;                            // of the statement that posts it
    std::uint32_t index = 0;                     // in the choice, of the message that it has matched
    ReceiveEndpointId receive_endpoint = kNone;  // of that message; kNone: it has matched none
    std::uint32_t number = 0;                    // of that message on its channel
    bool there = false;                          // its data is, as follows
    std::int64_t time = 0;
    CostId cost{};
    Delay delay{};

    bool matched() const { return receive_endpoint != kNone; }
};

/// The next of a rank.
struct PendingMatch {
    std::int64_t time = kHorizon.ps;
    network::Age age;
    ChoiceId choice;
    Candidate candidate;
};

class OpenReceives {
public:
    void post(Rank rank, const OpenReceive& receive) { ranks_[rank].open.push_back(receive); }
    void end(Rank rank, ChoiceId choice);
    /// In the order of posting.
    std::vector<OpenReceive>& of(Rank rank);
    OpenReceive& find(Rank rank, ChoiceId choice) { return *find_in(ranks_.at(rank).open, choice); }
    const OpenReceive& find(Rank rank, ChoiceId choice) const { return *find_in(ranks_.at(rank).open, choice); }
    bool has(Rank rank) const {
        const auto found = ranks_.find(rank);
        return found != ranks_.end() && !found->second.open.empty();
    }

    /// Whether a message that is matched is still to come on this endpoint.
    bool expects(Rank rank, ReceiveEndpointId receive_endpoint) const;

    /// When the rank's last match was.
    std::int64_t last_match(Rank rank) const { return ranks_.at(rank).last_match; }
    void note_match(Rank rank, std::int64_t time) { ranks_[rank].last_match = time; }

    /// Takes the place of the one that the rank had. No candidate: it has none.
    void set_next(Node node, Rank rank, const PendingMatch& match);
    const PendingMatch& next(Rank rank) const { return next_.at(rank); }
    bool is_next(Rank rank, std::int64_t time, network::Age age) const {
        const auto found = next_.find(rank);
        return found != next_.end() && found->second.time == time && found->second.age == age;
    }
    /// The first match of the node.
    std::optional<network::Order> first(Node node) const {
        const auto first = in_order_.lower_bound({node, {}});
        return first == in_order_.end() || first->first != node ? std::nullopt : std::optional(first->second);
    }

    std::uint64_t bytes() const;

private:
    struct OfRank {
        std::vector<OpenReceive> open;
        std::int64_t last_match = 0;
    };
    using InOrder = std::set<std::pair<Node, network::Order>>;

    template <typename Receives>
    static auto find_in(Receives& open, ChoiceId choice) -> decltype(open.begin()) {
        return std::find_if(open.begin(), open.end(), [&](const OpenReceive& each) { return each.choice == choice; });
    }

    std::unordered_map<Rank, OfRank, IdHash> ranks_;
    std::unordered_map<Rank, PendingMatch, IdHash> next_;
    InOrder in_order_;
};

}  // namespace warpfront::engine
