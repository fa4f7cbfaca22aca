// The cores of the ranks of a node: in order, spread over its parts, in blocks, or as a scenario lists them.
//
// Not pinned here: the keys of a scenario (tests/scenario/cores_key_test.cpp); the division of the cores by a hardware
// file, notes and faults (tests/loading/cores_test.cpp).
#include "simulator/machine/placement/cores.hpp"
#include "tests/preamble.hpp"

namespace warpfront::machine {

namespace {

using Cores = std::vector<std::uint32_t>;

constexpr NodeFill kPack = NodeFill::pack;
constexpr NodeFill kSpread = NodeFill::spread;

Cores cores(const Patch& patch, NodeFill fill, const NodeCores& node) { return cores_of(patch, {.fill = fill}, node); }

/// Returns the number of ranks in each of `parts` equal parts of the node.
std::vector<std::uint32_t> loads(const Cores& cores, std::uint32_t of_node, std::uint32_t parts) {
    std::vector<std::uint32_t> ranks(parts, 0);
    for (const std::uint32_t core : cores) ++ranks.at(core / (of_node / parts));
    return ranks;
}

}  // namespace

TEST_CASE("packed ranks fill the cores in order, whatever parts the node has") {
    CHECK(cores({4, 1}, kPack, {16, {2, 4}}) == Cores{0, 1, 2, 3});
    CHECK(cores({2, 2, 2}, kPack, {8, {2}}) == Cores{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("spread ranks are dealt round-robin over the sockets, as Slurm's cyclic distribution") {
    CHECK(cores({5, 1}, kSpread, {16, {2}}) == Cores{0, 8, 1, 9, 2});
    CHECK(cores({3, 2}, kSpread, {6, {3}}) == Cores{0, 2, 4, 1, 3, 5});  // a full node too
    CHECK(cores({2, 2}, kSpread, {4, {}}) == Cores{0, 1, 2, 3});         // no parts: in order
}

TEST_CASE("within a socket they are dealt over its dies, and within a die over its complexes") {
    // sockets from 0 and 8, dies from 0, 4, 8 and 12, complexes from every even core
    CHECK(spread_order({16, {2, 4, 8}}, 16) == Cores{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15});
}

TEST_CASE("the ranks of a patch with planes are dealt row by row and plane by plane") {
    const Cores dealt = cores({2, 2, 2}, kSpread, {16, {2}});
    CHECK(dealt == Cores{0, 8, 1, 9, 2, 10, 3, 11});
    Placement placement = cut(RankGrid{2, 2, 2}, Patch{2, 2, 2});
    placement.cores = dealt;
    CHECK(placement.core_of(placement.grid.at(2, 1, 2)) == 10);  // place 1 + 2 * (0 + 2 * 1) = 5
}

TEST_CASE("divisions that do not nest are all filled evenly") {
    // 12 cores: sockets from 0 and 6, NICs from 0, 4 and 8. The first rank has core 0. The second goes to socket 1,
    // where NIC 1 (from core 6) and NIC 2 have no rank: core 6. The third could go to either socket; NIC 2 alone has
    // none.
    CHECK(spread_order({12, {2, 3}}, 4) == Cores{0, 6, 8, 1});
    const Cores all = spread_order({12, {2, 3}}, 12);
    CHECK(std::set<std::uint32_t>(all.begin(), all.end()).size() == 12);
}

TEST_CASE("of any number of ranks every core has one at most, and no socket more than one rank more than another") {
    for (const std::vector<std::uint32_t>& divisions :
         {Cores{2, 4, 8, 16}, Cores{2, 6}, Cores{3, 4}, Cores{4, 6, 24}}) {
        for (std::uint32_t ranks = 1; ranks <= 48; ++ranks) {
            CAPTURE(ranks);
            const Cores dealt = spread_order({48, divisions}, ranks);
            CHECK(std::set<std::uint32_t>(dealt.begin(), dealt.end()).size() == ranks);
            CHECK(*std::ranges::max_element(dealt) < 48);
            const std::vector<std::uint32_t> of_sockets = loads(dealt, 48, divisions.front());
            CHECK(*std::ranges::max_element(of_sockets) - *std::ranges::min_element(of_sockets) <= 1);
        }
    }
}

TEST_CASE("a scenario's list gives every rank its core") {
    const CoreRequest request{.listed = {{7}, {0}, {3}}};
    CHECK(cores_of({3, 1}, request, {8, {2}, 4}) == Cores{7, 0, 3});
}

// --- groups of cores with a block of the patch each ------------------------------------------------------------------

TEST_CASE("packed cores are numbered block by block, row by row within a block and from block to block") {
    CHECK(cores({4, 4}, kPack, {16, {4}, 4}) == Cores{0, 1, 4, 5,    //
                                                      2, 3, 6, 7,    //
                                                      8, 9, 12, 13,  //
                                                      10, 11, 14, 15});
    const Cores cube = cores({4, 2, 2}, kPack, {16, {2}, 2});
    CHECK(cube.at((1 * 2 + 0) * 4 + 1) == 4 + 1);                    // column 2, row 1, plane 2
    CHECK(cube.at((1 * 2 + 1) * 4 + 2) == 8 + 4 + 2);                // column 3, row 2, plane 2
    CHECK(cores({2, 2}, kPack, {16, {4}, 4}) == Cores{0, 1, 2, 3});  // one group has them all
}

TEST_CASE("spread ranks take the same cores in blocks, one for each group") {
    // four groups of 16 cores have four of the 16 ranks each, a block of 2 x 2
    CHECK(cores({4, 4}, kSpread, {64, {4}, 4}) == Cores{0, 1, 16, 17,    //
                                                        2, 3, 18, 19,    //
                                                        32, 33, 48, 49,  //
                                                        34, 35, 50, 51});
}

TEST_CASE("ranks that cannot be divided into blocks are dealt row by row") {
    CHECK(cores({3, 1}, kSpread, {8, {2}, 2}) == Cores{0, 4, 1});  // 3 ranks, 2 groups
    CHECK(block_of({3, 1}, kSpread, {8, {2}, 2}) == Patch{});
    CHECK(cores({2, 3}, kPack, {8, {2}, 2}) == Cores{0, 1, 2, 3, 4, 5});  // 4 do not divide 2 x 3
}

TEST_CASE("a block is as near to a square or cube as divides the patch, of two the wider") {
    CHECK(near_square(Patch{4, 4}, 4) == Patch{2, 2});
    CHECK(near_square(Patch{4, 4}, 8) == Patch{4, 2});
    CHECK(near_square(Patch{2, 8}, 8) == Patch{2, 4});
    CHECK(near_square(Patch{16, 1}, 4) == Patch{4, 1});
    CHECK(near_square(Patch{4, 4, 4}, 8) == Patch{2, 2, 2});
    CHECK(near_square(Patch{4, 4}, 16) == Patch{4, 4});
    CHECK(near_square(Patch{3, 3}, 4) == Patch{1, 1});
    CHECK(near_square(Patch{2, 1}, 4) == Patch{1, 1});
}

}  // namespace warpfront::machine
