// Systems of linear equations solved exactly.
#include "tools/study/regression/rational.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::regression;

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
