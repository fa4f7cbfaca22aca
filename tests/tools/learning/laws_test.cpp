// The law of a block's time: the one expected by physics, unless the runs contradict it.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/approx.hpp"
#include "tests/tools/learning/runs.hpp"
#include "tools/from_code/learning/laws.hpp"

using namespace warpfront;

namespace {

constexpr std::uint32_t kX = learning::Variables::kParameters;  // parameters x, y, z behind the sizes and coordinates
constexpr std::uint32_t kY = kX + 1;
constexpr std::uint32_t kZ = kX + 2;
constexpr double kRealNoise = 0.05;

learning::Values on_array(std::int64_t columns, std::int64_t rows, std::int64_t x, std::int64_t y, std::int64_t z) {
    return {columns, rows, 1, 1, 1, 1, x, y, z};
}
learning::Dimension whole_dimension(learning::Dimension::Evidence evidence, std::uint32_t parameter) {
    return {evidence, {{{learning::Atom::Rule::variable, parameter}}}};
}
const std::vector<learning::Dimension> kSides{whole_dimension(learning::Dimension::Evidence::own_messages, kX),
                                              whole_dimension(learning::Dimension::Evidence::own_messages, kY),
                                              whole_dimension(learning::Dimension::Evidence::unseen, kZ)};

/// One sample of each run.
learning::FoundLaw law_of(const std::vector<learning::Values>& runs,
                          const std::function<double(const learning::Values&, std::size_t)>& time,
                          const std::vector<learning::Dimension>& dimensions, double noise = kRealNoise) {
    std::vector<learning::TimeSample> samples;
    for (std::size_t run = 0; run < runs.size(); ++run) samples.push_back({&runs[run], time(runs[run], run), run});
    return learning::time_law(samples, noise, dimensions);
}

std::vector<std::uint32_t> factors_of(const learning::Law& law) {
    std::vector<std::uint32_t> all;
    for (const learning::Atom& atom : law.atoms) all.push_back(atom.a);
    return all;
}

double volume(const learning::Values& at) { return static_cast<double>(at[kX] * at[kY] * at[kZ]); }

const std::vector<learning::Values> kThreeRuns{on_array(3, 1, 20, 24, 16), on_array(4, 1, 23, 19, 21),
                                               on_array(6, 1, 16, 30, 13)};

}  // namespace

