// The messages of collectives that have been sent and have not been granted links, counted for each link of their
// routes (parallel/README.md, own links). The counts do not change during a window, so they are the same for any number
// of threads: messages that are sent, or are granted links, during a window are counted before the next one.
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

    /// The changes in a partition since the last count: messages that it has begun to send, and messages that have been
    /// granted links.
    struct Changes {
        std::vector<SendEndpointId> begun;
        std::vector<SendEndpointId> ended;
    };
    /// Counts the changes and clears them.
    void count(const State& state, Changes& changes);

    /// The most messages for which the counts, modulo 2^16, are exact.
    static constexpr std::uint64_t kMost = UINT16_MAX;
    /// Returns true if a counted message crosses the link whose first server is `link`, or a link of `route`.
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
