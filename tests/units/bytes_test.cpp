#include <doctest/doctest.h>

#include "simulator/units/bytes.hpp"

using namespace warpfront;

TEST_CASE("a message costs its size times the gap, rounded once") {
    CHECK(cost_of(Bytes{1000}, Gap{0.4e-9}) == Time{400'000});  // 1000 B * 400 ps/B
    CHECK(cost_of(Bytes{3}, Gap{0.5e-12}) == Time{2});          // 1.5 ps; rounded per byte it would be 3 ps
}

TEST_CASE("nothing to send costs nothing") { CHECK(cost_of(Bytes{0}, Gap{1.0}) == Time{0}); }

TEST_CASE("a cost beyond the longest cost is refused") { CHECK_FALSE(cost_of(Bytes{1'000'000'000}, Gap{1.0})); }

TEST_CASE("sizes add and compare") {
    CHECK(Bytes{3} + Bytes{4} == Bytes{7});
    CHECK(Bytes{3} < Bytes{4});
}
