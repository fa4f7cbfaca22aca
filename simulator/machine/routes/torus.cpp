#include "simulator/machine/routes/torus.hpp"

#include <algorithm>

#include "simulator/machine/routes/routing.hpp"

namespace warpfront::machine {

namespace {

/// Returns true if SimGrid goes from coordinate `x` upwards to another coordinate `y`.
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

std::uint32_t TorusRoutes::hops(Host from, Host to) const {
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

std::uint32_t TorusRoutes::links(Host from, Host to) const {
    const std::uint32_t crossed = hops(from, to);
    return limiter ? 2 * crossed + 1 : crossed;
}

Time TorusRoutes::latency(Host from, Host to) const { return link_latency * hops(from, to); }

std::uint64_t TorusRoutes::link_count() const { return cable_count() + (limiter ? hosts() : 0); }

void TorusRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    const auto per_host = static_cast<std::uint32_t>(2 * dimensions.size());
    const auto first_limiter = limiter ? static_cast<std::uint32_t>(cable_count()) : 0;
    const auto limit = [&](std::uint32_t host) {
        if (limiter) links.push_back({first_limiter + host});
    };
    std::uint32_t here = from.index;
    std::uint32_t stride = 1;   // difference of host numbers between neighbours in this dimension
    std::uint32_t upwards = 0;  // number of the host's first link in this dimension
    for (const std::uint32_t length : dimensions) {
        std::uint32_t x = here / stride % length;
        const std::uint32_t y = to.index / stride % length;
        const std::uint32_t base = here - x * stride;
        const bool up = x != y && goes_up(x, y, length);
        while (x != y) {
            const std::uint32_t next = up ? (x + 1 == length ? 0 : x + 1) : (x == 0 ? length - 1 : x - 1);
            limit(base + x * stride);
            const std::uint32_t owner = base + (up || duplex ? x : next) * stride;
            links.push_back({owner * per_host + upwards + (up || !duplex ? 0 : 1)});
            x = next;
        }
        here = base + y * stride;
        stride *= length;
        upwards += 2;
    }
    limit(to.index);
}

std::optional<std::uint32_t> TorusRoutes::intermediate(Host from, Host to) const {
    const auto count = static_cast<std::uint32_t>(hosts());
    if (count < 3) return std::nullopt;
    Random hash = intermediate_hash(from, to);
    return other_than(from.index, to.index, count, hash);
}

std::uint32_t TorusRoutes::links_over(std::uint32_t host, Host from, Host to) const {
    return links(from, Host{host}) + links(Host{host}, to);
}

void TorusRoutes::append_links_over(std::uint32_t host, Host from, Host to, std::vector<LinkId>& links) const {
    append_links(from, Host{host}, links);
    append_links(Host{host}, to, links);
}

Gap TorusRoutes::gap(LinkId link) const { return limiter && link.index >= cable_count() ? *limiter : link_gap; }

}  // namespace warpfront::machine
