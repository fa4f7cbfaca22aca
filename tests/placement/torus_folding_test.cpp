
#include "simulator/machine/placement/torus_folding.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "tests/preamble.hpp"

namespace warpfront::machine {

namespace {

using Dimensions = std::vector<std::uint32_t>;

/// The distances in links between neighbours of a folded process grid.
struct Neighbours {
    std::uint64_t pairs = 0;
    std::uint64_t links = 0;
    std::uint32_t most = 0;
};

Neighbours neighbours(const Extents& array, const Dimensions& dimensions) {
    const TorusRoutes torus{dimensions, Time{1}};
    const std::vector<Host> host_of = fold(array, dimensions);
    Neighbours sum;
    const auto count = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t links = torus.links(host_of[a], host_of[b]);
        ++sum.pairs;
        sum.links += links;
        sum.most = std::max(sum.most, links);
    };
    const std::uint32_t plane = array.columns * array.rows;
    for (std::uint32_t node = 0; node < plane * array.planes; ++node) {
        if (node % array.columns + 1 < array.columns) count(node, node + 1);
        if (node / array.columns % array.rows + 1 < array.rows) count(node, node + array.columns);
        if (node / plane + 1 < array.planes) count(node, node + plane);
    }
    return sum;
}

/// Returns true if every patch has its own host, within the torus.
bool is_placement(const Extents& array, const Dimensions& dimensions) {
    const std::vector<Host> host_of = fold(array, dimensions);
    const std::set<Host> distinct(host_of.begin(), host_of.end());
    return host_of.size() == array.count() && distinct.size() == host_of.size() &&
           distinct.rbegin()->index < hosts_of(dimensions);
}

}  // namespace

TEST_CASE("every patch is placed on a host of its own, in any number of dimensions of array and torus") {
    const std::vector<std::pair<Extents, Dimensions>> cases{{{1, 1}, {1, 1, 1}},
                                                            {{4, 6}, {4, 3, 2}},
                                                            {{24, 1}, {4, 3, 2}},
                                                            {{5, 5}, {5, 5}},
                                                            {{3, 7}, {21}},
                                                            {{64, 64}, {14, 18, 25}},
                                                            {{90, 70}, {14, 18, 25}},
                                                            {{256, 256}, {64, 32, 32}},
                                                            {{6, 8}, {3, 2, 4, 2}},
                                                            {{30, 30}, Dimensions(10, 2)},
                                                            {{16, 16, 16}, {14, 18, 25}},
                                                            {{10, 20, 30}, {14, 18, 25}},
                                                            {{3, 7, 2}, {42}},
                                                            {{5, 5, 5}, {11, 12}},
                                                            {{8, 8, 16}, Dimensions(10, 2)}};
    for (const auto& [array, torus] : cases) {
        CAPTURE(as_text(array));
        CHECK(is_placement(array, torus));
    }
}

TEST_CASE("an array that no other folding holds is placed row after row along one path") {
    // 79 = 5.6 * 14 = 4.4 * 18 = 3.2 * 25: for any assignment, 6*5 > 25, 6*4 > 18, 5*4 > 14
    CHECK(is_placement({79, 79}, {14, 18, 25}));
    const std::vector<Host> host_of = fold({79, 79}, {14, 18, 25});
    const TorusRoutes torus{{14, 18, 25}, Time{1}};
    std::uint32_t most = 0;
    for (std::uint32_t x = 0; x < 78; ++x) most = std::max(most, torus.links(host_of[x], host_of[x + 1]));
    CHECK(most == 1);
}

TEST_CASE("neighbours are adjacent if rows fit one dimension and columns the others, or only one axis folds") {
    const Neighbours all = neighbours({14 * 25, 18}, {14, 18, 25});
    CHECK(all.pairs == 349 * 18 + 350 * 17);
    CHECK(all.links == all.pairs);
    for (const Extents& array : {Extents{18, 14}, Extents{25, 18}, Extents{6300, 1}, Extents{1, 6300}}) {
        CAPTURE(as_text(array));
        CHECK(neighbours(array, {14, 18, 25}).most == 1);  // a plane of the torus, or a single row or column
    }
    CHECK(neighbours({20, 12}, {10, 12, 3}).most == 1);  // 20 columns fold twice over 10, 12 rows fit 12, 2 folds fit 3
}

