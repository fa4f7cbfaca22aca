#include "simulator/results/ensemble.hpp"

#include "simulator/results/json.hpp"
#include "simulator/results/summary.hpp"
#include "tests/approx.hpp"
#include "tests/results/example.hpp"

using namespace warpfront::results;

namespace {

// 90, 100 and 110 us: mean 100; deviations -10, 0, 10, so s^2 = (100 + 0 + 100) / 2 = 100, s = 10.
// Student's t, two degrees of freedom: F(t) = 1/2 + t / (2 sqrt(2 + t^2)) = 0.975, so t^2 = 2 * 0.9025 / 0.0975 and
// t = 4.302653; half the interval is 4.302653 * 10 / sqrt(3) = 24.84138.
const Ensemble kThree{{7}, {microseconds(100), microseconds(90), microseconds(110)}, 2, 1.5, 2.75};

doctest::Approx about(double value) { return test::approx(value).epsilon(1e-12); }

}  // namespace

TEST_CASE("the rest of the table is of the first seed, or of the run without deviations, which is no sample") {
    record::Record record;
    record.engine = "event";
    record.finish = microseconds(120);
    CHECK(summary(record, {}, std::nullopt, kThree).find("\nfirst seed      120us\n") != std::string::npos);
    Ensemble samples = kThree;
    samples.what = "samples";
    const std::string text = summary(record, {}, std::nullopt, samples);
    CHECK(text.find("\nnominal         120us\n") != std::string::npos);
    CHECK(text.find("first") == std::string::npos);
}

TEST_CASE("mean, deviation, 95 % interval by two degrees of freedom, and exact range of three runs, as by hand") {
    const Statistics found = statistics(kThree);
    CHECK(found.mean_s == about(100e-6));
    CHECK(found.sd_s == about(10e-6));
    CHECK(found.low_s == test::approx(75.15862e-6).epsilon(1e-6));
    CHECK(found.high_s == test::approx(124.84138e-6).epsilon(1e-6));
    CHECK(found.least == WideTime{microseconds(90)});
    CHECK(found.most == WideTime{microseconds(110)});
}

TEST_CASE("the interval of two runs is the wide one of a single degree of freedom") {
    // 99 and 101: mean 100, s = sqrt(2); t = tan(0.475 pi) = 12.706205; 12.706205 * sqrt(2) / sqrt(2) = 12.706205.
    const Statistics found = statistics({{}, {microseconds(99), microseconds(101)}});
    CHECK(found.low_s == test::approx(87.293795e-6).epsilon(1e-7));
    CHECK(found.high_s == test::approx(112.706205e-6).epsilon(1e-7));
}

TEST_CASE("runs that took the same do not vary at all") {
    const Statistics found = statistics({{}, {microseconds(50), microseconds(50), microseconds(50)}});
    CHECK(found.sd_s == 0.0);
    CHECK(found.low_s == found.high_s);
}

TEST_CASE("a spread of picoseconds in runs of a year is seen") {
    // One year and 0, 1, 2 ps: s = 1 ps, though a double holds a year only to nanoseconds.
    const Wide year = Wide{31'536'000} * 1'000'000'000'000;
    CHECK(statistics({{}, {WideTime{year}, WideTime{year + 1}, WideTime{year + 2}}}).sd_s == about(1e-12));
}

TEST_CASE("a result of several seeds has a block for them, one of a single run has none") {
    const auto json = to_json(example_record(), example_context(), kThree);
    CHECK_FALSE(to_json(example_record(), example_context()).contains("ensemble"));
    const auto& block = json.at("ensemble");
    CHECK(shown(block) ==
          "{seeds: 3, mean_s: 0.0001, sd_s: 1e-05, ci95_s: [7.51586e-05, 0.000124841], min_s: 9e-05, "
          "max_s: 0.00011, times_s: [0.0001, 9e-05, 0.00011], at_once: 2, wall_s: 1.5, cpu_s: 2.75}");
}

