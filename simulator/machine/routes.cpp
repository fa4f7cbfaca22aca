#include "simulator/machine/routes.hpp"

#include <algorithm>
#include <cstddef>

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

/// Whether SimGrid goes up from coordinate `x` to another one `y`.
bool goes_up(std::uint32_t x, std::uint32_t y, std::uint32_t length) {
    const std::uint32_t upwards = y > x ? y - x : length - (x - y);
    const std::uint32_t downwards = length - upwards;
    return upwards < downwards || (upwards == downwards && y != 0);
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

std::uint64_t TorusRoutes::link_count() const {
    std::uint64_t count = 2 * dimensions.size();
    for (const std::uint32_t length : dimensions) count *= length;
    return count;
}

void TorusRoutes::append_links(Node from, Node to, std::vector<LinkId>& links) const {
    const auto per_node = static_cast<std::uint32_t>(2 * dimensions.size());
    std::uint32_t here = from.index;
    std::uint32_t stride = 1;   // in node numbers, of the dimension
    std::uint32_t upwards = 0;  // the dimension's link within its node
    for (const std::uint32_t length : dimensions) {
        std::uint32_t x = here / stride % length;
        const std::uint32_t y = to.index / stride % length;
        const std::uint32_t base = here - x * stride;
        const bool up = x != y && goes_up(x, y, length);
        while (x != y) {
            const std::uint32_t next = up ? (x + 1 == length ? 0 : x + 1) : (x == 0 ? length - 1 : x - 1);
            const std::uint32_t owner = base + (up || duplex ? x : next) * stride;
            links.push_back({owner * per_node + upwards + (up || !duplex ? 0 : 1)});
            x = next;
        }
        here = base + y * stride;
        stride *= length;
        upwards += 2;
    }
}

void StarRoutes::append_links(Node from, Node to, std::vector<LinkId>& links) const {
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

void TableRoutes::add(Node from, Node to, Entry entry) {
    entries[key(from, to)] = entry;
}

const TableRoutes::Entry& TableRoutes::at(Node from, Node to) const {
    return entries.at(key(from, to));
}

void TableRoutes::append_links(Node from, Node to, std::vector<LinkId>& links) const {
    const Entry& entry = at(from, to);
    const auto first = contended.begin() + static_cast<std::ptrdiff_t>(entry.first);
    links.insert(links.end(), first, first + entry.contended);
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

std::uint32_t Routes::link_count() const {
    return std::visit(Overloaded{[](const TableRoutes& table) { return static_cast<std::uint32_t>(table.gaps.size()); },
                                 [](const auto& regular) { return static_cast<std::uint32_t>(regular.link_count()); }},
                      zone);
}

void Routes::append_links(Node from, Node to, std::vector<LinkId>& links) const {
    std::visit([&](const auto& routes) { routes.append_links(from, to, links); }, zone);
}

Gap Routes::gap(LinkId link) const {
    return std::visit(Overloaded{[](const TorusRoutes& torus) { return torus.link_gap; },
                                 [&](const StarRoutes& star) { return star.gap(link); },
                                 [&](const TableRoutes& table) { return table.gaps[link.index]; }},
                      zone);
}

}  // namespace warpfront::machine
