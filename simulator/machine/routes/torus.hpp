// A torus. Hosts are numbered with the first dimension fastest. Routes go dimension by dimension in the shorter
// direction (SimGrid's TorusZone). If both directions are equally long, a route goes up, except to coordinate 0, which
// it reaches downwards.
//
// The number of a link is host * 2 * dimensions + 2 * dimension + direction. The host is the one that the link leaves;
// the direction is 0 for up and 1 for down. If both directions share a link, it has the number of the link up. The
// limiters follow, host by host. All traffic from, to and through a host crosses its limiter. The intermediate of a
// Valiant route (routing.hpp) is any third host.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct TorusRoutes {
    static constexpr bool kHasNicCables = false;  // hosts are routers without cables
    std::vector<std::uint32_t> dimensions;
    Time link_latency{};
    Gap link_gap{};
    bool duplex = true;  // true if up and down are separate links
    std::optional<Gap> limiter{};

    std::uint64_t hosts() const;
    std::uint32_t links(Host from, Host to) const;
    Time latency(Host from, Host to) const;
    std::uint64_t link_count() const;
    void append_links(Host from, Host to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const;

    /// Returns the intermediate host of a Valiant route; nothing if there is none.
    std::optional<std::uint32_t> intermediate(Host from, Host to) const;
    std::uint32_t links_over(std::uint32_t host, Host from, Host to) const;
    void append_links_over(std::uint32_t host, Host from, Host to, std::vector<LinkId>& links) const;
    friend bool operator==(const TorusRoutes&, const TorusRoutes&) = default;

private:
    std::uint32_t hops(Host from, Host to) const;
    std::uint64_t cable_count() const { return hosts() * 2 * dimensions.size(); }
};

}  // namespace warpfront::machine
