// Not pinned here: the notation of quantities (tests/input) and their output (tests/results); draws from the generator
// (tests/variation, tests/placement).
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"
#include "tests/approx.hpp"

TEST_CASE("seconds become the nearest picosecond, ties away from zero; what is not a cost becomes no time") {
    CHECK(from_seconds(0.414e-6) == Time{414'000});
    CHECK(from_seconds(1.4e-12) == Time{1});
    CHECK(from_seconds(1.5e-12) == Time{2});
    CHECK(from_seconds(2.5e-12) == Time{3});
    CHECK(from_seconds(0.0) == Time{0});
    using Limits = std::numeric_limits<double>;
    for (const double none : {-1e-12, Limits::quiet_NaN(), Limits::infinity(), 1e300}) CHECK_FALSE(from_seconds(none));
}

TEST_CASE("the longest cost is 2^59 picoseconds, 6.7 days") {
    CHECK(kLongestCost.ps == 576'460'752'303'423'488);
    CHECK(from_seconds(576'460.0) == Time{576'460'000'000'000'000});
    CHECK_FALSE(from_seconds(576'461.0));
}

TEST_CASE("a clock at the horizon plus a few of the longest costs does not wrap") {
    const Wide sum = Wide{kHorizon.ps} + 3 * Wide{kLongestCost.ps};  // 2^62 + 3 * 2^59 < 2^63
    CHECK(sum <= Wide{std::numeric_limits<std::int64_t>::max()});
}

TEST_CASE("times add, subtract, scale and compare as their picoseconds do") {
    CHECK(Time{5} + Time{7} == Time{12});
    CHECK(Time{5} - Time{7} == Time{-2});
    CHECK(Time{5} * 3 == Time{15});
    CHECK(Time{5} < Time{7});
    Time clock{5};
    clock += Time{7};
    clock -= Time{2};
    CHECK(clock == Time{10});
}

TEST_CASE("wide times hold what 64 bits cannot: a thousand times the horizon") {
    WideTime total;
    for (int at = 0; at < 1000; ++at) total += kHorizon;
    CHECK(total.ps / 1000 == Wide{kHorizon.ps});
    CHECK(total > WideTime{Time{std::numeric_limits<std::int64_t>::max()}});
}

TEST_CASE("a picosecond is 1e-12 seconds") {
    CHECK(seconds(Time{1'500'000'000'000}) == test::approx(1.5).epsilon(1e-15));
    CHECK(seconds(WideTime{Wide{250'000'000'000}}) == test::approx(0.25).epsilon(1e-15));
}

TEST_CASE("a message costs its size times the gap, rounded once, at most the longest cost") {
    CHECK(cost_of(Bytes{1000}, Gap{0.4e-9}) == Time{400'000});  // 1000 B * 400 ps/B
    CHECK(cost_of(Bytes{3}, Gap{0.5e-12}) == Time{2});          // 1.5 ps; rounded per byte it would be 3 ps
    CHECK(cost_of(Bytes{0}, Gap{1.0}) == Time{0});
    CHECK_FALSE(cost_of(Bytes{1'000'000'000}, Gap{1.0}));
}

TEST_CASE("ranks are numbered along a row first, from the north west, and their columns and rows lead back") {
    const RankGrid grid{4, 3};
    CHECK(grid.at(1, 1) == Rank{0});
    CHECK(grid.at(4, 1) == Rank{3});
    CHECK(grid.at(1, 2) == Rank{4});
    CHECK(grid.at(4, 3) == Rank{11});
    for (std::uint32_t rank = 0; rank < 12; ++rank) CHECK(grid.at(grid.column({rank}), grid.row({rank})) == Rank{rank});
    CHECK(RankGrid{65536, 65536}.ranks() == std::uint64_t{1} << 32);  // without wrapping
}

// The known-answer vectors that the authors of Random123 publish with it (philox4x32, 10 rounds).
TEST_CASE("counters and keys of zeros, of ones and of the digits of pi give the published blocks") {
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(philox({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
          PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
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
    CHECK(Random{{3}, Purpose::placement, 0, 0}.below(1) == 0);
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
