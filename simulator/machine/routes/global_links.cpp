#include "simulator/machine/routes/global_links.hpp"

#include <algorithm>

namespace warpfront::machine {

/// Link k is on the router if k (G - 1) + d - 1 is at least `router` H and less than (`router` + 1) H.
GlobalLinks::Range GlobalLinks::on_router(std::uint32_t from, std::uint32_t to, std::uint32_t router) const {
    const std::uint64_t first_port = port(from, to, 0);
    const auto links_before = [&](std::uint64_t limit) {
        const std::uint64_t before = limit <= first_port ? 0 : (limit - first_port + groups - 2) / (groups - 1);
        return std::min<std::uint32_t>(parallel(), static_cast<std::uint32_t>(before));
    };
    const std::uint64_t ports_before = std::uint64_t{router} * per_router;
    const std::uint32_t first = links_before(ports_before);
    return {first, links_before(ports_before + per_router) - first};
}

std::uint32_t GlobalLinks::choose(std::uint32_t from, std::uint32_t at, std::uint32_t to, std::uint32_t end) const {
    const Range leaving = on_router(from, to, at);
    if (leaving.count > 0) return leaving.first + end % leaving.count;
    const Range entering = on_router(to, from, end);
    if (entering.count > 0) return entering.first + at % entering.count;
    return end % parallel();
}

}  // namespace warpfront::machine
