#include "simulator/input/decimal.hpp"

#include <doctest/doctest.h>

using namespace warpfront::input;

TEST_CASE("a number ends where its unit begins, blanks or not") {
    for (const char* text : {"3.85us", " 3.85 us ", "3.85\tus"}) {
        CAPTURE(text);
        const auto number = number_with_unit(text);
        REQUIRE(number);
        CHECK(number->value == 3.85);
        CHECK(number->unit == "us");
    }
    CHECK(number_with_unit("-2")->value == -2.0);
    CHECK(number_with_unit("-2")->unit.empty());
    CHECK(number_with_unit("3 %")->unit == "%");
}

TEST_CASE("text that begins with no number is none") {
    for (const char* text : {"", " ", "us", "us 3", "+3us", "1e999"}) {
        CAPTURE(text);
        CHECK_FALSE(number_with_unit(text));
    }
}

TEST_CASE("the first `+-` parts a value from its deviation") {
    const auto figure = split_deviation(" 0.414us +- 0.01us ");
    REQUIRE(figure);
    CHECK(figure->value == "0.414us");
    CHECK(figure->deviation == "0.01us");
    CHECK(split_deviation("-3+-2")->value == "-3");
    CHECK(split_deviation("1 +- 2 +- 3")->deviation == "2 +- 3");
}

TEST_CASE("either side may be missing, the sign may not") {
    CHECK(split_deviation("+- 1us")->value.empty());
    CHECK(split_deviation("1us +-")->deviation.empty());
    CHECK_FALSE(split_deviation("0.414us"));
    CHECK_FALSE(split_deviation("3 + -2"));
}
