#include "simulator/machine/placement/host_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace warpfront::machine {

std::vector<std::uint32_t> random_order(std::uint32_t hosts, Seed seed, Purpose purpose) {
    std::vector<std::uint32_t> order(hosts);
    std::iota(order.begin(), order.end(), 0U);
    for (std::uint32_t k = 0; k + 1 < hosts; ++k) {
        std::swap(order[k], order[k + Random(seed, purpose, 0, k).below(hosts - k)]);
    }
    return order;
}

std::vector<bool> taken_hosts(std::uint32_t hosts, Share share, Seed seed) {
    std::vector<bool> taken(hosts, false);
    const auto count = static_cast<std::uint32_t>(hosts - free_hosts(hosts, share));
    if (count == 0) return taken;
    const std::vector<std::uint32_t> order = random_order(hosts, seed, Purpose::taken_hosts);
    for (std::uint32_t k = 0; k < count; ++k) taken[order[k]] = true;
    return taken;
}

std::uint64_t free_hosts(std::uint64_t hosts, Share share) {
    const auto taken = static_cast<std::uint64_t>(std::floor(static_cast<double>(hosts) * share.of_one));
    return hosts - std::min(taken, hosts);
}

std::uint64_t hosts_to_have(std::uint64_t free, Share share, std::uint64_t most) {
    const double about = static_cast<double>(free) / (1.0 - share.of_one);
    if (!(about <= static_cast<double>(most))) return most + 1;
    auto hosts = static_cast<std::uint64_t>(about);
    while (free_hosts(hosts, share) < free) ++hosts;  // once or twice, for what was rounded
    return std::min(hosts, most + 1);
}

}  // namespace warpfront::machine
