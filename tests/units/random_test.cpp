#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "simulator/units/random.hpp"

using namespace warpfront;

// The known-answer vectors that its authors publish with Random123 (philox4x32, 10 rounds).
TEST_CASE("a zero counter with a zero key gives the published block") {
    CHECK(philox({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
}

TEST_CASE("all ones give the published block") {
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
          PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
}

TEST_CASE("the digits of pi give the published block") {
    CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream draws the halves of its blocks, whose counter is b, a, and the block over the purpose") {
    Random random{{0x299f31d0a4093822}, Purpose{2}, 7, 0x85a308d3243f6a88};
    const PhiloxKey key{0xa4093822, 0x299f31d0};
    const PhiloxCounter first = philox({0x243f6a88, 0x85a308d3, 7, 0x00002}, key);
    const PhiloxCounter second = philox({0x243f6a88, 0x85a308d3, 7, 0x10002}, key);
    CHECK(random.bits() == (std::uint64_t{first[1]} << 32 | first[0]));
    CHECK(random.bits() == (std::uint64_t{first[3]} << 32 | first[2]));
    CHECK(random.bits() == (std::uint64_t{second[1]} << 32 | second[0]));
}

TEST_CASE("the same name gives the same numbers, and each part of a name other ones") {
    const auto first = [](Seed seed, Purpose purpose, std::uint32_t a, std::uint64_t b) {
        return Random{seed, purpose, a, b}.bits();
    };
    const std::uint64_t one = first({1}, Purpose::placement, 2, 3);
    CHECK(first({1}, Purpose::placement, 2, 3) == one);
    CHECK(first({2}, Purpose::placement, 2, 3) != one);
    CHECK(first({1}, Purpose::taken_hosts, 2, 3) != one);
    CHECK(first({1}, Purpose::placement, 3, 3) != one);
    CHECK(first({1}, Purpose::placement, 2, 3 + (std::uint64_t{1} << 32)) != one);
}

TEST_CASE("a number from the unit interval is its bits' first 53 over 2^53") {
    const std::uint64_t bits = Random{{5}, Purpose::placement, 0, 0}.bits();
    CHECK(Random{{5}, Purpose::placement, 0, 0}.unit() * 0x1p53 == static_cast<double>(bits >> 11));
}

TEST_CASE("numbers from the unit interval lie in it, and half of them in either half") {
    // 10,000 fair coins: 5,000 heads with a standard deviation of sqrt(10,000 / 4) = 50; five of these are allowed.
    int upper = 0;
    for (std::uint32_t k = 0; k < 10'000; ++k) {
        const double drawn = Random{{1}, Purpose::placement, k, 0}.unit();
        REQUIRE(drawn >= 0.0);
        REQUIRE(drawn < 1.0);
        upper += drawn >= 0.5;
    }
    CHECK(upper > 5'000 - 250);
    CHECK(upper < 5'000 + 250);
}

TEST_CASE("a bounded number is below its bound, and each as likely") {
    // 6,000 throws of a die: 1,000 of each face with a standard deviation of sqrt(6,000 * 5 / 36) = 29.
    std::array<int, 6> faces{};
    for (std::uint32_t k = 0; k < 6'000; ++k) {
        const std::uint64_t drawn = Random{{1}, Purpose::taken_hosts, 0, k}.below(6);
        REQUIRE(drawn < 6);
        ++faces[drawn];
    }
    for (const int thrown : faces) {
        CHECK(thrown > 1'000 - 145);
        CHECK(thrown < 1'000 + 145);
    }
}

TEST_CASE("bits short of a whole number of bounds are drawn again") {
    // 2^64 mod (2^63 + 1) = 2^63 - 1: about every second draw is of these.
    const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
    const std::uint64_t left_over = bound - 2;
    for (std::uint32_t k = 0; k < 100; ++k) {
        Random same{{9}, Purpose::placement, k, 0};
        std::uint64_t expected = same.bits();
        while (expected < left_over) expected = same.bits();
        CHECK(Random{{9}, Purpose::placement, k, 0}.below(bound) == expected % bound);
    }
}

TEST_CASE("below one there is only zero") { CHECK(Random{{3}, Purpose::placement, 0, 0}.below(1) == 0); }
