// Two terms by weighted least squares, by hand.
#include "tools/study/regression/least_squares.hpp"

#include "tests/approx.hpp"
#include "tools/study/regression/robust.hpp"

using namespace warpfront::regression;

TEST_CASE("samples on a line give the line, weighted or not, and no squares are left") {
    // T = 2 + 3 S at S = 0, 1, 4
    TwoTerms sums;
    for (const double size : {0.0, 1.0, 4.0}) sums.add(1.0 / (2.0 + 3.0 * size), size / (2.0 + 3.0 * size), 1.0 + size);
    CHECK(sums.values().a == warpfront::test::approx(2.0));
    CHECK(sums.values().b == warpfront::test::approx(3.0));
    CHECK(sums.squares(sums.values()) == warpfront::test::approx(0.0));
    CHECK(sums.squares({0.0, 0.0}) == warpfront::test::approx(1.0 + 2.0 + 5.0));
}

TEST_CASE("a term that would be negative is 0, and the other is fitted alone") {
    TwoTerms falls;
    falls.add(1.0, 0.0);
    falls.add(2.0, 1.0);
    CHECK(falls.values().b == warpfront::test::approx(-1.0));
    CHECK(falls.non_negative().b == 0.0);
    CHECK(falls.non_negative().a == warpfront::test::approx(3.0 / 5.0));  // least squares of a - 1 and 2 a - 1
    TwoTerms same;
    same.add(1.0, 2.0);
    same.add(2.0, 4.0);
    CHECK(same.values().b == 0.0);
}

TEST_CASE("a value far off does not change a robust deviation") {
    CHECK(robust_deviation({1.0, 1.0, 1.0, 50.0}) == warpfront::test::approx(1.4826));
    CHECK(median_of(std::vector<double>{}) == 0.0);
    CHECK(median_of(std::vector{4.0, 1.0, 3.0, 2.0}) == 2.5);
}
