// All hosts behind one switch: every route crosses the same number of links (SimGrid's flat cluster): the limiter of
// its host, the host's link up, the backbone, the other host's link down and limiter, so far as there are such.
// Links: host by host its link up, its link down where that is another, its limiter; the backbone last.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/link.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct StarRoutes {
    std::uint32_t links_per_route = 2;
    Time route_latency{};
    std::uint32_t hosts = 0;
    Gap link_gap{};
    bool duplex = true;             // up and down do not share a link
    std::optional<Gap> limiter{};   // crossed by all that its host sends and receives
    std::optional<Gap> backbone{};  // crossed by all; none also where it is a FATPIPE

    std::uint32_t links_per_host() const { return (duplex ? 2U : 1U) + (limiter ? 1U : 0U); }
    std::uint32_t links(Node, Node) const { return links_per_route; }
    Time latency(Node, Node) const { return route_latency; }
    std::uint64_t link_count() const { return std::uint64_t{hosts} * links_per_host() + (backbone ? 1 : 0); }
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const StarRoutes&, const StarRoutes&) = default;
};

}  // namespace warpfront::machine
