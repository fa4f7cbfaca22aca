#include "simulator/machine/routes/hyperx.hpp"

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

std::uint32_t HyperXRoutes::links(Host from, Host to) const {
    if (from == to) return 0;
    std::uint32_t a = from.index / hosts_each;
    std::uint32_t b = to.index / hosts_each;
    std::uint32_t crossed = 2;
    for (const std::uint32_t length : dimensions) {
        if (a % length != b % length) ++crossed;
        a /= length;
        b /= length;
    }
    return crossed;
}

std::uint64_t HyperXRoutes::link_count() const { return 2 * hosts() + switches() * ports(); }

void HyperXRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    const auto first = static_cast<std::uint32_t>(2 * hosts());
    const std::uint32_t end = to.index / hosts_each;
    std::uint32_t here = from.index / hosts_each;
    std::uint32_t stride = 1;  // in switch numbers, of the dimension
    std::uint32_t port = 0;    // the dimension's first
    links.push_back({2 * from.index});
    for (const std::uint32_t length : dimensions) {
        const std::uint32_t x = here / stride % length;
        const std::uint32_t y = end / stride % length;
        if (x != y) links.push_back({first + here * ports() + port + y});
        here = here - x * stride + y * stride;
        stride *= length;
        port += length;
    }
    links.push_back({2 * to.index + 1});
}

}  // namespace warpfront::machine
