#include "simulator/machine/routes/hyperx.hpp"

#include "simulator/machine/routes/routing.hpp"

namespace warpfront::machine {

std::uint64_t HyperXRoutes::switches() const {
    std::uint64_t count = 1;
    for (const std::uint32_t length : dimensions) count *= length;
    return count;
}

std::uint32_t HyperXRoutes::ports() const {
    std::uint32_t count = 0;
    for (const std::uint32_t length : dimensions) count += length;
    return count;
}

std::uint32_t HyperXRoutes::hops(std::uint32_t from, std::uint32_t to) const {
    std::uint32_t crossed = 0;
    for (const std::uint32_t length : dimensions) {
        if (from % length != to % length) ++crossed;
        from /= length;
        to /= length;
    }
    return crossed;
}

std::uint32_t HyperXRoutes::links(Host from, Host to) const {
    return from == to ? 0 : 2 + hops(from.index / hosts_each, to.index / hosts_each);
}

std::uint64_t HyperXRoutes::link_count() const { return 2 * hosts() + switches() * ports(); }

void HyperXRoutes::append_hops(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& links) const {
    const auto first = static_cast<std::uint32_t>(2 * hosts());
    std::uint32_t here = from;
    std::uint32_t stride = 1;  // difference of switch numbers between neighbours in this dimension
    std::uint32_t port = 0;    // first port of this dimension
    for (const std::uint32_t length : dimensions) {
        const std::uint32_t x = here / stride % length;
        const std::uint32_t y = to / stride % length;
        if (x != y) links.push_back({first + here * ports() + port + y});
        here = here - x * stride + y * stride;
        stride *= length;
        port += length;
    }
}

void HyperXRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    links.push_back({2 * from.index});
    append_hops(from.index / hosts_each, to.index / hosts_each, links);
    links.push_back({2 * to.index + 1});
}

std::optional<std::uint32_t> HyperXRoutes::intermediate(Host from, Host to) const {
    const std::uint32_t a = from.index / hosts_each;
    const std::uint32_t b = to.index / hosts_each;
    const auto count = static_cast<std::uint32_t>(switches());
    if (a == b || count < 3) return std::nullopt;
    Random hash = intermediate_hash(from, to);
    return other_than(a, b, count, hash);
}

std::uint32_t HyperXRoutes::links_over(std::uint32_t through, Host from, Host to) const {
    return 2 + hops(from.index / hosts_each, through) + hops(through, to.index / hosts_each);
}

void HyperXRoutes::append_links_over(std::uint32_t through, Host from, Host to, std::vector<LinkId>& links) const {
    links.push_back({2 * from.index});
    append_hops(from.index / hosts_each, through, links);
    append_hops(through, to.index / hosts_each, links);
    links.push_back({2 * to.index + 1});
}

}  // namespace warpfront::machine
