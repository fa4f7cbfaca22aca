// The messages of collectives that have been sent and have not been granted links, counted by link that they will cross
// (parallel/README.md, own links). The counts are those at the beginning of a window, for any number of threads: what
// partitions begin and end during a window is collected and counted before the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"

namespace warpfront::engine {

class CollectivesOnLinks {
public:
    explicit CollectivesOnLinks(const Layout& layout) : layout_(layout), counts_(layout.server_count, 0) {}

    /// The messages that a partition has begun to send, and those whose links have been granted, since they were last
    /// counted.
    struct Changes {
        std::vector<SendEndpointId> begun;
        std::vector<SendEndpointId> ended;
    };
    /// Counts the changes and clears them.
    void count(const State& state, Changes& changes);

    /// The most messages for which the counts, modulo 2^16, are exact.
    static constexpr std::uint64_t kMost = UINT16_MAX;
    /// Returns true if one of the messages crosses the link whose first server is `link`, or one of the route's.
    bool cross(ServerId link) const { return counts_[link] != 0; }
    bool cross(std::span<const RouteLink> route) const;
    std::uint64_t bytes() const { return counts_.capacity() * sizeof(std::uint16_t); }

private:
    void add(const State& state, SendEndpointId sender, std::uint16_t change);

    const Layout& layout_;
    IndexedVector<ServerId, std::uint16_t> counts_;
    std::vector<machine::LinkId> route_;  // scratch memory
};

}  // namespace warpfront::engine
