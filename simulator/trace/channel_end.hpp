// Where the messages of traces come from and go to.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace warpfront::trace {

/// One end of a channel as its rank sees it. Messages of collectives have tags below 0, one for each
/// kind and name of a communicator.
struct ChannelEnd {
    std::uint32_t peer = 0;
    std::int32_t tag = 0;
    bool sends = false;
    friend constexpr auto operator<=>(const ChannelEnd&, const ChannelEnd&) = default;
};

/// Messages that a receive may take.
struct Wildcard {
    std::optional<std::uint32_t> peer;
    std::optional<std::int32_t> tag;
    bool matches(std::uint32_t from, std::int32_t of_tag) const {
        return of_tag >= 0 && peer.value_or(from) == from && tag.value_or(of_tag) == of_tag;
    }
    /// Whether some message may be of both. Those of collectives are of none but their own tag.
    bool overlaps(const Wildcard& other) const {
        const auto may_equal = [](const auto& a, const auto& b) { return !a || !b || *a == *b; };
        const bool collective = tag.value_or(0) < 0 || other.tag.value_or(0) < 0;
        return may_equal(peer, other.peer) && (collective ? tag == other.tag : may_equal(tag, other.tag));
    }
    friend bool operator==(const Wildcard&, const Wildcard&) = default;
};

}  // namespace warpfront::trace
