#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

namespace {

/// `latency` spread evenly over `links`; the share of those beyond `covered`, rounded down.
Time beyond(Time latency, std::uint32_t links, std::uint32_t covered) {
    if (covered == 0) return latency;  // also of a route without links, as between the hosts of a Vivaldi zone
    if (links <= covered) return {};
    const Wide share = Wide{latency.ps} * (links - covered) / links;
    return {static_cast<std::int64_t>(share)};
}

}  // namespace

std::uint32_t Routes::links(Host from, Host to) const {
    return std::visit([&](const auto& routes) { return routes.links(from, to); }, zone);
}

Time Routes::extra_latency(Host from, Host to) const {
    const auto share = [&](const auto& routes) {
        return beyond(routes.latency(from, to), routes.links(from, to), links_in_L);
    };
    return std::visit(share, zone);
}

std::uint32_t Routes::link_count() const {
    return std::visit([](const auto& routes) { return static_cast<std::uint32_t>(routes.link_count()); }, zone);
}

void Routes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    std::visit([&](const auto& routes) { routes.append_links(from, to, links); }, zone);
}

Gap Routes::gap(LinkId link) const {
    return std::visit([&](const auto& routes) { return routes.gap(link); }, zone);
}

}  // namespace warpfront::machine
