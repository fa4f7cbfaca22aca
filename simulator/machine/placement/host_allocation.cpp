#include "simulator/machine/placement/host_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpfront::machine {

std::vector<Host> random_order(std::uint32_t hosts, Seed seed, Purpose purpose) {
    std::vector<Host> order(hosts);
    for (std::uint32_t k = 0; k < hosts; ++k) order[k] = {k};
    for (std::uint32_t k = 0; k + 1 < hosts; ++k) {
        std::swap(order[k], order[k + Random(seed, purpose, 0, k).below(hosts - k)]);
    }
    return order;
}

std::vector<bool> taken_hosts(std::uint32_t hosts, Share share, Seed seed) {
    std::vector<bool> taken(hosts, false);
    const auto count = static_cast<std::uint32_t>(hosts - count_free_hosts(hosts, share));
    if (count == 0) return taken;
    const std::vector<Host> order = random_order(hosts, seed, Purpose::taken_hosts);
    for (std::uint32_t k = 0; k < count; ++k) taken[order[k].index] = true;
    return taken;
}

std::uint64_t count_free_hosts(std::uint64_t hosts, Share share) {
    const auto taken = static_cast<std::uint64_t>(std::floor(static_cast<double>(hosts) * share.of_one));
    return hosts - std::min(taken, hosts);
}

std::uint64_t hosts_needed(std::uint64_t free, Share share, std::uint64_t most) {
    const double about = static_cast<double>(free) / (1.0 - share.of_one);
    if (!(about <= static_cast<double>(most))) return most + 1;
    auto hosts = static_cast<std::uint64_t>(about);
    while (count_free_hosts(hosts, share) < free) ++hosts;  // once or twice: the quotient is rounded
    return std::min(hosts, most + 1);
}

}  // namespace warpfront::machine
