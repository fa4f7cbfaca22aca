#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "simulator/machine/placement/rules.hpp"
#include "simulator/machine/placement/torus_folding.hpp"
#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

namespace {

using Dimensions = std::vector<std::uint32_t>;

/// Links between neighbours of a folded array.
struct Neighbours {
    std::uint64_t pairs = 0;
    std::uint64_t links = 0;
    std::uint32_t most = 0;
};

Neighbours neighbours(std::uint32_t columns, std::uint32_t rows, const Dimensions& dimensions) {
    const TorusRoutes torus{dimensions, Time{1}};
    const std::vector<Host> host_of = fold(columns, rows, dimensions);
    Neighbours sum;
    const auto count = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t links = torus.links(host_of[a], host_of[b]);
        ++sum.pairs;
        sum.links += links;
        sum.most = std::max(sum.most, links);
    };
    for (std::uint32_t y = 0; y < rows; ++y) {
        for (std::uint32_t x = 0; x < columns; ++x) {
            if (x + 1 < columns) count(y * columns + x, y * columns + x + 1);
            if (y + 1 < rows) count(y * columns + x, (y + 1) * columns + x);
        }
    }
    return sum;
}

/// Every patch has a host of its own, within the torus.
bool is_placement(std::uint32_t columns, std::uint32_t rows, const Dimensions& dimensions) {
    const std::vector<Host> host_of = fold(columns, rows, dimensions);
    const std::set<Host> distinct(host_of.begin(), host_of.end());
    return host_of.size() == std::size_t{columns} * rows && distinct.size() == host_of.size() &&
           distinct.rbegin()->index < hosts_of(dimensions);
}

}  // namespace

TEST_CASE("every patch is placed on a host of its own") {
    CHECK(is_placement(1, 1, {1, 1, 1}));
    CHECK(is_placement(4, 6, {4, 3, 2}));
    CHECK(is_placement(24, 1, {4, 3, 2}));
    CHECK(is_placement(5, 5, {5, 5}));
    CHECK(is_placement(3, 7, {21}));
    CHECK(is_placement(64, 64, {14, 18, 25}));
    CHECK(is_placement(90, 70, {14, 18, 25}));
    CHECK(is_placement(256, 256, {64, 32, 32}));
    CHECK(is_placement(6, 8, {3, 2, 4, 2}));
}

TEST_CASE("an array that no other folding holds is placed row after row along one path") {
    // 79 = 5.6 * 14 = 4.4 * 18 = 3.2 * 25: for any assignment, 6*5 > 25, 6*4 > 18, 5*4 > 14
    CHECK(is_placement(79, 79, {14, 18, 25}));
    const std::vector<Host> host_of = fold(79, 79, {14, 18, 25});
    const TorusRoutes torus{{14, 18, 25}, Time{1}};
    std::uint32_t most = 0;
    for (std::uint32_t x = 0; x < 78; ++x) most = std::max(most, torus.links(host_of[x], host_of[x + 1]));
    CHECK(most == 1);
}

TEST_CASE("a torus of many dimensions is filled too") { CHECK(is_placement(30, 30, Dimensions(10, 2))); }

TEST_CASE("neighbours are adjacent if rows fit one dimension and columns the others") {
    const Neighbours all = neighbours(14 * 25, 18, {14, 18, 25});
    CHECK(all.pairs == 349 * 18 + 350 * 17);
    CHECK(all.links == all.pairs);
}

TEST_CASE("neighbours are adjacent if the array is one of the torus' planes") {
    CHECK(neighbours(18, 14, {14, 18, 25}).most == 1);
    CHECK(neighbours(25, 18, {14, 18, 25}).most == 1);
}

TEST_CASE("adjacent patches of a single row are adjacent in the torus") {
    CHECK(neighbours(6300, 1, {14, 18, 25}).most == 1);
    CHECK(neighbours(1, 6300, {14, 18, 25}).most == 1);
}

TEST_CASE("neighbours are adjacent if only one axis folds") {
    // 20 columns fold twice over 10, 12 rows fit 12, 2 folds fit 3
    CHECK(neighbours(20, 12, {10, 12, 3}).most == 1);
}

TEST_CASE("64 x 64 patches on the XT4: only the turns of one axis are longer than one link") {
    // one axis folds 3 times over 25, the other 4 times over 18, 3 * 4 <= 14 layers; the second axis turns 3 times,
    // 64 pairs each time, and a turn passes the 3 folds of the first
    const Neighbours all = neighbours(64, 64, {14, 18, 25});
    const std::uint64_t pairs = 2 * 64 * 63;
    CHECK(all.pairs == pairs);
    CHECK(all.most <= 3);
    CHECK(all.links <= pairs + 3 * 64 * (3 - 1));
}

TEST_CASE("256 x 256 patches on the XT4 grown for them: turns of 4 links, 1.05 on average") {
    // 4 folds over 64 in one axis, 8 over 32 in the other, 4 * 8 = 32 layers; 7 turns of 256 pairs and 4 links
    const Dimensions grown = grow({14, 18, 25}, 256, 256);
    const Neighbours all = neighbours(256, 256, grown);
    CHECK(all.pairs == 2 * 256 * 255);
    CHECK(all.most <= 4);
    CHECK(static_cast<double>(all.links) <= 1.05 * static_cast<double>(all.pairs));
}

TEST_CASE("a torus grows to what holds the array, at most twice as long as wide") {
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> arrays{
        {80, 80}, {256, 256}, {257, 255}, {512, 128}, {1000, 1000}};
    for (const auto& [columns, rows] : arrays) {
        const Dimensions grown = grow({14, 18, 25}, columns, rows);
        CAPTURE(columns);
        REQUIRE(grown.size() == 3);
        CHECK(best_folding(columns, rows, grown).holds());
        CHECK(hosts_of(grown) <= 2 * std::uint64_t{columns} * rows);
        const auto [shortest, longest] = std::minmax_element(grown.begin(), grown.end());
        CHECK(*longest <= 2 * *shortest);
    }
}

TEST_CASE("65,536 nodes become 64 x 32 x 32, with no host to spare") {
    // of all with sides within a factor of two: 4 folds of 64, 8 of 32; fewer folds of one axis (3 of 86) need
    // 86/2 = 43 <= rows' side, so at most 5 folds of 52, 3 * 5 = 15 layers < 43
    CHECK(hosts_of(grow({14, 18, 25}, 256, 256)) == 65536);
    Dimensions sides = grow({14, 18, 25}, 256, 256);
    std::sort(sides.begin(), sides.end());
    CHECK(sides == Dimensions{32, 32, 64});
}

TEST_CASE("tori of other than three dimensions grow too") {
    CHECK(grow({8}, 10, 10) == Dimensions{100});
    CHECK(grow({5, 5}, 100, 20) == Dimensions{100, 20});
    const Dimensions four = grow({4, 4, 4, 4}, 100, 100);
    CHECK(four.size() == 4);
    CHECK(four[3] == 4);
    CHECK(hosts_of(four) >= 10'000);
}

TEST_CASE("a dimension beyond the third that is nearly the whole torus does not multiply it") {
    CHECK(hosts_of(grow({1, 1, 1, 1000}, 40, 40)) <= 2 * 40 * 40);
}

TEST_CASE("an array of one row grows a torus on which its neighbours are adjacent") {
    const Dimensions grown = grow({14, 18, 25}, 10'000, 1);
    CHECK(hosts_of(grown) >= 10'000);
    CHECK(neighbours(10'000, 1, grown).most == 1);
}

}  // namespace warpfront::machine
