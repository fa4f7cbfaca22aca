// The 95 % interval of a prediction: 1.96 standard errors, of the calibration and of the ensemble together.
#include "simulator/results/interval.hpp"

#include <doctest/doctest.h>

using namespace warpfront;
using namespace warpfront::results;

namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000'000;

record::Record ten_seconds() {
    record::Record record;
    record.finish = WideTime{Time{10 * kOneSecond}};
    return record;
}

Context with_error(std::optional<double> error) {
    Context context;
    context.error = error;
    return context;
}

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

TEST_CASE("an ensemble's mean and deviation count beside the error") {
    // Times 11 and 13 s: mean 12, deviation sqrt(2). With an error of 10 % of 12 s: sqrt(1.44 + 2) = 1.855.
    Ensemble ensemble{.first = {}, .times = {WideTime{Time{11 * kOneSecond}}, WideTime{Time{13 * kOneSecond}}}};
    const auto interval = interval_of(ten_seconds(), with_error(0.1), ensemble);
    REQUIRE(interval);
    CHECK(interval->low_s == doctest::Approx(12.0 - 1.96 * 1.8547));
    CHECK(interval->high_s == doctest::Approx(12.0 + 1.96 * 1.8547));
}

TEST_CASE("an interval does not reach below 0") {
    CHECK(interval_of(ten_seconds(), with_error(0.9), {})->low_s == 0.0);
}
