#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "simulator/machine/placement/rules.hpp"

namespace warpfront::machine {

TEST_CASE("patches are numbered row by row, and so are the cores within one") {
    const Placement placement = cut(RankGrid{6, 4}, Patch{2, 2});
    CHECK(placement.node_array.columns == 3);
    CHECK(placement.node_array.rows == 2);
    const Rank rank = placement.grid.at(4, 3);  // column 4 is the second of patch column 2, row 3 the first of row 2
    CHECK(placement.node_of(rank) == Node{1 * 3 + 1});
    CHECK(placement.core_of(rank) == 1);
    CHECK(placement.core_of(placement.grid.at(3, 4)) == 2);
}

TEST_CASE("patches of several planes are numbered plane by plane, and so are the cores within one") {
    const Placement placement = cut(RankGrid{6, 4, 4}, Patch{2, 2, 2});
    CHECK(placement.node_array == Extents{3, 2, 2});
    CHECK(placement.nodes() == 12);
    // column 4, row 3, plane 3: the second of patch column 2, the first of patch row 2 and of patch plane 2
    const Rank rank = placement.grid.at(4, 3, 3);
    CHECK(rank == Rank{(2 * 4 + 2) * 6 + 3});
    CHECK(placement.node_of(rank) == Node{(1 * 2 + 1) * 3 + 1});
    CHECK(placement.core_of(rank) == 1);
    CHECK(placement.core_of(placement.grid.at(3, 4, 4)) == (1 * 2 + 1) * 2 + 0);
    CHECK(cut(RankGrid{2, 2, 5}, Patch{2, 2, 2}).node_array == Extents{1, 1, 3});  // the last is cut short
}

TEST_CASE("the last patch of a row or column may be cut short") {
    const Placement placement = cut(RankGrid{5, 3}, Patch{2, 2});
    CHECK(placement.node_array.columns == 3);
    CHECK(placement.node_array.rows == 2);
    CHECK(placement.node_of(placement.grid.at(5, 3)) == Node{5});
}

TEST_CASE("a patch larger than the array is one node") { CHECK(cut(RankGrid{2, 1}, Patch{4, 4}).nodes() == 1); }

namespace {

const std::vector<std::uint32_t> kNoTorus;

PlacementRequest fragmented(PlacementRule rule, Share share) {
    return {.rule = rule, .seed = {3}, .fragmentation = share, .rank_file = {}, .range = {}};
}

std::size_t different(const std::vector<Host>& hosts) { return std::set<Host>(hosts.begin(), hosts.end()).size(); }

}  // namespace

TEST_CASE("without a torus, block places like linear") {
    const Placement nodes = cut({3, 2}, {1, 1});
    const std::vector<Host> in_order{{0}, {1}, {2}, {3}, {4}, {5}};
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::block, {}), 8, kNoTorus).host_of == in_order);
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::linear, {}), 8, kNoTorus).host_of == in_order);
}

TEST_CASE("random placement takes the first hosts of a random order of all") {
    std::vector<Host> order = random_order(8, {3}, Purpose::placement);
    order.resize(6);
    CHECK(allocate_hosts(cut({3, 2}, {1, 1}), fragmented(PlacementRule::random, {}), 8, kNoTorus).host_of == order);
}

TEST_CASE("linear and random placement skip the hosts that other jobs occupy and keep their order") {
    const Placement nodes = cut({4, 3}, {1, 1});
    const std::vector<bool> taken = taken_hosts(24, {0.5}, {3});
    std::vector<Host> in_order;
    for (std::uint32_t host = 0; host < 24; ++host) {
        if (!taken[host]) in_order.push_back({host});
    }
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::linear, {0.5}), 24, kNoTorus).host_of == in_order);
    std::vector<Host> at_random = random_order(24, {3}, Purpose::placement);
    std::erase_if(at_random, [&](Host host) { return taken[host.index]; });
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::random, {0.5}), 24, kNoTorus).host_of == at_random);
}

TEST_CASE("block keeps nodes on free hosts and moves the others to the next free host") {
    const Placement nodes = cut({4, 3}, {1, 1});
    const std::vector<std::uint32_t> torus{4, 3, 2};
    const std::vector<bool> taken = taken_hosts(24, {0.4}, {3});
    const std::vector<Host> folded = fold({4, 3}, torus);

    // by hand: node by node, one host after another
    std::vector<Host> expected = folded;
    std::set<std::uint32_t> in_use;
    for (const Host host : folded) {
        if (!taken[host.index]) in_use.insert(host.index);
    }
    std::uint32_t displaced = 0;
    for (auto& [host] : expected) {
        if (!taken[host]) continue;
        while (taken[host] || in_use.contains(host)) host = (host + 1) % 24;
        in_use.insert(host);
        ++displaced;
    }
    const NodeHosts hosts = allocate_hosts(nodes, fragmented(PlacementRule::block, {0.4}), 24, torus);
    CHECK(displaced > 0);
    CHECK(hosts.displaced == displaced);
    CHECK(hosts.host_of == expected);
}

TEST_CASE("nodes that fill all free hosts get one each") {
    // 100 hosts, 90 of them taken, 10 nodes
    const NodeHosts hosts = allocate_hosts(cut({5, 2}, {1, 1}), fragmented(PlacementRule::block, {0.9}), 100, {10, 10});
    CHECK(different(hosts.host_of) == 10);
    const std::vector<bool> taken = taken_hosts(100, {0.9}, {3});
    CHECK(std::none_of(hosts.host_of.begin(), hosts.host_of.end(), [&](Host it) { return taken[it.index]; }));
}

}  // namespace warpfront::machine
