// The requests of one rank's trace that are not waited for yet, and which of them a wait completes.
//
//   wait      the oldest of its channel, or of its source and tag where these are any
//   waitall   all: the sends, then the receives, each in the order of their beginning
//   waitAny   a receive of those open at the first of them, which are a group until all are taken: the run decides
//             which. Where no receive is open, the oldest send
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warpfront::trace {

/// One end of a channel as its rank sees it. Messages of collectives have tags below 0, one for each kind and name of a
/// communicator.
struct ChannelEnd {
    std::uint32_t peer = 0;
    std::int32_t tag = 0;
    std::uint32_t communicator = 0;  // its number; of collectives 0, since their tags tell it
    bool sends = false;
    friend constexpr auto operator<=>(const ChannelEnd&, const ChannelEnd&) = default;
};

/// Messages that a receive may take.
struct Wildcard {
    std::optional<std::uint32_t> peer;
    std::optional<std::int32_t> tag;
    std::uint32_t communicator = 0;
    bool matches(const ChannelEnd& from) const {
        return from.tag >= 0 && communicator == from.communicator && peer.value_or(from.peer) == from.peer &&
               tag.value_or(from.tag) == from.tag;
    }
    /// Whether some message may be of both. Those of collectives are of none but their own tag.
    bool overlaps(const Wildcard& other) const {
        const auto may_equal = [](const auto& a, const auto& b) { return !a || !b || *a == *b; };
        const bool collective = tag.value_or(0) < 0 || other.tag.value_or(0) < 0;
        return communicator == other.communicator && may_equal(peer, other.peer) &&
               (collective ? tag == other.tag : may_equal(tag, other.tag));
    }
    friend bool operator==(const Wildcard&, const Wildcard&) = default;
};

/// A receive from any source or of any tag that is posted. It is matched by then, but where another receive that may
/// take the same message is made beside it: then it takes its message when it is waited for, as a note says.
struct AnySource {
    std::uint32_t wildcard = 0;  // index of the trace's
    Wildcard takes;
    std::uint32_t slot = 0;     // of those that are open at once
    std::size_t operation = 0;  // that posts it
    bool when_waited_for = false;
};

struct OpenRequest {
    ChannelEnd end;
    std::uint32_t number = 0;  // of the message on its channel
    std::optional<AnySource> any;
    std::uint32_t line = 0;
    std::uint32_t request = 0;  // its number where the format has one
};

class OpenRequests {
public:
    void add(const OpenRequest& request);
    bool empty() const { return all_.empty() && left_of_group_ == 0; }
    /// The oldest of all; there must be one.
    const OpenRequest& oldest() const { return all_.empty() ? group_.front() : all_.begin()->second; }
    std::size_t count() const { return all_.size() + left_of_group_; }
    std::size_t on(const ChannelEnd& end) const;
    const OpenRequest* oldest_on(const ChannelEnd& end) const;

    /// Takes out what a `wait` completes; nothing if no such request is open.
    std::optional<OpenRequest> take(const ChannelEnd& end, std::optional<std::uint32_t> wildcard);
    /// Null where the request of this number is not open, or of the group.
    const OpenRequest* find(std::uint32_t request) const;
    std::optional<OpenRequest> take(std::uint32_t request);
    /// What a `waitall` completes, but for the group of a waitAny: sends, then one after another.
    std::vector<OpenRequest> take_sends();
    std::optional<OpenRequest> take_oldest();

    // Receives from any source.
    /// Whether a receive from a named one is open that may take the same messages.
    bool has_beside(const Wildcard& wildcard) const;
    /// Open requests that may take the same messages are no longer matched by their posts; returns their operations.
    std::vector<std::size_t> postpone_beside(const Wildcard& wildcard);

    // waitAny.
    /// How many of the group are left; none: there is none.
    std::uint32_t left_of_group() const { return left_of_group_; }
    /// The open receives for which `belongs` become one; empty if there are none, or one from any source is among them.
    std::vector<OpenRequest> begin_group(const std::function<bool(const OpenRequest&)>& belongs);
    void take_of_group() { --left_of_group_; }
    std::optional<OpenRequest> take_oldest_send();

private:
    using ByOrder = std::map<std::uint64_t, OpenRequest>;

    OpenRequest erase(ByOrder::iterator request);

    ByOrder all_;  // in the order of their beginning, without those of the group
    std::map<ChannelEnd, std::vector<std::uint64_t>> on_channel_;  // their orders, the oldest first
    std::map<std::uint32_t, std::uint64_t> by_request_;            // orders of those with a number
    std::vector<OpenRequest> group_;
    std::uint32_t left_of_group_ = 0;
    std::uint64_t begun_ = 0;
    std::size_t any_ = 0;  // open receives from any source that are matched by their posts
};

}  // namespace warpfront::trace
