#include "simulator/machine/placement/rules.hpp"

#include <numeric>
#include <utility>

#include "simulator/machine/placement/torus_folding.hpp"

namespace warpfront::machine {

namespace {

std::vector<std::uint32_t> all_hosts(std::uint32_t hosts) {
    std::vector<std::uint32_t> numbers(hosts);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

/// The first `nodes` of `order` that are not taken.
std::vector<std::uint32_t> pass_by(const std::vector<std::uint32_t>& order, const std::vector<bool>& taken,
                                   std::uint32_t nodes) {
    std::vector<std::uint32_t> host_of;
    host_of.reserve(nodes);
    for (const std::uint32_t host : order) {
        if (host_of.size() == nodes) break;
        if (!taken[host]) host_of.push_back(host);
    }
    return host_of;
}

/// Lets nodes on taken hosts move on; returns how many did.
std::uint32_t move_on(std::vector<std::uint32_t>& host_of, const std::vector<bool>& taken) {
    std::vector<bool> occupied = taken;
    for (const std::uint32_t host : host_of) occupied[host] = true;
    const auto hosts = static_cast<std::uint32_t>(taken.size());
    // where to look on from an occupied host; hosts once searched in vain are never searched again
    std::vector<std::uint32_t> onward(hosts);
    for (std::uint32_t host = 0; host < hosts; ++host) onward[host] = (host + 1) % hosts;
    const auto first_free = [&](std::uint32_t start) {
        std::uint32_t host = start;
        while (occupied[host]) host = onward[host];
        while (start != host) start = std::exchange(onward[start], host);
        return host;
    };
    std::uint32_t moved = 0;
    for (std::uint32_t& host : host_of) {
        if (!taken[host]) continue;
        host = first_free(host);
        occupied[host] = true;
        ++moved;
    }
    return moved;
}

}  // namespace

std::vector<std::uint32_t> fold(std::uint32_t node_columns, std::uint32_t node_rows,
                                const std::vector<std::uint32_t>& dimensions) {
    const Folding folding = best_folding(node_columns, node_rows, dimensions);
    std::vector<std::uint32_t> host_of;
    host_of.reserve(std::size_t{node_columns} * node_rows);
    for (std::uint32_t y = 0; y < node_rows; ++y) {
        for (std::uint32_t x = 0; x < node_columns; ++x) host_of.push_back(folding.host(x, y));
    }
    return host_of;
}

LaidOut lay_out(const Placement& placement, const PlacementRequest& request, std::uint32_t hosts,
                const std::vector<std::uint32_t>& torus) {
    const std::vector<bool> taken = taken_hosts(hosts, request.fragmentation, request.seed);
    if (request.rule == PlacementRule::block && !torus.empty()) {
        LaidOut folded{fold(placement.node_columns, placement.node_rows, torus), 0};
        folded.moved = move_on(folded.host_of, taken);
        return folded;
    }
    if (request.rule == PlacementRule::random) {
        return {pass_by(random_order(hosts, request.seed, Purpose::placement), taken, placement.nodes()), 0};
    }
    return {pass_by(all_hosts(hosts), taken, placement.nodes()), 0};
}

}  // namespace warpfront::machine
