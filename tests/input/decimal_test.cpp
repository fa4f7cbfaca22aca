#include "simulator/input/decimal.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace warpfront::input;

TEST_CASE("numbers times a unit are exact where the product is whole") {
    // every n thousandths of a microsecond are n times 1000 ps
    for (int n = 1; n < 1000; ++n) {
        const std::string text = "0." + std::string(n < 10 ? "00" : n < 100 ? "0" : "") + std::to_string(n);
        CAPTURE(text);
        CHECK(scaled(read_decimal(text), 1e6L) == 1000.0L * static_cast<long double>(n));
    }
}

TEST_CASE("a number ends where its digits do") {
    CHECK(read_decimal("12us").length == 2);
    CHECK(read_decimal("1..4").length == 1);
    CHECK(read_decimal("1.5.2").length == 3);
    CHECK(read_decimal("2e3ps").length == 3);
    CHECK(read_decimal("2e-3s").length == 4);
    CHECK(read_decimal("2eggs").length == 1);
    CHECK(read_decimal("us").length == 0);
    CHECK(read_decimal(".5").length == 0);
}

TEST_CASE("only bare digits are whole") {
    CHECK(read_decimal("120").whole);
    CHECK(!read_decimal("120.0").whole);
    CHECK(!read_decimal("12e1").whole);
}

TEST_CASE("exponents of any size give zero or infinity, at once") {
    CHECK(scaled(read_decimal("1e-999999999999"), 1.0L) == 0.0L);
    CHECK(std::isinf(scaled(read_decimal("1e999999999999"), 1.0L)));
}
