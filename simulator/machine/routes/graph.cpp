#include "simulator/machine/routes/graph.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <set>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>

namespace warpfront::machine {

namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;
using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS>;

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMostAttempts = 100;

BoostGraph boost_graph(const SwitchGraph& graph) {
    std::vector<Edge> edges;
    edges.reserve(graph.directed_links());
    for (std::uint32_t at = 0; at < graph.switches(); ++at) {
        for (std::uint32_t port = 0; port < graph.ports(at); ++port) edges.emplace_back(at, graph.neighbour(at, port));
    }
    return {boost::edges_are_sorted, edges.begin(), edges.end(), graph.switches()};
}

/// Computes the number of links from each switch to `to`; kFar for a switch without a path.
void measure_distances(const BoostGraph& graph, std::uint32_t to, std::vector<std::uint32_t>& distance) {
    std::fill(distance.begin(), distance.end(), kFar);
    distance[to] = 0;
    const auto visitor = boost::make_bfs_visitor(boost::record_distances(distance.data(), boost::on_tree_edge()));
    boost::breadth_first_search(graph, to, boost::visitor(visitor));
}

std::uint8_t port_towards(const SwitchGraph& graph, std::uint32_t at, std::uint32_t to,
                          const std::vector<std::uint32_t>& distance) {
    const auto nearer = [&](std::uint32_t port) { return distance[graph.neighbour(at, port)] < distance[at]; };
    std::uint32_t count = 0;
    for (std::uint32_t port = 0; port < graph.ports(at); ++port) count += nearer(port) ? 1U : 0U;
    std::uint32_t skip = count > 0 ? to % count : 0;
    for (std::uint32_t port = 0; port < graph.ports(at); ++port) {
        if (nearer(port) && skip-- == 0) return static_cast<std::uint8_t>(port);
    }
    return 0;  // no link is left: `at` is the destination
}

Edge sorted(std::uint32_t a, std::uint32_t b) { return std::minmax(a, b); }

/// Returns true if two ends of edges (stubs) can still be joined, or if no end is left.
bool some_pair_left(const std::vector<std::uint32_t>& stubs, const std::set<Edge>& edges) {
    const std::set<std::uint32_t> switches(stubs.begin(), stubs.end());
    for (const std::uint32_t a : switches) {
        for (const std::uint32_t b : switches) {
            if (a < b && !edges.contains({a, b})) return true;
        }
    }
    return stubs.empty();
}

/// Draws the edges of a graph. Returns nothing if some ends of edges cannot be joined.
std::optional<std::set<Edge>> draw(std::uint32_t switches, std::uint32_t degree, Seed seed, std::uint32_t attempt) {
    std::vector<std::uint32_t> stubs;
    for (std::uint32_t at = 0; at < switches; ++at) stubs.insert(stubs.end(), degree, at);
    std::set<Edge> edges;
    for (std::uint32_t round = 0; !stubs.empty(); ++round) {
        for (std::size_t k = stubs.size() - 1; k > 0; --k) {  // Fisher & Yates
            Random random(seed, Purpose::topology, attempt, std::uint64_t{round} << 32 | k);
            std::swap(stubs[k], stubs[random.below(k + 1)]);
        }
        std::vector<std::uint32_t> left;
        for (std::size_t k = 0; k + 1 < stubs.size(); k += 2) {
            const bool loop = stubs[k] == stubs[k + 1];
            if (loop || !edges.insert(sorted(stubs[k], stubs[k + 1])).second) {
                left.insert(left.end(), {stubs[k], stubs[k + 1]});
            }
        }
        stubs = std::move(left);
        if (!some_pair_left(stubs, edges)) return std::nullopt;
    }
    return edges;
}

}  // namespace

SwitchGraph::SwitchGraph(std::uint32_t switches, const std::vector<Edge>& edges) : first_(switches + 1) {
    std::vector<Edge> directed;
    directed.reserve(2 * edges.size());
    for (const auto& [a, b] : edges) directed.insert(directed.end(), {{a, b}, {b, a}});
    std::ranges::sort(directed);
    for (const auto& [from, to] : directed) {
        ++first_[from + 1];
        neighbours_.push_back(to);
    }
    for (std::uint32_t at = 0; at < switches; ++at) first_[at + 1] += first_[at];
}

std::optional<std::uint32_t> SwitchGraph::unreachable() const {
    if (switches() == 0) return std::nullopt;
    std::vector<std::uint32_t> distance(switches());
    measure_distances(boost_graph(*this), 0, distance);
    const auto far = std::ranges::find(distance, kFar);
    if (far == distance.end()) return std::nullopt;
    return static_cast<std::uint32_t>(far - distance.begin());
}

std::optional<SwitchGraph> random_regular(std::uint32_t switches, std::uint32_t degree, Seed seed) {
    assert(degree < switches && std::uint64_t{switches} * degree % 2 == 0);
    for (std::uint32_t attempt = 0; attempt < kMostAttempts; ++attempt) {
        const auto edges = draw(switches, degree, seed, attempt);
        if (!edges) continue;
        SwitchGraph graph(switches, {edges->begin(), edges->end()});
        if (!graph.unreachable()) return graph;
    }
    return std::nullopt;
}

void GraphRoutes::find_routes() {
    const std::uint32_t switches = graph.switches();
    const BoostGraph searched = boost_graph(graph);
    std::vector<std::uint32_t> distance(switches);
    next.resize(std::size_t{switches} * switches);
    for (std::uint32_t to = 0; to < switches; ++to) {
        measure_distances(searched, to, distance);
        for (std::uint32_t at = 0; at < switches; ++at) {
            next[std::size_t{to} * switches + at] = port_towards(graph, at, to, distance);
            diameter = std::max(diameter, distance[at]);
        }
    }
}

/// Calls `visit` with each link between switches on the route, in order.
template <class Visit>
void GraphRoutes::walk(Host from, Host to, const Visit& visit) const {
    const std::uint32_t end = to.index / hosts_each;
    for (std::uint32_t at = from.index / hosts_each; at != end;) {
        const std::uint32_t port = next[std::size_t{end} * graph.switches() + at];
        visit(graph.number(at, port));
        at = graph.neighbour(at, port);
    }
}

std::uint32_t GraphRoutes::links(Host from, Host to) const {
    if (from == to) return 0;
    std::uint32_t crossed = 2;
    walk(from, to, [&](std::uint32_t) { ++crossed; });
    return crossed;
}

Time GraphRoutes::latency(Host from, Host to) const {
    std::vector<Time> latencies;
    append_latencies(from, to, latencies);
    return std::accumulate(latencies.begin(), latencies.end(), Time{});
}

void GraphRoutes::append_latencies(Host from, Host to, std::vector<Time>& latencies) const {
    if (own.empty() || from == to) {
        latencies.insert(latencies.end(), links(from, to), link_latency);
        return;
    }
    latencies.insert(latencies.end(), 2, link_latency);
    walk(from, to, [&](std::uint32_t number) { latencies.push_back(own[number].latency); });
}

Time GraphRoutes::longest_latency() const {
    Time longest = link_latency;
    for (const SwitchLink& link : own) longest = std::max(longest, link.latency);
    return longest;
}

void GraphRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    const auto first = static_cast<std::uint32_t>(2 * hosts());
    links.push_back({2 * from.index});
    walk(from, to, [&](std::uint32_t number) { links.push_back({first + number}); });
    links.push_back({2 * to.index + 1});
}

}  // namespace warpfront::machine
