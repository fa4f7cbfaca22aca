#include <doctest/doctest.h>

#include "simulator/results/formatting.hpp"

using namespace warpfront;
using namespace warpfront::results;

TEST_CASE("a duration is shown in the largest unit that gives at least one") {
    CHECK(duration(Time{999}) == "999ps");
    CHECK(duration(Time{1'000}) == "1ns");
    CHECK(duration(Time{12'300'000}) == "12.3us");
    CHECK(duration(Time{5'000'000'000}) == "5ms");
    CHECK(duration(Time{7'500'000'000'000}) == "7.5s");
}

TEST_CASE("a duration has six significant digits") { CHECK(duration(Time{1'234'567'890'123}) == "1.23457s"); }

TEST_CASE("a duration above a million seconds is shown to the second") {
    CHECK(duration(WideTime{Wide{1'000'000'000'000} * 31'556'952}) == "31556952s");
}

TEST_CASE("beside an interval a duration has one unit and ends with the second digit of the half-width") {
    const RoundedDuration shown(Time{999'000'000'000}, 0.012);
    CHECK(shown(0.999) == "999ms");
    CHECK(shown(1.011) == "1011ms");
    CHECK(RoundedDuration(Time{1'234'000'000'000'000}, 250.0)(1234.0) == "1230s");
    CHECK(RoundedDuration(Time{1'234'567'890'000}, 0.0)(1.23456789) == "1.23457s");
}

TEST_CASE("no time is nought seconds") { CHECK(duration(Time{0}) == "0s"); }

TEST_CASE("digits are grouped by three") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(8'192) == "8,192");
    CHECK(grouped(123'456) == "123,456");
    CHECK(grouped(1'234'567) == "1,234,567");
}

TEST_CASE("a size is shown in the largest binary unit that gives at least one, with three digits") {
    CHECK(size(Bytes{0}) == "0 B");
    CHECK(size(Bytes{999}) == "999 B");
    CHECK(size(Bytes{1536}) == "1.5 KiB");
    CHECK(size(Bytes{std::int64_t{5} << 30}) == "5 GiB");
}

TEST_CASE("a size just below a unit is shown in that unit, never with four digits") {
    CHECK(size(Bytes{1023}) == "0.999 KiB");
}
