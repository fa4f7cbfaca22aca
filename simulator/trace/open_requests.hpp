// The requests of one rank that are not waited for yet, and the ends of channels. A group is a set of open receives.
// Calls of MPI_Waitany complete the receives of a group one after another; the simulated run determines which receive
// each call completes.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace warpfront::trace {

/// One end of a channel, from the side of its rank. Messages of collectives have negative tags, a different one for
/// each pair of a kind of collective and a communicator name.
struct ChannelEnd {
    std::uint32_t peer = 0;
    std::int32_t tag = 0;
    std::uint32_t communicator = 0;  // number of the communicator; 0 for collectives, which differ in their tags
    bool sends = false;
    friend constexpr auto operator<=>(const ChannelEnd&, const ChannelEnd&) = default;
};

/// The messages that a receive may take.
struct Wildcard {
    std::optional<std::uint32_t> peer;
    std::optional<std::int32_t> tag;
    std::uint32_t communicator = 0;
    bool matches(const ChannelEnd& from) const {
        return from.tag >= 0 && communicator == from.communicator && peer.value_or(from.peer) == from.peer &&
               tag.value_or(from.tag) == from.tag;
    }
    /// Returns true if some message may match both. Messages of collectives match only their own tag.
    bool overlaps(const Wildcard& other) const {
        const auto may_equal = [](const auto& a, const auto& b) { return !a || !b || *a == *b; };
        const bool collective = tag.value_or(0) < 0 || other.tag.value_or(0) < 0;
        return communicator == other.communicator && may_equal(peer, other.peer) &&
               (collective ? tag == other.tag : may_equal(tag, other.tag));
    }
    friend bool operator==(const Wildcard&, const Wildcard&) = default;
};

/// A posted receive from any source or of any tag. It is matched when it is posted. If another receive that may take
/// the same message begins while it is open, it is matched at its wait instead, and a note reports this.
struct AnySource {
    std::uint32_t wildcard = 0;  // index among the wildcards of the trace
    Wildcard takes;
    std::uint32_t slot = 0;        // number of the receive among those that are open at the same time
    std::size_t operation = 0;     // operation that posts the receive
    bool when_waited_for = false;  // true if the receive takes its message at its wait
};

struct OpenRequest {
    ChannelEnd end;
    std::uint32_t number = 0;  // number of the message on its channel
    std::optional<AnySource> any;
    std::uint32_t event = 0;    // index of the event that begins the request
    std::uint32_t request = 0;  // number of the request; 0: a receive of a sendrecv or of a collective
};

class OpenRequests {
public:
    void add(const OpenRequest& request);
    /// Returns the oldest request that is in no group; null if there is none.
    const OpenRequest* oldest() const { return all_.empty() ? nullptr : &all_.begin()->second; }
    std::size_t count() const { return all_.size(); }
    std::size_t on(const ChannelEnd& end) const;
    const OpenRequest* oldest_on(const ChannelEnd& end) const;
    /// Returns the request of this number; null if it is not open or belongs to the group.
    const OpenRequest* find(std::uint32_t request) const;
    /// Removes and returns a request.
    std::optional<OpenRequest> take(std::uint32_t request);

    // Receives from any source.
    /// Returns true if an open receive from a named source may take the same messages as the wildcard.
    bool has_beside(const Wildcard& wildcard) const;
    /// Defers to their waits the matches of open receives from any source that may take the same messages as the
    /// wildcard. Returns the operations of these receives.
    std::vector<std::size_t> postpone_beside(const Wildcard& wildcard);

    // Groups of open receives.
    /// Makes a group of open receives from named sources; there must be no group.
    void begin_group(const std::set<std::uint32_t>& requests);
    const std::vector<OpenRequest>& group() const { return group_; }
    /// Returns the number of receives left in the group; 0 if there is no group.
    std::uint32_t left_of_group() const { return left_of_group_; }
    void take_of_group() { --left_of_group_; }

private:
    using ByOrder = std::map<std::uint64_t, OpenRequest>;

    OpenRequest erase(ByOrder::iterator request);

    ByOrder all_;  // requests in the order of their beginning, without those of the group
    std::map<ChannelEnd, std::vector<std::uint64_t>> on_channel_;  // keys in `all_`, those of older requests first
    std::map<std::uint32_t, std::uint64_t> by_request_;            // keys in `all_`, by number of the request
    std::vector<OpenRequest> group_;
    std::uint32_t left_of_group_ = 0;
    std::uint64_t begun_ = 0;
    std::size_t any_ = 0;  // number of open receives from any source that are matched when they are posted
};

}  // namespace warpfront::trace
