#include "simulator/machine/routes/star.hpp"

namespace warpfront::machine {

void StarRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    const std::uint32_t per_host = links_per_host();
    const std::uint32_t up = from.index * per_host;
    const std::uint32_t down = to.index * per_host + (duplex ? 1 : 0);
    if (limiter) links.push_back({up + per_host - 1});
    links.push_back({up});
    if (backbone) links.push_back({hosts * per_host});
    links.push_back({down});
    if (limiter) links.push_back({down + 1});
}

Gap StarRoutes::gap(LinkId link) const {
    const std::uint32_t per_host = links_per_host();
    if (backbone && link.index == hosts * per_host) return *backbone;
    return limiter && link.index % per_host == per_host - 1 ? *limiter : link_gap;
}

}  // namespace warpfront::machine
