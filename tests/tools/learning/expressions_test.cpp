// Integers as expressions of the process grid and the parameters, and the parameter that a refused one lacks.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "tools/from_code/learning/expressions.hpp"

using namespace warpfront;
using learning::Values;

namespace {

const learning::Variables kVariables{{"columns", "rows", "planes", "column", "row", "plane", "x", "y", "z"}};
constexpr std::uint32_t kParameter = learning::Variables::kParameters;

/// Runs of one rank with these x, y and z.
std::vector<Values> runs_with(const std::vector<std::array<std::int64_t, 3>>& parameters) {
    std::vector<Values> runs;
    for (const auto& [x, y, z] : parameters) runs.push_back({3, 4, 1, 2, 2, 1, x, y, z});
    return runs;
}

std::vector<learning::Sample> samples_of(const std::vector<Values>& runs,
                                         const std::function<std::int64_t(const Values&)>& number) {
    std::vector<learning::Sample> samples;
    for (const Values& run : runs) samples.push_back({&run, number(run)});
    return samples;
}

std::int64_t value_at(const learning::Expression& expression, std::int64_t x, std::int64_t y, std::int64_t z) {
    return learning::value_of(expression, runs_with({{x, y, z}}).front());
}

}  // namespace

TEST_CASE("the points of a square of cells are found from three runs") {
    const std::vector<Values> runs = runs_with({{20, 24, 16}, {23, 19, 21}, {16, 30, 13}});
    const auto found = learning::integer(
        samples_of(runs, [](const Values& run) { return 8 * (run[kParameter] + 1) * (run[kParameter] + 1); }),
        kVariables);
    REQUIRE(found);
    CHECK(value_at(found->expression, 40, 7, 9) == 8 * 41 * 41);
    CHECK(value_at(found->expression, 41, 70, 90) == 8 * 42 * 42);
}

TEST_CASE("a number plus one stays a sum") {
    const std::vector<Values> runs = runs_with({{20, 24, 16}, {23, 19, 21}, {16, 30, 13}});
    const auto found =
        learning::integer(samples_of(runs, [](const Values& run) { return run[kParameter] + 1; }), kVariables);
    REQUIRE(found);
    CHECK(found->expression.constant == 1);
    REQUIRE(found->expression.terms.size() == 1);
    CHECK(found->expression.terms.front().atoms ==
          std::vector{learning::Atom{learning::Atom::Rule::variable, kParameter}});
}

TEST_CASE("a product of three parameters less one is found from three runs") {
    const std::vector<Values> runs = runs_with({{20, 24, 16}, {23, 19, 21}, {16, 30, 13}});
    const auto found = learning::integer(
        samples_of(runs,
                   [](const Values& run) { return run[kParameter] * run[kParameter + 1] * run[kParameter + 2] - 1; }),
        kVariables);
    REQUIRE(found);
    CHECK(value_at(found->expression, 40, 7, 9) == 40 * 7 * 9 - 1);
}

TEST_CASE(
    "a line through the numbers of two process grids is no expression, since a line passes through any two points") {
    // A size with which the code was compiled: 9 for three columns, 7 for four.
    const std::vector<Values> runs{{3, 3, 1, 1, 1, 1, 20, 10, 1},
                                   {3, 3, 1, 1, 1, 1, 24, 8, 1},
                                   {4, 4, 1, 1, 1, 1, 21, 10, 1},
                                   {4, 4, 1, 1, 1, 1, 25, 9, 1}};
    const auto compiled = [](const Values& run) { return run[0] == 3 ? 19'440 : 11'760; };
    CHECK_FALSE(learning::integer(samples_of(runs, compiled), kVariables));
    // One of the two numbers is given.
    const auto less = learning::integer(samples_of(runs, [](const Values& run) { return run[0] + 90; }), kVariables);
    REQUIRE(less);
    CHECK(less->expression.constant == 90);
}

