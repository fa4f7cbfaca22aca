// Exact fits over the rationals.
#include "tools/from_code/kernels/polynomials.hpp"

#include <doctest/doctest.h>

using namespace warpfront::kernels;

namespace {

const std::vector<std::string> kNames{"i", "j"};

}  // namespace

TEST_CASE("products of parameters up to their degrees") {
    const std::vector<unsigned> degrees{2, 1};
    std::vector<std::string> texts;
    for (const Exponents& product : products(degrees)) texts.push_back(text_of(product, kNames, " * "));
    CHECK(texts == std::vector<std::string>{"", "i", "i^2", "j", "i * j", "i^2 * j"});
    CHECK(value_of({2, 1}, {3, 5}) == 45);
}

TEST_CASE("a system is solved exactly, with fractions where they are") {
    // y = 5 + x / 3 from x = 1, 2, and not from three that lie on no line
    const std::vector<std::vector<Rational>> rows{{1, 1}, {1, 2}, {1, 3}};
    const std::vector<std::vector<Rational>> ys{{Rational(16, 3), Rational(17, 3), 6}, {1, 2, 4}};
    const auto solutions = solve(rows, ys);
    REQUIRE(solutions[0].has_value());
    CHECK(*solutions[0] == std::vector<Rational>{5, Rational(1, 3)});
    CHECK_FALSE(solutions[1].has_value());
}

TEST_CASE("a column that depends on others gets nothing") {
    const auto solutions = solve({{1, 2}, {2, 4}}, std::vector<std::vector<Rational>>{{3, 6}});
    REQUIRE(solutions[0].has_value());
    CHECK(*solutions[0] == std::vector<Rational>{3, 0});
}

TEST_CASE("a polynomial is written from its lowest degree on") {
    const std::vector<Exponents> all{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    CHECK(text_of(std::vector<Rational>{94, 0, -3, Rational(1, 4)}, all, kNames) == "94 - 3 j + 1/4 i j");
    CHECK(text_of(std::vector<Rational>{0, 1, 0, 0}, all, kNames) == "i");
    CHECK(text_of(std::vector<Rational>{0, 0, 0, 0}, all, kNames) == "0");
    CHECK(text_of(Rational(-1, 4)) == "-1 / 4");
}
