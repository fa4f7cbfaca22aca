#include "simulator/machine/placement/rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/words.hpp"
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
    while (count_free_hosts(hosts, share) < free) ++hosts;  // at most two iterations, since the quotient is rounded
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

/// Moves the nodes whose hosts are taken. Returns the number of these nodes.
std::uint32_t displace(std::vector<Host>& host_of, const std::vector<bool>& taken) {
    std::vector<bool> occupied = taken;
    for (const Host host : host_of) occupied[host.index] = true;
    const auto hosts = static_cast<std::uint32_t>(taken.size());
    // For each occupied host, the host at which the search continues. Later searches skip the hosts in between (path
    // compression).
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

namespace {

/// Returns the line without its comment and without surrounding blanks.
std::string_view content(std::string_view line) { return input::trimmed(line.substr(0, line.find('#')), " \t\r"); }

SourceRange range_of(const RankFile& file, std::size_t node) {
    const std::size_t start = file.offsets[node];
    const std::string_view rest = file.source->text().substr(start);
    return {file.source, start, content(rest.substr(0, rest.find('\n'))).size()};
}

}  // namespace

RankFile read_rank_file(SourceFilePtr source) {
    RankFile file;
    file.source = std::move(source);
    Diagnostics faults;
    const std::string_view text = file.source->text();
    for (std::size_t start = 0; start < text.size() && faults.count() < Diagnostics::kMostDiagnostics;) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view number = content(text.substr(start, end - start));
        start = end + 1;
        if (number.empty()) continue;
        const auto offset = static_cast<std::size_t>(number.data() - text.data());
        const std::int64_t host = input::parse_integer(number, {file.source, offset, number.size()}, 0,
                                                       std::numeric_limits<std::uint32_t>::max(), faults);
        file.host_of.push_back({static_cast<std::uint32_t>(host)});
        file.offsets.push_back(offset);
    }
    faults.raise();
    return file;
}

bool check_rank_file(const RankFile& file, std::uint32_t nodes, std::uint32_t hosts, Diagnostics& faults) {
    const std::size_t before = faults.count();
    const std::size_t listed = file.host_of.size();
    if (listed != nodes) {
        const SourceRange range =
            listed > nodes ? range_of(file, nodes) : SourceRange{file.source, file.source->text().size(), 0};
        faults.add(
            DiagnosticKind::rank_file_length, range,
            fmt::format("the file lists {} for {}", input::counted(listed, "host"), input::counted(nodes, "node")),
            "expected one line for each node, with the number of its host");
    }
    std::vector<std::uint32_t> node_on(hosts, nodes);
    for (std::uint32_t node = 0; node < std::min<std::size_t>(listed, nodes); ++node) {
        if (faults.count() >= before + Diagnostics::kMostDiagnostics) break;
        const std::uint32_t host = file.host_of[node].index;
        if (host >= hosts) {
            faults.add(DiagnosticKind::out_of_range, range_of(file, node), fmt::format("there is no host {}", host),
                       fmt::format("expected a host from 0 to {}", hosts - 1));
        } else if (node_on[host] != nodes) {
            const unsigned line = file.source->position(file.offsets[node_on[host]]).line;
            faults.add(
                DiagnosticKind::host_taken_twice, range_of(file, node), fmt::format("host {} already has a node", host),
                fmt::format("expected a different host for each node; line {} already contains this host", line));
        } else {
            node_on[host] = node;
        }
    }
    return faults.count() == before;
}

}  // namespace warpfront::machine