TEST_CASE("an alltoall of complex numbers is found from three runs, and no share of the number of iterations") {
    learning::Variables variables = kVariables;
    variables.names.emplace_back("steps");
    const std::vector<Values> runs{
        {4, 1, 1, 1, 1, 1, 64, 64, 64, 6}, {8, 1, 1, 1, 1, 1, 64, 64, 64, 6}, {4, 1, 1, 1, 1, 1, 128, 128, 32, 6}};
    const auto bytes = [](const Values& run) {
        return 16 * run[kParameter] * run[kParameter + 1] / run[0] * run[kParameter + 2] / run[0];
    };
    const auto found = learning::integer(samples_of(runs, bytes), variables, {kParameter + 3});
    REQUIRE(found);
    CHECK(learning::value_of(found->expression, {16, 1, 1, 1, 1, 1, 64, 64, 64, 9}) == 16 * 64 * 4 * 4);
}

TEST_CASE("a product of three is more likely than a number plus a constant that meets three runs by chance") {
    learning::Variables variables = kVariables;
    variables.names.emplace_back("w");
    std::vector<Values> runs = runs_with({{13, 17, 19}, {16, 23, 14}, {11, 29, 25}});
    const auto product = [](const Values& run) { return run[kParameter] * run[kParameter + 1] * run[kParameter + 2]; };
    for (Values& run : runs) run.push_back(product(run) - 1515);
    const auto found = learning::integer(samples_of(runs, product), variables);
    REQUIRE(found);
    CHECK(learning::value_of(found->expression, {3, 4, 1, 2, 2, 1, 40, 7, 9, 1000}) == 40 * 7 * 9);
}

TEST_CASE("blocks without a point of the boundary are found, and are rivals of blocks of all points") {
    const auto blocks = [](const Values& run) {
        return (run[kParameter] - 1 + run[kParameter + 1] - 1) / run[kParameter + 1];
    };
    // 100 in blocks of 7, 129 of 5 and 98 of 7: 15, 26 and 14.
    const std::vector<Values> decided = runs_with({{101, 7, 4}, {130, 5, 6}, {99, 7, 5}});
    const auto found = learning::integer(samples_of(decided, blocks), kVariables);
    REQUIRE(found);
    CHECK(value_at(found->expression, 50, 7, 1) == 7);
    // As many blocks as all points have.
    const std::vector<Values> open = runs_with({{101, 7, 4}, {130, 5, 6}, {97, 9, 5}});
    const auto undecided = learning::integer(samples_of(open, blocks), kVariables);
    REQUIRE(undecided);
    CHECK(value_at(undecided->expression, 50, 7, 1) == 8);
    CHECK(std::ranges::any_of(undecided->others,
                              [](const learning::Expression& each) { return value_at(each, 50, 7, 1) == 7; }));
}

TEST_CASE("the last block of a parameter is a number of the last iteration alone") {
    const std::vector<Values> runs = runs_with({{101, 23, 4}, {130, 17, 6}, {97, 19, 5}});
    const auto samples = samples_of(runs, [](const Values& run) {
        const std::int64_t points = run[kParameter] - 1;
        return 8 * (points - (points - 1) / run[kParameter + 1] * run[kParameter + 1]);
    });
    const auto found = learning::integer(samples, kVariables, {}, true);
    REQUIRE(found);
    CHECK(value_at(found->expression, 99, 7, 1) == 8 * 7);  // 98 in blocks of 7, all of which are full
    CHECK_FALSE(learning::integer(samples, kVariables));
}

