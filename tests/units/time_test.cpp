#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "simulator/units/time.hpp"

using namespace warpfront;

TEST_CASE("seconds become the nearest picosecond, ties away from zero") {
    CHECK(from_seconds(0.414e-6) == Time{414'000});
    CHECK(from_seconds(1.4e-12) == Time{1});
    CHECK(from_seconds(1.5e-12) == Time{2});
    CHECK(from_seconds(2.5e-12) == Time{3});
    CHECK(from_seconds(0.0) == Time{0});
}

TEST_CASE("a value that is not a cost becomes no time") {
    CHECK_FALSE(from_seconds(-1e-12));
    CHECK_FALSE(from_seconds(std::numeric_limits<double>::quiet_NaN()));
    CHECK_FALSE(from_seconds(std::numeric_limits<double>::infinity()));
    CHECK_FALSE(from_seconds(1e300));
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

TEST_CASE("wide times add, subtract and compare") {
    CHECK(WideTime{5} + WideTime{7} == WideTime{12});
    CHECK(WideTime{5} - WideTime{7} == WideTime{-2});
    CHECK(WideTime{5} < WideTime{7});
}

TEST_CASE("a picosecond is 1e-12 seconds") {
    CHECK(seconds(Time{1'500'000'000'000}) == doctest::Approx(1.5).epsilon(1e-15));
    CHECK(seconds(WideTime{Wide{250'000'000'000}}) == doctest::Approx(0.25).epsilon(1e-15));
}