TEST_CASE("the volume is taken where whole runs are off by a few per cent, though a shorter product is nearer") {
    // 7680, 9177 and 6240 cells at 10 ns, less or more 4 %. The times are as 20, 24 and 16 within 2 %, and so as x.
    const auto time = [](const learning::Values& at, std::size_t run) {
        constexpr double kOff[] = {1.0, 0.96, 1.04};
        return 10'000 * volume(at) * kOff[run];
    };
    const learning::FoundLaw found = law_of(kThreeRuns, time, kSides);
    CHECK(factors_of(found.law) == std::vector{kX, kY, kZ});
    CHECK(found.law.constant == 0.0);
    CHECK(found.law.slope == test::approx(10'000).epsilon(0.05));
}

TEST_CASE("the volume is taken where the square of one of its extents is nearer") {
    std::vector<learning::Dimension> sides = kSides;
    sides.back().extents.push_back({{learning::Atom::Rule::variable, kZ, 0, 0, false, 1}, {}, true});
    // A cell takes longer in larger blocks. The times are as 20 * 24 * 17^2, 23 * 19 * 22^2 and 16 * 30 * 14^2 within
    // 4 %, and as the volume within 12 %.
    const auto time = [](const learning::Values& at, std::size_t run) {
        constexpr double kOff[] = {1.0, 1.18, 0.88};
        return 10'000 * volume(at) * kOff[run];
    };
    const learning::FoundLaw found = law_of(kThreeRuns, time, sides);
    CHECK(factors_of(found.law) == std::vector{kX, kY, kZ});
    CHECK(std::ranges::any_of(found.rivals, [](const learning::Law& each) {
        return factors_of(each) == std::vector{kX, kY, kZ, kZ} && each.residual < 0.05;
    }));
}

TEST_CASE("a surface is taken where the volume is far off") {
    const auto time = [](const learning::Values& at, std::size_t) {
        return 3'000.0 * static_cast<double>(at[kX] * at[kY]);
    };
    const learning::FoundLaw found =
        law_of({on_array(3, 1, 20, 24, 16), on_array(4, 1, 23, 19, 80), on_array(6, 1, 16, 30, 40)}, time, kSides);
    CHECK(factors_of(found.law) == std::vector{kX, kY});
    CHECK(found.law.slope == test::approx(3'000));
}

TEST_CASE("a constant beside the volume is found where the times are exact") {
    const auto time = [](const learning::Values& at, std::size_t) { return 2'000 * volume(at) + 5e6; };
    const learning::FoundLaw found = law_of(kThreeRuns, time, kSides, 0.0);
    CHECK(factors_of(found.law) == std::vector{kX, kY, kZ});
    CHECK(found.law.slope == test::approx(2'000));
    CHECK(found.law.constant == test::approx(5e6));
}

TEST_CASE("a law with a tenth of the time is as far off as one with ten times as much") {
    // A constant of the two short runs would leave a relative error of 1 of the long one, whatever its length.
    const auto time = [](const learning::Values& at, std::size_t) { return 4'000 * volume(at); };
    const learning::FoundLaw found =
        law_of({on_array(2, 1, 10, 10, 10), on_array(3, 1, 10, 11, 10), on_array(4, 1, 100, 100, 100)}, time, kSides);
    CHECK(factors_of(found.law) == std::vector{kX, kY, kZ});
}

TEST_CASE("dimensions that no message shows are shared by all ranks if the times show it") {
    const std::vector<learning::Dimension> whole{whole_dimension(learning::Dimension::Evidence::unseen, kX)};
    const auto time = [](const learning::Values& at, std::size_t) {
        return 1'000.0 * static_cast<double>(at[kX]) / static_cast<double>(at[0]);
    };
    const learning::FoundLaw found =
        law_of({on_array(2, 1, 100, 1, 1), on_array(5, 1, 140, 1, 1), on_array(9, 1, 90, 1, 1)}, time, whole);
    CHECK(factors_of(found.law) == std::vector{kX});
    REQUIRE(found.law.divisors.size() == 1);
    CHECK(found.law.divisors[0] == learning::Atom{learning::Atom::Rule::variable, 0});
}

TEST_CASE("a size that is given as its logarithm is a power of two") {
    const std::vector<learning::Dimension> logarithm{
        {learning::Dimension::Evidence::unseen,
         {{{learning::Atom::Rule::variable, kX}}, {{learning::Atom::Rule::variable, kX, 0, 0, false, 0, 1}}}}};
    // 2^24 pairs on 4 ranks, 2^25 on 6 and 2^28 on 5, at 13 ns.
    const auto time = [](const learning::Values& at, std::size_t) {
        return 13'000.0 * static_cast<double>(std::int64_t{1} << at[kX]) / static_cast<double>(at[0]);
    };
    const learning::FoundLaw found =
        law_of({on_array(4, 1, 24, 1, 1), on_array(6, 1, 25, 1, 1), on_array(5, 1, 28, 1, 1)}, time, logarithm);
    REQUIRE(found.law.atoms.size() == 1);
    CHECK(found.law.atoms[0].power == 1);
    CHECK(found.law.slope == test::approx(13'000));
}

TEST_CASE("a parameter that is the same in all runs is in no law") {
    const auto time = [](const learning::Values& at, std::size_t) {
        return 1'000.0 * static_cast<double>(at[kX] * at[kY]);
    };
    const learning::FoundLaw found =
        law_of({on_array(3, 1, 20, 24, 7), on_array(4, 1, 23, 19, 7), on_array(6, 1, 16, 30, 7)}, time, kSides);
    CHECK(factors_of(found.law) == std::vector{kX, kY});
}

TEST_CASE("laws that the runs support nearly as well are rivals") {
    // x and z grow by the same factors in all runs, so x y and y z cannot be distinguished.
    const std::vector<learning::Dimension> sides{whole_dimension(learning::Dimension::Evidence::own_messages, kY),
                                                 whole_dimension(learning::Dimension::Evidence::unseen, kX),
                                                 whole_dimension(learning::Dimension::Evidence::unseen, kZ)};
    const auto time = [](const learning::Values& at, std::size_t) {
        return 1'000.0 * static_cast<double>(at[kX] * at[kY]);
    };
    const learning::FoundLaw found =
        law_of({on_array(3, 1, 10, 24, 20), on_array(4, 1, 30, 19, 60), on_array(6, 1, 20, 30, 40)}, time, sides);
    REQUIRE(found.rivals.size() >= 1);
    CHECK(std::abs(found.rivals[0].residual - found.law.residual) < 1e-12);
    CHECK(found.rivals[0].atoms != found.law.atoms);
}

TEST_CASE("the entries of a sparse matrix grow with the square of a parameter") {
    const std::vector<learning::Dimension> sides{
        whole_dimension(learning::Dimension::Evidence::own_messages, kX),
        {learning::Dimension::Evidence::unseen,
         {{{learning::Atom::Rule::variable, kY}}, {{learning::Atom::Rule::variable, kY, 0, 0, false, 1}, {}, true}}}};
    const auto time = [](const learning::Values& at, std::size_t) {
        return 1'000.0 * static_cast<double>(at[kX] * (at[kY] + 1) * (at[kY] + 1));
    };
    const learning::FoundLaw found =
        law_of({on_array(2, 1, 1400, 7, 1), on_array(3, 1, 7000, 8, 1), on_array(4, 1, 9000, 11, 1)}, time, sides);
    CHECK(found.law.residual < 1e-9);
    CHECK(value_of(found.law, on_array(8, 1, 75'000, 13, 1)) == test::approx(1'000.0 * 75'000 * 14 * 14));
}

TEST_CASE("blocks are alike if no difference of their times is the same in all runs") {
    const auto samples = [](const std::vector<double>& times) {
        static const learning::Values at = on_array(3, 3, 10, 10, 10);
        std::vector<learning::TimeSample> all;
        for (std::size_t run = 0; run < times.size(); ++run) all.push_back({&at, times[run], run});
        return all;
    };
    CHECK(learning::are_alike(samples({100, 200, 400}), samples({115, 180, 420}), kRealNoise));
    CHECK_FALSE(learning::are_alike(samples({100, 200, 400}), samples({115, 229, 462}), kRealNoise));
    CHECK_FALSE(learning::are_alike(samples({100, 200, 400}), samples({200, 100, 400}), 0.0));
    CHECK(learning::are_alike(samples({100, 200, 400}), samples({100, 200, 400}), 0.0));
    CHECK_FALSE(learning::are_alike(samples({100, 200}), samples({100, 200, 400}), kRealNoise));
}

TEST_CASE("a block that may depend on many parameters has a law of a few of them") {
    constexpr std::size_t kParameters = 14;
    std::vector<learning::Values> runs;
    for (std::int64_t run = 0; run < 4; ++run) {
        learning::Values values = on_array(3, 3, 20 + 7 * run, 30 + run * run, 40);
        while (values.size() < kX + kParameters) {
            values.push_back(50 + static_cast<std::int64_t>(values.size()) * (run + 2) % 11);
        }
        runs.push_back(values);
    }
    std::vector<learning::Dimension> dimensions{kSides[0], kSides[1]};
    for (std::uint32_t parameter = kZ; parameter < kX + kParameters; ++parameter) {
        learning::Dimension other = whole_dimension(learning::Dimension::Evidence::unseen, parameter);
        other.extents.push_back({{learning::Atom::Rule::variable, parameter, 0, 0, false, 1}});
        other.extents.push_back({{learning::Atom::Rule::variable, parameter, 0, 0, false, 1}, {}, true});
        dimensions.push_back(other);
    }
    const auto time = [](const learning::Values& at, std::size_t run) {
        return static_cast<double>(at[kX] * at[kY]) * (run % 2 == 0 ? 150.0 : 100.0);
    };
    CHECK(law_of(runs, time, dimensions).law.slope > 0.0);
}

TEST_CASE("a block that is the same in all runs takes a time per point of its messages, and a constant is a rival") {
    const std::string code = R"(
application weak {
    param nx: int
    param ny: int
    iteration {
        sendrecv 8B * quotient(nx, columns) to south from north
        sendrecv 8B * quotient(ny, rows) to east from west
        compute 3ns * quotient(nx, columns) * quotient(ny, rows)
        allreduce 8B
    }
}
)";
    const auto run = [](std::uint32_t columns, std::uint32_t rows) {
        return test::SmallRun{
            test::array(columns, rows), 3, {{"nx", std::to_string(20 * columns)}, {"ny", std::to_string(30 * rows)}}};
    };
    const learning::Learnt learnt = test::learnt_from(test::recorded_runs(code, {run(3, 3), run(4, 3), run(3, 4)}));
    const test::RunDifference found =
        test::difference_on({test::array(4, 4), 3, {{"nx", "160"}, {"ny", "240"}}}, learnt, code);
    CHECK(found.operations > 0);
    CHECK(found.different == 0);
    CHECK(found.work < 1e-3);
    CHECK(std::ranges::any_of(learnt.open,
                              [](const std::string& each) { return each.find("`a constant`") != std::string::npos; }));
}
