// The 95 % interval of one further run: from the error of the calibration and the spread of an ensemble.
#include "simulator/results/ensemble.hpp"

#include <doctest/doctest.h>

using namespace warpfront;
using namespace warpfront::results;

namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000'000;

WideTime seconds_of(std::int64_t count) { return WideTime{Time{count * kOneSecond}}; }

record::Record ten_seconds() {
    record::Record record;
    record.finish = seconds_of(10);
    return record;
}

Context with_error(std::optional<double> error) {
    Context context;
    context.error = error;
    return context;
}

// Times 90, 100 and 110 s: mean 100, s = 10; Student's t of two degrees of freedom is 4.302653 (ensemble_test.cpp);
// 4.302653 * 10 * sqrt(1 + 1/3) = 49.68276.
const Ensemble kThreeTimes{.first = {}, .times = {seconds_of(90), seconds_of(100), seconds_of(110)}};

}  // namespace

TEST_CASE("without an error and without an ensemble there is no interval") {
    CHECK_FALSE(interval_of(ten_seconds(), with_error({}), {}));
}

TEST_CASE("a calibrated prediction of 10 s with an error of 5 % lies in 10 -+ 0.98 s") {
    const auto interval = interval_of(ten_seconds(), with_error(0.05), {});
    REQUIRE(interval);
    CHECK(interval->low_s == doctest::Approx(10.0 - 0.98));
    CHECK(interval->high_s == doctest::Approx(10.0 + 0.98));
}

TEST_CASE("an ensemble has the interval of one further run around its mean") {
    const auto interval = interval_of(ten_seconds(), with_error({}), kThreeTimes);
    REQUIRE(interval);
    CHECK(interval->low_s == doctest::Approx(50.31724).epsilon(1e-6));
    CHECK(interval->high_s == doctest::Approx(149.68276).epsilon(1e-6));
}

TEST_CASE("the spread of an ensemble and the error of the calibration add up in quadrature") {
    // 1.96 * 0.1 * 100 = 19.6; sqrt(49.68276^2 + 19.6^2) = 53.40914
    const auto interval = interval_of(kThreeTimes.times, 0.1);
    REQUIRE(interval);
    CHECK(interval->low_s == doctest::Approx(46.59086).epsilon(1e-6));
    CHECK(interval->high_s == doctest::Approx(153.40914).epsilon(1e-6));
}

TEST_CASE("an interval holds its ends and what lies between them") {
    const Interval interval{1.0, 2.0};
    CHECK(interval.holds(Time{kOneSecond}));
    CHECK(interval.holds(Time{2 * kOneSecond}));
    CHECK_FALSE(interval.holds(Time{kOneSecond - 1}));
    CHECK_FALSE(interval.holds(Time{2 * kOneSecond + 1}));
}

TEST_CASE("an interval does not reach below 0") {
    CHECK(interval_of(ten_seconds(), with_error(0.9), {})->low_s == 0.0);
}
