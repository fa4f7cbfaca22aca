// A k-ary torus, first dimension fastest, routed dimension by dimension the shorter way round (SimGrid's TorusZone).
// Half way round, a route goes up, except to coordinate 0, which it reaches downwards.
// Links: node * 2 * dimensions + 2 * dimension + direction, of the node they leave; 0 is up, 1 is down. Where both
// directions share a link, it is that which goes up. Then the limiters, node by node, which all that comes from, goes
// to and passes through their node crosses.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/link.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct TorusRoutes {
    std::vector<std::uint32_t> dimensions;
    Time link_latency{};
    Gap link_gap{};
    bool duplex = true;  // up and down do not share a link
    std::optional<Gap> limiter{};

    std::uint64_t hosts() const;
    std::uint32_t links(Node from, Node to) const;
    Time latency(Node from, Node to) const;
    std::uint64_t link_count() const;
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;
    friend bool operator==(const TorusRoutes&, const TorusRoutes&) = default;

private:
    std::uint32_t hops(Node from, Node to) const;
    std::uint64_t cable_count() const { return hosts() * 2 * dimensions.size(); }
};

}  // namespace warpfront::machine
