// Fat trees with SimGrid's D-mod-k routes, which are computed and not stored.
//
// Terms (parallel ports generalised fat trees and D-mod-k: Zahavi 2010; the details are those of SimGrid 3.32's
// FatTreeZone). Vertices of level 0 are hosts, those of levels 1 .. n are switches. A switch of level k + 1 has
// children[k] vertices below it. A vertex of level k has parents[k] switches above it. `cables[k]` parallel links join
// such a pair. A vertex of level k has two numbers, (low, high). `high` = host / (children[0] * ... * children[k-1]) is
// the number of the subtree below the vertex; it is the same for every host of the subtree. `low` < parents[0] * ... *
// parents[k-1] is the number of the vertex among the roots of this subtree. Its position within its level is low + high
// * parents[0] * ... * parents[k-1].
//
// A route goes up to the first level whose subtree contains the destination `to`. On the way up it leaves by port
//   (to / (parents[0] * ... * parents[k-1])) % (parents[k] * cables[k]),
// which leads to parent `port % parents[k]`. On the way down it takes cable from % cables[k] to the child above `to`.
// There is one exception, because a counter of SimGrid is not reset. If the route has left the level above by port i,
// and ports beyond i lead to that child, it takes the first of these ports.
//
// Links are numbered level by level from the hosts. The up port of (level, position) has the number (ports before) +
// position * ports + port. If up and down are separate links, the number is doubled, plus 1 for down. The limiters
// follow, hosts before switches. All traffic through a vertex crosses its limiter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct FatTreeRoutes {
    static constexpr bool kHasNicCables = true;
    std::vector<std::uint32_t> children;  // numbers by level; the three lists have the same length and no zeros
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> cables;
    Time link_latency{};
    Gap link_gap{};
    bool duplex = true;            // true if up and down are separate links
    std::optional<Gap> limiter{};  // time per byte of the limiter of every host and switch

    std::uint64_t hosts() const;
    /// Returns the number of hosts or switches of a level.
    std::uint64_t nodes(std::size_t level) const;
    std::uint32_t links(Host from, Host to) const;
    Time latency(Host from, Host to) const;
    /// Returns the number of links without the limiters.
    std::uint64_t cable_count() const;
    std::uint64_t link_count() const;
    void append_links(Host from, Host to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const FatTreeRoutes&, const FatTreeRoutes&) = default;

private:
    /// Returns the level at which the route turns from up to down.
    std::uint32_t top(Host from, Host to) const;
};

}  // namespace warpfront::machine
