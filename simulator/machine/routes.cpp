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
    if (covered == 0) return latency;  // also of a route without links, as between the hosts of a Vivaldi zone
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

}  // namespace

std::uint64_t TorusRoutes::hosts() const {
    std::uint64_t count = 1;
    for (const std::uint32_t length : dimensions) count *= length;
    return count;
}

std::uint32_t TorusRoutes::hops(Node from, Node to) const {
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

std::uint32_t TorusRoutes::links(Node from, Node to) const {
    const std::uint32_t crossed = hops(from, to);
    return limiter ? 2 * crossed + 1 : crossed;
}

Time TorusRoutes::latency(Node from, Node to) const {
    return link_latency * hops(from, to);
}

std::uint64_t TorusRoutes::link_count() const {
    return cable_count() + (limiter ? hosts() : 0);
}

void TorusRoutes::append_links(Node from, Node to, std::vector<LinkId>& links) const {
    const auto per_node = static_cast<std::uint32_t>(2 * dimensions.size());
    const auto first_limiter = limiter ? static_cast<std::uint32_t>(cable_count()) : 0;
    const auto limit = [&](std::uint32_t node) {
        if (limiter) links.push_back({first_limiter + node});
    };
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
            limit(base + x * stride);
            const std::uint32_t owner = base + (up || duplex ? x : next) * stride;
            links.push_back({owner * per_node + upwards + (up || !duplex ? 0 : 1)});
            x = next;
        }
        here = base + y * stride;
        stride *= length;
        upwards += 2;
    }
    limit(to.index);
}

Gap TorusRoutes::gap(LinkId link) const {
    return limiter && link.index >= cable_count() ? *limiter : link_gap;
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
    return std::visit([&](const auto& routes) { return routes.links(from, to); }, zone);
}

Time Routes::beyond_L(Node from, Node to) const {
    const auto share = [&](const auto& routes) {
        return beyond(routes.latency(from, to), routes.links(from, to), links_in_L);
    };
    return std::visit(share, zone);
}

std::uint32_t Routes::link_count() const {
    return std::visit([](const auto& routes) { return static_cast<std::uint32_t>(routes.link_count()); }, zone);
}

void Routes::append_links(Node from, Node to, std::vector<LinkId>& links) const {
    std::visit([&](const auto& routes) { routes.append_links(from, to, links); }, zone);
}

Gap Routes::gap(LinkId link) const {
    return std::visit([&](const auto& routes) { return routes.gap(link); }, zone);
}

}  // namespace warpfront::machine
