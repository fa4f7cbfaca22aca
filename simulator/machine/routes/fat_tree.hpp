// Fat trees with SimGrid's D-mod-k routes, computed instead of stored.
//
// Vocabulary (parallel ports generalised fat trees and D-mod-k: Zahavi 2010; the details are those of SimGrid 3.32's
// FatTreeZone). Hosts are level 0, switches levels 1 .. n. Between levels k and k + 1 a switch has children[k] nodes
// below it, a node parents[k] switches above it, and `cables[k]` links side by side join the two. A node of level k is
// (low, high): `high` = host / (children[0] * ... * children[k-1]) says which subtree it roots, the same for every
// host below, and `low` < parents[0] * ... * parents[k-1] which of that subtree's roots it is. Its position within its
// level is low + high * parents[0] * ... * parents[k-1].
//
// Up to the first level whose subtree holds the destination `to`, a route leaves by port
//   (to / (parents[0] * ... * parents[k-1])) % (parents[k] * cables[k]),
// which leads to parent `port % parents[k]`. Down it takes, of the cables to the child that `to` is below, number
// from % cables[k], but where the level above has just been left by port i, the first port beyond i that leads to that
// child, if there is one (SimGrid goes on counting).
//
// Links, level by level from the hosts: up port of (level, position) is ((nodes before) + position * ports + port),
// twice that where up and down do not share a link, down being the odd number; then the limiters, hosts before
// switches, which all that goes through their node crosses.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/link.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct FatTreeRoutes {
    std::vector<std::uint32_t> children;  // by level, all three of one length and none zero
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> cables;
    Time link_latency{};
    Gap link_gap{};
    bool duplex = true;            // up and down do not share a link
    std::optional<Gap> limiter{};  // of every host and switch

    std::uint64_t hosts() const;
    /// Hosts or switches of a level.
    std::uint64_t nodes(std::size_t level) const;
    std::uint32_t links(Node from, Node to) const;
    Time latency(Node from, Node to) const;
    /// Links without the limiters.
    std::uint64_t cable_count() const;
    std::uint64_t link_count() const;
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const FatTreeRoutes&, const FatTreeRoutes&) = default;

private:
    /// The level at which the route turns down.
    std::uint32_t top(Node from, Node to) const;
};

}  // namespace warpfront::machine
