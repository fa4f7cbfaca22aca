#include "simulator/machine/routes.hpp"

#include <algorithm>

namespace warpfront::machine {

namespace {

std::uint64_t key(Node from, Node to) {
    return std::uint64_t{from.index} << 32 | to.index;
}

/// `latency` spread evenly over `links`; the share of those beyond `covered`, rounded down.
Time beyond(Time latency, std::uint32_t links, std::uint32_t covered) {
    if (links <= covered) return {};
    const Wide share = Wide{latency.ps} * (links - covered) / links;
    return {static_cast<std::int64_t>(share)};
}

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};

}  // namespace

std::uint32_t TorusRoutes::links(Node from, Node to) const {
    std::uint32_t a = from.index;
    std::uint32_t b = to.index;
    std::uint32_t sum = 0;
    for (const std::uint32_t length : dimensions) {
        const std::uint32_t x = a % length;
        const std::uint32_t y = b % length;
        const std::uint32_t apart = x < y ? y - x : x - y;
        sum += std::min(apart, length - apart);
        a /= length;
        b /= length;
    }
    return sum;
}

void TableRoutes::add(Node from, Node to, Entry entry) {
    entries[key(from, to)] = entry;
}

const TableRoutes::Entry& TableRoutes::at(Node from, Node to) const {
    return entries.at(key(from, to));
}

std::uint32_t Routes::links(Node from, Node to) const {
    return std::visit(Overloaded{[&](const TorusRoutes& torus) { return torus.links(from, to); },
                                 [&](const StarRoutes& star) { return star.links_per_route; },
                                 [&](const TableRoutes& table) { return table.at(from, to).links; }},
                      zone);
}

Time Routes::beyond_L(Node from, Node to) const {
    return std::visit(Overloaded{[&](const TorusRoutes& torus) {
                                     const std::uint32_t crossed = torus.links(from, to);
                                     return torus.link_latency * (crossed - std::min(crossed, links_in_L));
                                 },
                                 [&](const StarRoutes& star) {
                                     return beyond(star.route_latency, star.links_per_route, links_in_L);
                                 },
                                 [&](const TableRoutes& table) {
                                     const TableRoutes::Entry& entry = table.at(from, to);
                                     return beyond(entry.latency, entry.links, links_in_L);
                                 }},
                      zone);
}

}  // namespace warpfront::machine
