// The division of nodes among partitions, each simulated by one thread. That results do not depend on it is shown by
// the properties and the campaign (tests/properties, tests/campaign).
#include "simulator/engine/parallel/division.hpp"
#include "simulator/engine/state/layout.hpp"
#include "tests/engine/shared.hpp"

using engine::Division;

namespace {

/// Every rank of an 8 x 8 grid sends to the rank `right` columns and `down` rows further, around the edges.
program::Program torus_shift(std::int32_t right, std::int32_t down) {
    constexpr std::int32_t columns = 8;
    constexpr std::int32_t rows = 8;
    return spmd({columns, rows}, 1, [&](Rank rank) {
        const auto index = static_cast<std::int32_t>(rank.index);
        const auto to = [&](std::int32_t by_columns, std::int32_t by_rows) {
            const std::int32_t column = (index % columns + by_columns + columns) % columns;
            const std::int32_t row = (index / columns + by_rows + rows) % rows;
            return row * columns + column - index;
        };
        ClassBuilder builder;
        builder.send(to(right, down), 8);
        builder.recv(to(-right, -down));
        return builder.build();
    });
}

/// Returns the partition of each row of eight nodes; 9 if its nodes are in several.
std::vector<int> partitions_of_rows(const Division& division) {
    std::vector<int> rows;
    for (std::uint32_t row = 0; row < 8; ++row) {
        const int first = division.partition_of[Node{8 * row}];
        bool together = true;
        for (std::uint32_t k = 1; k < 8; ++k) together = together && division.partition_of[Node{8 * row + k}] == first;
        rows.push_back(together ? first : 9);
    }
    return rows;
}

Division divided(const program::Program& program, std::size_t count) {
    return engine::divide(engine::lay_out(program, crowded_torus(program.grid, {1, 1})).layout, count);
}

}  // namespace

TEST_CASE("nodes whose messages share links are in one partition") {
    // The routes of two hops to the right share links within a row; those of neighbouring rows share none.
    const Division division = divided(torus_shift(2, 0), 2);
    CHECK(division.keeps_groups);
    CHECK(partitions_of_rows(division) == std::vector{0, 1, 0, 1, 0, 1, 0, 1});
}

TEST_CASE("messages that leave a row by links of their own do not join it to the next") {
    // Two hops to the right, then one down the column of the receiver, which no other row's message uses.
    CHECK(divided(torus_shift(2, 1), 2).keeps_groups);
}

TEST_CASE("three partitions have eight rows as evenly as rows allow") {
    CHECK(partitions_of_rows(divided(torus_shift(2, 0), 3)) == std::vector{0, 1, 2, 0, 1, 2, 0, 1});
}

TEST_CASE("a group is divided if partitions would be uneven") {
    SUBCASE("two hops down a column join all rows") {
        const Division division = divided(torus_shift(2, 2), 2);
        CHECK_FALSE(division.keeps_groups);
    }
    SUBCASE("six partitions of eight rows, of which two have two rows") {
        // The largest have 16 nodes. Five partitions have 64 / 5 = 12.8 in the mean, and 16 = 1.25 * 12.8; six have
        // 64 / 6 = 10.7, and 16 = 1.5 * 10.7.
        CHECK(divided(torus_shift(2, 0), 5).keeps_groups);
        CHECK_FALSE(divided(torus_shift(2, 0), 6).keeps_groups);
    }
}

TEST_CASE("nodes without shared links are divided in eight stripes for each partition") {
    // 64 nodes in 16 stripes of four nodes each, in turns.
    const Division division = divided(torus_shift(1, 0), 2);
    CHECK_FALSE(division.keeps_groups);
    for (std::uint32_t node = 0; node < 64; ++node) CHECK(division.partition_of[Node{node}] == node / 4 % 2);
}