TEST_CASE("the first fold runs in the direction of its dimension, the second against it") {
    // 6 columns fold twice over 3, 4 rows fit 4, 2 folds fit 2: columns 0 to 2 are at positions 0 to 2 of layer 0, and
    // columns 3 to 5 at positions 2 to 0 of layer 1. A row has 3 hosts, a layer 3 * 4 = 12.
    const std::vector<Host> host_of = fold({6, 4}, {3, 4, 2});
    const std::vector<std::uint32_t> of_row{0, 1, 2, 12 + 2, 12 + 1, 12 + 0};
    for (std::uint32_t node = 0; node < 6 * 4; ++node) {
        CAPTURE(node);
        CHECK(host_of[node] == Host{of_row[node % 6] + node / 6 * 3});
    }
}

TEST_CASE("64 x 64 patches on the XT4: only the turns of one axis are longer than one link") {
    // one axis folds 3 times over 25, the other 4 times over 18, 3 * 4 <= 14 layers; the second axis turns 3 times,
    // 64 pairs each time, and a turn passes the 3 folds of the first
    const Neighbours all = neighbours({64, 64}, {14, 18, 25});
    const std::uint64_t pairs = 2 * 64 * 63;
    CHECK(all.pairs == pairs);
    CHECK(all.most <= 3);
    CHECK(all.links <= pairs + 3 * 64 * (3 - 1));
}

TEST_CASE("256 x 256 patches on the XT4 grown for them: turns of 4 links, 1.05 on average") {
    // 4 folds over 64 in one axis, 8 over 32 in the other, 4 * 8 = 32 layers; 7 turns of 256 pairs and 4 links
    const Dimensions grown = grow({14, 18, 25}, {256, 256});
    const Neighbours all = neighbours({256, 256}, grown);
    CHECK(all.pairs == 2 * 256 * 255);
    CHECK(all.most <= 4);
    CHECK(static_cast<double>(all.links) <= 1.05 * static_cast<double>(all.pairs));
}

TEST_CASE("an array of three dimensions whose sides fit those of the torus is placed as it is") {
    for (const Extents& array : {Extents{14, 18, 25}, Extents{8, 16, 16}, Extents{16, 8, 16}, Extents{25, 14, 18}}) {
        CAPTURE(array.columns);
        const Neighbours all = neighbours(array, {14, 18, 25});
        CHECK(all.links == all.pairs);
        CHECK(is_placement(array, {14, 18, 25}));
    }
}

TEST_CASE("planes may lie within one dimension of a flat torus, or follow each other in another") {
    // columns on the first dimension; planes are 3 folds, rows 4 around them, in 12 layers: rows are 3 links apart
    const Neighbours flat = neighbours({8, 4, 3}, {8, 12});
    CHECK(flat.pairs == 7 * 4 * 3 + 8 * 3 * 3 + 8 * 4 * 2);
    CHECK(flat.most == 3);
    CHECK(neighbours({8, 4, 3}, {8, 4, 3, 5}).most == 1);
    // a side of 8 over two dimensions, 4 x 2
    CHECK(neighbours({8, 3, 5}, {4, 3, 5, 2}).most == 1);
}

TEST_CASE("a cube with one side too long for the torus keeps neighbours adjacent along the two others") {
    // rows on the dimension of 18; columns are 16 folds, planes 16 around them, in 14 * 25 layers: at most 16 links
    // apart
    const Neighbours all = neighbours({16, 16, 16}, {14, 18, 25});
    CHECK(all.pairs == 3 * 15 * 16 * 16);
    CHECK(all.most <= 16);
    CHECK(all.links <= (1 + 1 + 16) * all.pairs / 3);
}

TEST_CASE("a torus grows to the shape of an array of three dimensions if its sides are within a factor of two") {
    CHECK(grow({14, 18, 25}, {32, 16, 16}) == Dimensions{32, 16, 16});
    CHECK(grow({14, 18, 25}, {20, 20, 20}) == Dimensions{20, 20, 20});
    CHECK(grow({14, 18, 25}, {17, 23, 31}) == Dimensions{17, 23, 31});
    CHECK(neighbours({17, 23, 31}, {17, 23, 31}).most == 1);
}

TEST_CASE("the long side of an elongated array is folded into another dimension, whichever it is") {
    // 128 in f folds, 16 and 16: 128/f x 16 x 16f, of which f = 3 is the least elongated, 43 x 16 x 48 (2: 64, 4: 64)
    for (const Extents& array : {Extents{128, 16, 16}, Extents{16, 128, 16}, Extents{16, 16, 128}}) {
        CAPTURE(as_text(array));
        Dimensions grown = grow({14, 18, 25}, array);
        CHECK(is_placement(array, grown));
        CHECK(neighbours(array, grown).most <= 3);
        std::sort(grown.begin(), grown.end());
        CHECK(grown == Dimensions{16, 43, 48});
    }
}