TEST_CASE("the share of a size that is given as its logarithm is found, and is a rival of a multiple of the ranks") {
    std::vector<Values> runs = runs_with({{5, 2, 9}, {6, 4, 11}, {7, 5, 10}});
    const auto share = [](const Values& run) { return 8 * (std::int64_t{1} << (2 * run[kParameter])) / run[0]; };
    const auto set_columns = [&runs](const std::vector<std::int64_t>& columns) {
        for (std::size_t run = 0; run < runs.size(); ++run) runs[run][0] = columns[run];
    };
    set_columns({4, 8, 2});
    const auto found = learning::integer(samples_of(runs, share), kVariables);
    REQUIRE(found);
    CHECK(learning::value_of(found->expression, {16, 1, 1, 1, 1, 1, 8, 3, 3}) == 8 * 65'536 / 16);
    // 2, 4 and 8 KiB on 4, 8 and 16 ranks.
    set_columns({4, 8, 16});
    const auto undecided = learning::integer(samples_of(runs, share), kVariables);
    REQUIRE(undecided);
    CHECK(learning::value_of(undecided->expression, {16, 1, 1, 1, 1, 1, 5, 3, 3}) == 512 * 16);
    CHECK(std::ranges::any_of(undecided->others, [](const learning::Expression& each) {
        return learning::value_of(each, {16, 1, 1, 1, 1, 1, 5, 3, 3}) == 8 * 1024 / 16;
    }));
}

TEST_CASE("a parameter with which a refused number would have an expression is named") {
    const std::vector<Values> runs = runs_with({{20, 24, 16}, {23, 19, 21}, {16, 30, 13}});
    const auto samples = samples_of(
        runs, [](const Values& run) { return 8 * (run[kParameter] + run[kParameter + 1]) * run[kParameter + 2] * 3; });
    CHECK_FALSE(learning::integer(samples, kVariables));
    const auto derived = learning::derived_parameter(samples, kVariables);
    REQUIRE(derived);
    CHECK(derived->text == "x + y");
    CHECK(derived->name == "x_and_y");
    CHECK(derived->first == 44);
    const auto odd = samples_of(
        runs, [](const Values& run) { return run[kParameter] % 7 * 1009 + run[kParameter + 1] % 5 * 31 + 3; });
    CHECK_FALSE(learning::derived_parameter(odd, kVariables));
}

TEST_CASE("a number that is the product of shares in all runs is rarely a constant, which is a rival") {
    std::vector<Values> runs;
    for (const std::int64_t side : {2, 3, 4}) runs.push_back({side, side, 1, 1, 1, 1, 100 * side, 7 * side, 5});
    const auto found = learning::integer(samples_of(runs, [](const Values&) { return 80'000; }), kVariables);
    REQUIRE(found);
    const Values other{5, 4, 1, 1, 1, 1, 600, 3, 5};
    const std::int64_t value = learning::value_of(found->expression, other);
    CHECK((value == 8 * 120 * 120 || value == 8 * 120 * 150));
    CHECK(std::ranges::any_of(found->others, [](const learning::Expression& each) { return each.terms.empty(); }));
    CHECK(learning::integer(samples_of(runs, [](const Values&) { return 80'008; }), kVariables)->others.empty());
}

TEST_CASE("a line through three values is a rival of a product with ghost points") {
    // 32 (x / columns + 2) (y / rows + 2) is also 64 z + 640
    const std::vector<Values> runs{
        {4, 3, 1, 1, 1, 1, 24, 39, 50}, {5, 4, 1, 1, 1, 1, 35, 48, 53}, {6, 5, 1, 1, 1, 1, 12, 145, 52}};
    const auto number = [](const Values& run) {
        return 32 * (run[kParameter] / run[0] + 2) * (run[kParameter + 1] / run[1] + 2);
    };
    const auto found = learning::integer(samples_of(runs, number), kVariables);
    REQUIRE(found);
    const Values other{3, 2, 1, 1, 1, 1, 60, 34, 7};
    CHECK(learning::value_of(found->expression, other) == 32 * 22 * 19);
    CHECK(std::ranges::any_of(found->others, [&other](const learning::Expression& each) {
        return learning::value_of(each, other) == 64 * 7 + 640;
    }));
}
