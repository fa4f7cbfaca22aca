#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "simulator/machine/placement/host_allocation.hpp"

namespace warpfront::machine {

TEST_CASE("a random order has every host once") {
    std::vector<std::uint32_t> order = random_order(1000, {7}, Purpose::placement);
    std::vector<std::uint32_t> all(1000);
    std::iota(all.begin(), all.end(), 0U);
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
    std::vector<std::uint32_t> expected{0, 1, 2};
    std::swap(expected[0], expected[Random({5}, Purpose::placement, 0, 0).below(3)]);
    std::swap(expected[1], expected[1 + Random({5}, Purpose::placement, 0, 1).below(2)]);
    CHECK(random_order(3, {5}, Purpose::placement) == expected);
}

TEST_CASE("every order of three hosts is as likely") {
    // 6,000 seeds, 6 orders: 1,000 each, standard deviation sqrt(6,000 * 5 / 36) = 29; five of these are allowed
    std::array<int, 6> seen{};
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        const auto order = random_order(3, {seed}, Purpose::placement);
        ++seen[order[0] * 2 + (order[1] > order[2] ? 1 : 0)];
    }
    for (const int count : seen) {
        CHECK(count > 1000 - 145);
        CHECK(count < 1000 + 145);
    }
}

TEST_CASE("of 24 hosts a share of a quarter takes 6, of 25 as well: what is no whole host is free") {
    CHECK(free_hosts(24, {0.25}) == 18);
    CHECK(free_hosts(25, {0.25}) == 19);
    const std::vector<bool> taken = taken_hosts(25, {0.25}, {1});
    CHECK(std::count(taken.begin(), taken.end(), true) == 6);
    CHECK(taken_hosts(25, {0.25}, {1}) == taken);
    CHECK(taken_hosts(25, {0.25}, {2}) != taken);
}

TEST_CASE("where nobody else is, all hosts are free") {
    CHECK(free_hosts(24, {0.0}) == 24);
    CHECK(hosts_to_have(24, {0.0}, 1000) == 24);
}

TEST_CASE("to have 80 free hosts beside a share of a fifth takes 100") { CHECK(hosts_to_have(80, {0.2}, 1000) == 100); }

TEST_CASE("the hosts needed have the free ones asked for, whatever the share") {
    for (const double share : {0.1, 0.3, 0.5, 0.77, 0.99}) {
        for (std::uint64_t free = 1; free < 200; ++free) {
            const std::uint64_t hosts = hosts_to_have(free, {share}, 1'000'000);
            CAPTURE(share);
            CAPTURE(free);
            REQUIRE(free_hosts(hosts, {share}) >= free);
            REQUIRE(static_cast<double>(hosts) <= static_cast<double>(free) / (1.0 - share) + 2.0);
        }
    }
}

TEST_CASE("more hosts than may be are one more than that") {
    CHECK(hosts_to_have(80, {0.2}, 99) == 100);
    CHECK(hosts_to_have(80, {0.9999999999999999}, 1000) == 1001);
}

}  // namespace warpfront::machine
