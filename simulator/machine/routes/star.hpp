// All hosts on one switch (SimGrid's flat cluster). A route crosses the limiter of its host, the link up, the backbone,
// the link down and the limiter of the other host, as far as the zone has them.
//
// Numbers of links: host by host the link up, the link down if it is separate, and the limiter; then the backbone.
// Messages do not wait for a FATPIPE backbone (SimGrid), but no message is faster than it. Limiters have no latency.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct StarRoutes {
    static constexpr bool kHasNicCables = false;  // SimGrid gives a host one cable
    std::uint32_t links_per_route = 2;
    Time link_latency{};  // latency of each link of a host
    Time backbone_latency{};
    std::uint32_t hosts = 0;
    Gap link_gap{};
    bool duplex = true;             // true if up and down are separate links
    std::optional<Gap> limiter{};   // time per byte of the limiter that all traffic of a host crosses
    std::optional<Gap> backbone{};  // time per byte of the backbone, which all traffic crosses
    bool fatpipe_backbone = false;  // true if messages do not wait for the backbone

    std::uint32_t links_per_host() const { return (duplex ? 2U : 1U) + (limiter ? 1U : 0U); }
    std::uint32_t links(Host, Host) const { return links_per_route; }
    Time latency(Host, Host) const { return link_latency * 2 + backbone_latency; }
    void append_latencies(Host, Host, std::vector<Time>& latencies) const {
        latencies.insert(latencies.end(), 2, link_latency);
        if (links_per_route % 2 == 1) latencies.push_back(backbone_latency);
    }
    std::uint64_t link_count() const { return std::uint64_t{hosts} * links_per_host() + (backbone ? 1 : 0); }
    void append_links(Host from, Host to, std::vector<LinkId>& links) const {
        const std::uint32_t per_host = links_per_host();
        const std::uint32_t up = from.index * per_host;
        const std::uint32_t down = to.index * per_host + (duplex ? 1 : 0);
        if (limiter) links.push_back({up + per_host - 1});
        links.push_back({up});
        if (backbone && !fatpipe_backbone) links.push_back({hosts * per_host});
        links.push_back({down});
        if (limiter) links.push_back({down + 1});
    }
    Gap gap(LinkId link) const {
        const std::uint32_t per_host = links_per_host();
        if (backbone && link.index == hosts * per_host) return *backbone;
        return limiter && link.index % per_host == per_host - 1 ? *limiter : link_gap;
    }
    /// Returns the first link with the lowest bandwidth. It is the same for every route. A FATPIPE backbone is
    /// included.
    LinkId slowest_link(Host from, Host to) const {
        std::vector<LinkId> crossed;
        append_links(from, to, crossed);
        if (fatpipe_backbone) crossed.push_back({hosts * links_per_host()});
        return *std::ranges::max_element(crossed, {}, [&](LinkId link) { return gap(link); });
    }
    friend bool operator==(const StarRoutes&, const StarRoutes&) = default;
};

}  // namespace warpfront::machine
