// Fat trees with SimGrid's D-mod-k routes, computed instead of stored.
//
// Vocabulary (parallel ports generalised fat trees and D-mod-k: Zahavi 2010; the details are those of SimGrid 3.32's
// FatTreeZone). Vertices of level 0 are hosts, those of levels 1 .. n switches. A switch of level k + 1 has children[k]
// vertices below it. A vertex of level k has parents[k] switches above it. `cables[k]` parallel links join such a pair.
// A vertex of level k is (low, high): `high` = host / (children[0] * ... * children[k-1]) is the number of the subtree
// that it roots, the same for every host below, and `low` < parents[0] * ... * parents[k-1] its number among the roots
// of that subtree. Its position within its level is low + high * parents[0] * ... * parents[k-1].
//
// Up to the first level whose subtree contains the destination `to`, a route leaves by port
//   (to / (parents[0] * ... * parents[k-1])) % (parents[k] * cables[k]),
// which leads to parent `port % parents[k]`. Downwards it takes cable from % cables[k] to the child above `to`;
// exception: if the route has left the level above by port i and ports beyond i lead to that child, it takes the first
// of these ports (SimGrid's counter continues).
//
// Links, level by level from the hosts: the up port of (level, position) is ((ports before) + position * ports + port);
// if up and down are separate links, twice that, plus 1 for down. The limiters follow, hosts before switches; all
// traffic through a vertex crosses its limiter.
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
    std::vector<std::uint32_t> children;  // counts by level; the three lists have the same length and no zeros
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> cables;
    Time link_latency{};
    Gap link_gap{};
    bool duplex = true;            // true if up and down do not share a link
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
    /// Returns the level at which the route turns down.
    std::uint32_t top(Host from, Host to) const;
};

}  // namespace warpfront::machine
