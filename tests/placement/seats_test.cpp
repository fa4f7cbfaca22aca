// Ranks without patches: dealt over nodes and cores, or listed with their hosts and cores.
#include "simulator/machine/placement/seats.hpp"

#include "tests/faults.hpp"

namespace warpfront::machine {

namespace {

using test::Kinds;
using test::kinds_of;
using Numbers = std::vector<std::uint32_t>;

/// Two sockets of four cores.
const NodeCores kNode{.count = 8, .divisions = {2}};

Numbers nodes_of_ranks(const Placement& placement) {
    Numbers nodes;
    for (std::uint32_t rank = 0; rank < placement.grid.ranks(); ++rank) {
        nodes.push_back(placement.node_of({rank}).index);
    }
    return nodes;
}

Numbers cores_of_ranks(const Placement& placement) {
    Numbers cores;
    for (std::uint32_t rank = 0; rank < placement.grid.ranks(); ++rank) cores.push_back(placement.core_of({rank}));
    return cores;
}

Placement dealt(const RankGrid& grid, const Distribution& distribution) {
    Placement placement = deal(grid, distribution);
    Diagnostics faults;
    seat_on_cores(distribution, kNode, placement, faults);
    CHECK(faults.empty());
    return placement;
}

ListedRanks on_host(std::uint32_t host, input::NumberRange ranks, std::optional<input::NumberRange> cores = {}) {
    return {.ranks = ranks, .host = host, .cores = cores};
}

Placement seated(const RankGrid& grid, const std::vector<ListedRanks>& listed, Diagnostics& faults) {
    Placement placement = seat(grid, listed, faults);
    if (faults.empty()) seat_on_cores(listed, kNode, placement, faults);
    return placement;
}

Kinds faults_of_list(const std::vector<ListedRanks>& listed) {
    Diagnostics faults;
    seated({4, 1}, listed, faults);
    return kinds_of(faults);
}

}  // namespace

TEST_CASE("block fills one node after another; cyclic deals rank by rank, plane block by block") {
    // 8 ranks, 3 on a node: ceil(8 / 3) = 3 nodes
    CHECK(nodes_of_ranks(dealt({8, 1}, {.ranks_per_node = 3})) == Numbers{0, 0, 0, 1, 1, 1, 2, 2});
    CHECK(nodes_of_ranks(dealt({8, 1}, {.ranks_per_node = 3, .nodes = NodeOrder::cyclic})) ==
          Numbers{0, 1, 2, 0, 1, 2, 0, 1});
    // blocks of 2 over 2 nodes: ranks 0, 1 to node 0, ranks 2, 3 to node 1, ranks 4, 5 to node 0
    CHECK(nodes_of_ranks(dealt({8, 1}, {.ranks_per_node = 4, .nodes = NodeOrder::plane, .plane = 2})) ==
          Numbers{0, 0, 1, 1, 0, 0, 1, 1});
}

TEST_CASE("the ranks of a node have its cores in order, or in turn those of its sockets") {
    const Distribution block{.ranks_per_node = 4, .nodes = NodeOrder::cyclic};
    CHECK(cores_of_ranks(dealt({8, 1}, block)) == Numbers{0, 0, 1, 1, 2, 2, 3, 3});
    Distribution cyclic = block;
    cyclic.cores = NodeFill::spread;  // socket 0 has cores 0 to 3, socket 1 has 4 to 7
    const Placement placement = dealt({8, 1}, cyclic);
    CHECK(cores_of_ranks(placement) == Numbers{0, 0, 4, 4, 1, 1, 5, 5});
    CHECK(placement.cores == Numbers{0, 1, 4, 5});
    CHECK(placement.patch == Patch{4, 1, 1});
    CHECK(placement.nodes() == 2);
}

TEST_CASE("a distribution whose nodes have patches is that patch") {
    const Distribution four{.ranks_per_node = 4};
    CHECK(patch_of(four, {8, 2}) == Patch{4, 1, 1});
    CHECK(patch_of(four, {2, 4}) == Patch{2, 2, 1});
    CHECK(patch_of(four, {2, 1, 4}) == Patch{2, 1, 2});
    CHECK(!patch_of(four, {6, 4}));
    CHECK(!patch_of({.ranks_per_node = 4, .nodes = NodeOrder::cyclic}, {8, 2}));
    CHECK(patch_of({.ranks_per_node = 16, .nodes = NodeOrder::cyclic}, {8, 2}) == Patch{8, 2, 1});  // one node
    CHECK(patch_of({.ranks_per_node = 4, .nodes = NodeOrder::plane, .plane = 4}, {8, 2}) == Patch{4, 1, 1});
    CHECK(!patch_of({.ranks_per_node = 4, .nodes = NodeOrder::plane, .plane = 2}, {8, 2}));
}

TEST_CASE("a node holds no more ranks than it has cores") {
    Placement placement = deal({16, 1}, {.ranks_per_node = 9, .nodes = NodeOrder::cyclic});
    Diagnostics faults;
    seat_on_cores(Distribution{.ranks_per_node = 9, .nodes = NodeOrder::cyclic}, kNode, placement, faults);
    CHECK(kinds_of(faults) == Kinds{patch_too_large});
}

TEST_CASE("listed ranks have their hosts; nodes are numbered as they first stand in the order of ranks") {
    Diagnostics faults;
    const Placement placement = seated({6, 1}, {on_host(7, {1, 5, 2}), on_host(3, {0, 4, 2})}, faults);
    CHECK(faults.empty());
    CHECK(nodes_of_ranks(placement) == Numbers{0, 1, 0, 1, 0, 1});
    CHECK(placement.host_of == std::vector<Host>{{3}, {7}});
    CHECK(cores_of_ranks(placement) == Numbers{0, 0, 1, 1, 2, 2});
}

TEST_CASE("ranks without a listed core have the lowest free ones") {
    Diagnostics faults;
    // ranks 2 and 3 have cores 0 and 4; ranks 0 and 1 the lowest of the others
    const Placement placement =
        seated({4, 1}, {on_host(0, {0, 1, 1}), on_host(0, {2, 3, 1}, input::NumberRange{0, 4, 4})}, faults);
    CHECK(faults.empty());
    CHECK(cores_of_ranks(placement) == Numbers{1, 2, 0, 4});
}

TEST_CASE("faults of listed ranks") {
    const input::NumberRange all{0, 3, 1};
    CHECK(faults_of_list({on_host(0, {0, 4, 1})}) == Kinds{out_of_range});
    CHECK(faults_of_list({on_host(0, {0, 2, 1})}) == Kinds{rank_file_length});
    CHECK(faults_of_list({on_host(0, all), on_host(1, {3, 3, 1})}) == Kinds{duplicate_key});
    CHECK(faults_of_list({on_host(0, all, input::NumberRange{5, 8, 1})}) == Kinds{out_of_range});
    CHECK(faults_of_list({on_host(0, {0, 1, 1}, input::NumberRange{0, 1, 1}),
                          on_host(0, {2, 3, 1}, input::NumberRange{1, 2, 1})}) == Kinds{core_taken_twice});
    Diagnostics faults;
    seated({9, 1}, {on_host(0, {0, 8, 1})}, faults);  // 9 ranks on 8 cores
    CHECK(kinds_of(faults) == Kinds{patch_too_large});
    Diagnostics hosts;
    check_hosts({on_host(4, all)}, 4, hosts);
    CHECK(kinds_of(hosts) == Kinds{out_of_range});
}

}  // namespace warpfront::machine
