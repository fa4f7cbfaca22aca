#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "simulator/machine/placement/rules.hpp"

namespace warpfront::machine {

TEST_CASE("a random order has every host once") {
    std::vector<Host> order = random_order(1000, {7}, Purpose::placement);
    std::vector<Host> all;
    for (std::uint32_t host = 0; host < 1000; ++host) all.push_back({host});
    CHECK(order != all);
    std::sort(order.begin(), order.end());
    CHECK(order == all);
}

TEST_CASE("a random order depends on seed and purpose, and on nothing else") {
    const auto order = random_order(1000, {7}, Purpose::placement);
    CHECK(random_order(1000, {7}, Purpose::placement) == order);
    CHECK(random_order(1000, {8}, Purpose::placement) != order);
    CHECK(random_order(1000, {7}, Purpose::taken_hosts) != order);
}

TEST_CASE("step k swaps position k with one from there on, drawn from the stream k") {
    std::vector<Host> expected{{0}, {1}, {2}};
    std::swap(expected[0], expected[Random({5}, Purpose::placement, 0, 0).below(3)]);
    std::swap(expected[1], expected[1 + Random({5}, Purpose::placement, 0, 1).below(2)]);
    CHECK(random_order(3, {5}, Purpose::placement) == expected);
}

TEST_CASE("every order of three hosts is equally likely") {
    // 6,000 seeds, 6 orders: 1,000 each, standard deviation sqrt(6,000 * 5 / 36) = 29; five of these are allowed
    std::array<int, 6> seen{};
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        const auto order = random_order(3, {seed}, Purpose::placement);
        ++seen[order[0].index * 2 + (order[1] > order[2] ? 1 : 0)];
    }
    for (const int count : seen) {
        CHECK(count > 1000 - 145);
        CHECK(count < 1000 + 145);
    }
}

TEST_CASE("a share of a quarter takes 6 of 24 hosts, and 6 of 25: a fraction of a host is free") {
    CHECK(count_free_hosts(24, {0.25}) == 18);
    CHECK(count_free_hosts(25, {0.25}) == 19);
    const std::vector<bool> taken = taken_hosts(25, {0.25}, {1});
    CHECK(std::count(taken.begin(), taken.end(), true) == 6);
    CHECK(taken_hosts(25, {0.25}, {1}) == taken);
    CHECK(taken_hosts(25, {0.25}, {2}) != taken);
}

TEST_CASE("without other jobs all hosts are free") {
    CHECK(count_free_hosts(24, {0.0}) == 24);
    CHECK(hosts_needed(24, {0.0}, 1000) == 24);
}

TEST_CASE("80 free hosts beside a share of a fifth need 100 hosts") { CHECK(hosts_needed(80, {0.2}, 1000) == 100); }

TEST_CASE("the hosts needed include the requested free ones at any share") {
    for (const double share : {0.1, 0.3, 0.5, 0.77, 0.99}) {
        for (std::uint64_t free = 1; free < 200; ++free) {
            const std::uint64_t hosts = hosts_needed(free, {share}, 1'000'000);
            CAPTURE(share);
            CAPTURE(free);
            REQUIRE(count_free_hosts(hosts, {share}) >= free);
            REQUIRE(static_cast<double>(hosts) <= static_cast<double>(free) / (1.0 - share) + 2.0);
        }
    }
}

TEST_CASE("a need beyond the maximum is the maximum plus one") {
    CHECK(hosts_needed(80, {0.2}, 99) == 100);
    CHECK(hosts_needed(80, {0.9999999999999999}, 1000) == 1001);
}

}  // namespace warpfront::machine