// The mean's interval: 100us -+ 4.30265 * 10us / sqrt(3) = 24.8us, of which two digits count.
TEST_CASE("the table shows the seeds, the mean and its interval, and the range") {
    const std::string text = summary(example_record(), example_context(), {}, kThree);
    for (const std::string part :
         {"predicted time  100us, mean of 3 seeds (event engine)\n", "3, seeds 7 to 9, 2 at a time in 1.5s\n",
          "90us to 110us, standard deviation 10us (10.00 %)", "mean of runs    100us, 95 % interval 75us to 125us"}) {
        CAPTURE(part);
        CHECK(text.find(part) != std::string::npos);
    }
}

// The 95 % interval of one further run: from the error of the calibration and the spread of an ensemble.

namespace {

constexpr std::int64_t kOneSecond = 1'000'000'000'000;

WideTime seconds_of(std::int64_t count) { return WideTime{Time{count * kOneSecond}}; }

record::Record ten_seconds() {
    record::Record record;
    record.finish = seconds_of(10);
    return record;
}

Context with_error(std::optional<PredictionError> error) {
    Context context;
    context.error = error;
    return context;
}

// Times 90, 100 and 110 s: mean 100, s = 10; Student's t of two degrees of freedom is 4.302653, as above;
// 4.302653 * 10 * sqrt(1 + 1/3) = 49.68276.
const Ensemble kThreeTimes{.first = {}, .times = {seconds_of(90), seconds_of(100), seconds_of(110)}};

}  // namespace

// Student's t at 0.975: 4.302653 for 2 degrees of freedom, 2.446912 for 6, 1.959966 for a million.
TEST_CASE("a calibrated prediction of 10 s is as sure as its error is small and from many groups") {
    const auto half_of = [](std::uint32_t groups) {
        const auto interval = interval_of(ten_seconds(), with_error(PredictionError{0.05, groups}), {});
        REQUIRE(interval);
        CHECK(interval->low_s + interval->high_s == test::approx(20.0));
        return interval->high_s - 10.0;
    };
    CHECK(half_of(2) == test::approx(2.1513265).epsilon(1e-6));
    CHECK(half_of(6) == test::approx(1.223456).epsilon(1e-6));
    CHECK(half_of(1'000'000) == test::approx(0.979983).epsilon(1e-5));
}

TEST_CASE("an ensemble has the interval of one further run around its mean; without it and an error there is none") {
    const auto interval = interval_of(ten_seconds(), with_error({}), kThreeTimes);
    REQUIRE(interval);
    CHECK(interval->low_s == test::approx(50.31724).epsilon(1e-6));
    CHECK(interval->high_s == test::approx(149.68276).epsilon(1e-6));
    CHECK_FALSE(interval_of(ten_seconds(), with_error({}), {}));
}

TEST_CASE("the spread of an ensemble and the error of the calibration add up in quadrature") {
    // 2.446912 * 0.1 * 100 = 24.46912; sqrt(49.68276^2 + 24.46912^2) = 55.381536
    const auto interval = interval_of(kThreeTimes.times, PredictionError{0.1, 6}, 4);
    REQUIRE(interval);
    CHECK(interval->low_s == test::approx(44.618464).epsilon(1e-6));
    CHECK(interval->high_s == test::approx(155.381536).epsilon(1e-6));
}

TEST_CASE("beyond the ranks of the runs behind it the error drifts with every doubling") {
    // Two doublings of 2 % beside 3 %: 5 %. Student's t at 0.975 is 2.446912 for 6 degrees of freedom.
    Context context = with_error(PredictionError{0.03, 6, 1024, 0.02});
    context.ranks = 1024;
    CHECK(interval_of(ten_seconds(), context, {})->high_s == test::approx(10.7340736).epsilon(1e-6));
    context.ranks = 4096;
    CHECK(interval_of(ten_seconds(), context, {})->high_s == test::approx(11.223456).epsilon(1e-6));
}

TEST_CASE("an interval contains its ends and all values between them, and does not reach below 0") {
    const Interval interval{1.0, 2.0};
    CHECK(interval.holds(Time{kOneSecond}));
    CHECK(interval.holds(Time{2 * kOneSecond}));
    CHECK_FALSE(interval.holds(Time{kOneSecond - 1}));
    CHECK_FALSE(interval.holds(Time{2 * kOneSecond + 1}));
    CHECK(interval_of(ten_seconds(), with_error(PredictionError{0.9, 6}), {})->low_s == 0.0);
}
