#include "simulator/machine/placement/rules.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulator/machine/placement/torus_folding.hpp"

namespace warpfront::machine {

// --- hosts of other jobs ---------------------------------------------------------------------------------------------

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

// --- rules -----------------------------------------------------------------------------------------------------------

namespace {

std::vector<Host> all_hosts(std::uint32_t hosts) {
    std::vector<Host> all(hosts);
    for (std::uint32_t k = 0; k < hosts; ++k) all[k] = {k};
    return all;
}

/// Returns the first `nodes` hosts of `order` that are not taken.
std::vector<Host> first_free(const std::vector<Host>& order, const std::vector<bool>& taken, std::uint32_t nodes) {
    std::vector<Host> host_of;
    host_of.reserve(nodes);
    for (const Host host : order) {
        if (host_of.size() == nodes) break;
        if (!taken[host.index]) host_of.push_back(host);
    }
    return host_of;
}

/// Moves the nodes on taken hosts; returns their number.
std::uint32_t displace(std::vector<Host>& host_of, const std::vector<bool>& taken) {
    std::vector<bool> occupied = taken;
    for (const Host host : host_of) occupied[host.index] = true;
    const auto hosts = static_cast<std::uint32_t>(taken.size());
    // by occupied host: the host at which the search continues; searched hosts are skipped from then on (path
    // compression)
    std::vector<std::uint32_t> onward(hosts);
    for (std::uint32_t host = 0; host < hosts; ++host) onward[host] = (host + 1) % hosts;
    const auto next_free = [&](std::uint32_t start) {
        std::uint32_t host = start;
        while (occupied[host]) host = onward[host];
        while (start != host) start = std::exchange(onward[start], host);
        return host;
    };
    std::uint32_t displaced = 0;
    for (Host& host : host_of) {
        if (!taken[host.index]) continue;
        host = {next_free(host.index)};
        occupied[host.index] = true;
        ++displaced;
    }
    return displaced;
}

}  // namespace

std::vector<Host> fold(const Extents& array, const std::vector<std::uint32_t>& dimensions) {
    const TorusFolding folding = best_folding(array, dimensions);
    std::vector<Host> host_of;
    host_of.reserve(array.count());
    for (std::uint32_t z = 0; z < array.planes; ++z) {
        for (std::uint32_t y = 0; y < array.rows; ++y) {
            for (std::uint32_t x = 0; x < array.columns; ++x) host_of.push_back(folding.host({x, y, z}));
        }
    }
    return host_of;
}

NodeHosts allocate_hosts(const Placement& placement, const PlacementRequest& request, std::uint32_t hosts,
                         const std::vector<std::uint32_t>& torus) {
    const std::vector<bool> taken = taken_hosts(hosts, request.fragmentation, request.seed);
    if (request.rule == PlacementRule::block && !torus.empty()) {
        NodeHosts folded{fold(placement.node_array, torus), 0};
        folded.displaced = displace(folded.host_of, taken);
        return folded;
    }
    if (request.rule == PlacementRule::random) {
        return {first_free(random_order(hosts, request.seed, Purpose::placement), taken, placement.nodes()), 0};
    }
    return {first_free(all_hosts(hosts), taken, placement.nodes()), 0};
}

}  // namespace warpfront::machine