TEST_CASE("tori of one and two dimensions grow to hold planes") {
    CHECK(grow({8}, {3, 4, 5}) == Dimensions{60});
    CHECK(grow({5, 5}, {3, 8, 5}) == Dimensions{8, 15});
    CHECK(is_placement({3, 8, 5}, {8, 15}));
    CHECK(grow({2, 2, 2}, {2, 2, 300}).size() == 3);  // more planes than the square root of the nodes
}

TEST_CASE("a torus grows to what holds the array, at most twice as long as wide") {
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> arrays{
        {80, 80}, {256, 256}, {257, 255}, {512, 128}, {1000, 1000}};
    for (const auto& [columns, rows] : arrays) {
        const Dimensions grown = grow({14, 18, 25}, {columns, rows});
        CAPTURE(columns);
        REQUIRE(grown.size() == 3);
        CHECK(best_folding({columns, rows}, grown).holds());
        CHECK(hosts_of(grown) <= 2 * std::uint64_t{columns} * rows);
        const auto [shortest, longest] = std::minmax_element(grown.begin(), grown.end());
        CHECK(*longest <= 2 * *shortest);
    }
}

TEST_CASE("65,536 nodes become 64 x 32 x 32, with no host to spare") {
    // of all with sides within a factor of two: 4 folds of 64, 8 of 32; fewer folds of one axis (3 of 86) need
    // 86/2 = 43 <= rows' side, so at most 5 folds of 52, 3 * 5 = 15 layers < 43
    CHECK(hosts_of(grow({14, 18, 25}, {256, 256})) == 65536);
    Dimensions sides = grow({14, 18, 25}, {256, 256});
    std::sort(sides.begin(), sides.end());
    CHECK(sides == Dimensions{32, 32, 64});
}

TEST_CASE("tori of other than three dimensions grow too") {
    CHECK(grow({8}, {10, 10}) == Dimensions{100});
    // 100 columns in f folds: 100/f x 20f; without folds it is five times as long as wide
    CHECK(grow({5, 5}, {100, 20}) == Dimensions{50, 40});
    CHECK(grow({5, 5}, {20, 30}) == Dimensions{20, 30});
    const Dimensions four = grow({4, 4, 4, 4}, {100, 100});
    CHECK(four.size() == 4);
    CHECK(four[3] == 4);
    CHECK(hosts_of(four) >= 10'000);
}

TEST_CASE("a dimension beyond the third that is nearly the whole torus does not multiply it") {
    CHECK(hosts_of(grow({1, 1, 1, 1000}, {40, 40})) <= 2 * 40 * 40);
}

TEST_CASE("an array of one row grows a torus on which its neighbours are adjacent") {
    const Dimensions grown = grow({14, 18, 25}, {10'000, 1});
    CHECK(hosts_of(grown) >= 10'000);
    CHECK(neighbours({10'000, 1}, grown).most == 1);
}

TEST_CASE("a torus for an array of one row is as compact as for a square") {
    CHECK(grow({8, 8, 8}, {1000, 1}) == Dimensions{10, 10, 10});
    CHECK(grow({8, 8, 8}, {1, 1000}) == Dimensions{10, 10, 10});
    CHECK(grow({4, 4}, {1000, 1}) == Dimensions{40, 25});  // the least hosts: 44 x 23 has 1012
    CHECK(grow({4, 4}, {1, 64}) == Dimensions{8, 8});
    CHECK(grow({2, 2, 2}, {1, 1, 64}) == Dimensions{4, 4, 4});
    CHECK(neighbours({1000, 1}, {10, 10, 10}).most == 1);
    CHECK(neighbours({1000, 1}, {40, 25}).most == 1);
}

TEST_CASE("an array of few rows grows a torus at most twice as long as wide") {
    for (const Dimensions& original : {Dimensions{4, 4}, Dimensions{2, 2, 2}}) {
        for (const Extents& array : {Extents{512, 2}, Extents{3, 300}, Extents{17, 1}, Extents{64, 4}}) {
            CAPTURE(as_text(array));
            const Dimensions grown = grow(original, array);
            const auto [shortest, longest] = std::minmax_element(grown.begin(), grown.end());
            CHECK(*longest <= 2 * *shortest);
            CHECK(hosts_of(grown) <= 2 * array.count());
            CHECK(is_placement(array, grown));
        }
    }
}

}  // namespace warpfront::machine
