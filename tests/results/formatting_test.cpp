// Numbers and nouns in text: significant digits without exponents, plurals.
#include "simulator/results/formatting.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::results;

TEST_CASE("significant digits have no exponent where the digits can be written out") {
    CHECK(significant(1936.4, 3) == "1940");
    CHECK(significant(999.6, 3) == "1000");
    CHECK(significant(12.345, 3) == "12.3");
    CHECK(significant(0.000123456, 3) == "0.000123");
    CHECK(significant(654321.4, 3) == "654000");
    CHECK(significant(6.9424e12, 4) == "6.942e+12");
    CHECK(significant(-1936.4, 3) == "-1940");
    CHECK(significant(0.0, 3) == "0");
    CHECK(significant(1.5e-9, 3) == "1.5e-09");
}

TEST_CASE("one of a noun is singular, of no and of several it is plural") {
    CHECK(counted(1, "node") == "1 node");
    CHECK(counted(0, "node") == "0 nodes");
    CHECK(counted(8192, "rank") == "8,192 ranks");
    CHECK(counted(2, "bus") == "2 buses");
    CHECK(plural("box") == "boxes");
    CHECK(plural("memory") == "memories");
    CHECK(plural("key") == "keys");
}
