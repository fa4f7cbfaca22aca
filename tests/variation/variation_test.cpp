// The durations of computing: the law compared with its moments, periodic OS noise with hand arithmetic, heterogeneous
// ranks with their factors.
//
// Not pinned here: the keys of a scenario (tests/scenario/noise_configuration_test.cpp); the effect of noise on a run
// (tests/engine/noisy_run_test.cpp), and its independence of the way a run is simulated (tests/properties).
#include "simulator/variation/noise.hpp"

#include "simulator/units/wave.hpp"
#include "simulator/variation/normal.hpp"
#include "tests/approx.hpp"

using variation::ComputeTime;
using variation::exponential;
using variation::logarithm_of_1_and;
using variation::Noise;
using variation::normal_quantile;
using variation::PeriodicNoise;
using variation::standard_normal;

namespace {

constexpr std::int64_t us = 1'000'000;  // picoseconds
constexpr Time kSecond{1'000'000 * us};
constexpr std::uint32_t kDraws = 100'000;

/// Returns durations of kDraws blocks of `nominal` in one iteration, over nominal.
std::vector<double> drawn(const Noise& noise, Time nominal, Seed seed = {1}, Rank rank = {0},
                          std::uint64_t iteration = 0) {
    const ComputeTime takes(noise, seed, 2);
    std::vector<double> values;
    for (std::uint32_t number = 0; number < kDraws; ++number) {
        values.push_back(seconds(takes(rank, iteration << kWaveBits, number, nominal, {})) / seconds(nominal));
    }
    return values;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
    const double centre = mean(values);
    double squares = 0.0;
    for (const double value : values) squares += (value - centre) * (value - centre);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const double mean_a = mean(a);
    const double mean_b = mean(b);
    double products = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) products += (a[k] - mean_a) * (b[k] - mean_b);
    return products / static_cast<double>(a.size() - 1) / (deviation(a) * deviation(b));
}

/// Returns the duration of work with aligned noise events of `length` every `period` picoseconds, alone on its rank.
Time lasts(Time period, Time length, Time start, Time work) {
    return ComputeTime(Noise{.periodic = PeriodicNoise{period, length, true}}, {}, 1)({0}, 0, 0, work, start);
}

}  // namespace

// n = 100,000 draws. The mean errs by cv / sqrt(n), the deviation by sqrt((k - 1) / 4n) of itself, k being the kurtosis
// of a lognormal, w^4 + 2 w^3 + 3 w^2 - 3 with w = 1 + cv^2: 4.1 for cv = 0.25. Bounds are four such errors.

TEST_CASE("blocks of jobs side by side take what they take in a run of the job alone, from its start on") {
    Noise first;
    first.cv = 0.2;
    Noise second;
    second.cv = 0.3;
    second.jitter = {2 * us};
    second.periodic = PeriodicNoise{.period = {50 * us}, .length = {3 * us}};
    second.classes = {{0.5, 1.0}, {0.5, 0.8}};
    const ComputeTime jobs({{{first, {1}}, 0, 4, {}}, {{second, {2}}, 4, 3, {70 * us}}});
    const ComputeTime of_first(first, {1}, 4);
    const ComputeTime of_second(second, {2}, 3);
    for (std::uint32_t k = 0; k < 100; ++k) {
        const Time nominal{(5 + k) * us};
        CHECK(jobs({3}, k, 7, nominal, {11 * us}) == of_first({3}, k, 7, nominal, {11 * us}));
        CHECK(jobs({4 + 2}, k, 7, nominal, {(70 + 11) * us}) == of_second({2}, k, 7, nominal, {11 * us}));
    }
}

TEST_CASE("noise of coefficient of variation 0.25 has mean 1 and standard deviation 0.25") {
    // 4 * 0.25 / sqrt(100,000) = 0.0032; 4 * 0.25 * sqrt(3.1 / 400,000) = 0.0028
    const std::vector<double> values = drawn({.cv = 0.25}, kSecond);
    CHECK(std::abs(mean(values) - 1.0) < 0.0032);
    CHECK(std::abs(deviation(values) - 0.25) < 0.0028);
}

TEST_CASE("the law is lognormal: half of all blocks take less than 1 / sqrt(1 + cv^2)") {
    // cv = 0.75: 1 / sqrt(1.5625) = 0.8. Counts err by sqrt(n) / 2 = 158; four times that is 632.
    const std::vector<double> values = drawn({.cv = 0.75}, kSecond);
    const auto below = std::count_if(values.begin(), values.end(), [](double value) { return value < 0.8; });
    CHECK(std::abs(below - 50'000) < 632);
}

TEST_CASE("the largest spread still gives times above 0, the least of them by the bound of the normal") {
    // s = sqrt(ln 101) = 2.148; exp(-2.148 * 9.2 - 2.308) = 2.6e-10 of a second.
    for (const double value : drawn({.cv = variation::kLargestCv}, kSecond)) REQUIRE(value >= 2.6e-10);
}

TEST_CASE("jitter is the standard deviation of a block of any length, beside its share of the length") {
    // 3 us of 10 us is 0.3 of the block; 0.3 and a cv of 0.4 make sqrt(0.09 + 0.16) = 0.5.
    CHECK(drawn({.jitter = {3 * us}}, {10 * us}) == drawn({.cv = 0.3}, {10 * us}));
    CHECK(drawn({.cv = 0.4, .jitter = {3 * us}}, {10 * us}) == drawn({.cv = 0.5}, {10 * us}));
}

TEST_CASE("jitter of a short block is bounded by the largest coefficient of variation") {
    CHECK(drawn({.jitter = {us}}, {us / 100}) == drawn({.cv = variation::kLargestCv}, {us / 100}));
}

// Interruptions of 1 ms. A block of m seconds at r per second has a Poisson number of mean m r. Its mean over n draws
// errs by sqrt(m r / n); its variance by sqrt((2 (m r)^2 + m r) / n). Bounds are four such errors.

namespace {

Noise interrupted(double per_second) {
    return {.interruptions = variation::Interruptions{per_second, {1000 * us}, false}};
}

/// Returns the numbers of interruptions of kDraws blocks of a second.
std::vector<double> interruptions(double per_second) {
    std::vector<double> numbers = drawn(interrupted(per_second), kSecond);
    for (double& each : numbers) each = (each - 1.0) * 1000.0;
    return numbers;
}

}  // namespace

TEST_CASE("blocks of one interruption on average have none with probability 1 / e, and whole numbers of them") {
    // 36,788 of 100,000 expected, with an error of sqrt(n p (1 - p)) = 152; four times that is 610.
    const std::vector<double> numbers = interruptions(1.0);
    const auto none = std::count_if(numbers.begin(), numbers.end(), [](double each) { return each < 0.5; });
    CHECK(std::abs(none - 36'788) < 610);
    for (const double each : numbers) REQUIRE(std::abs(each - std::round(each)) < 1e-9);
}

TEST_CASE("the number of interruptions has the mean and the variance of a Poisson number") {
    for (const double expected : {0.01, 1.0, 30.0, 1000.0}) {  // above 64 by a normal number
        CAPTURE(expected);
        const std::vector<double> numbers = interruptions(expected);
        const double variance = deviation(numbers) * deviation(numbers);
        CHECK(std::abs(mean(numbers) - expected) < 4 * std::sqrt(expected / kDraws));
        CHECK(std::abs(variance - expected) < 4 * std::sqrt((2 * expected * expected + expected) / kDraws));
    }
}

TEST_CASE("interruptions come in proportion to the time that a rank really computes") {
    // At half the speed a second of work takes two: two interruptions on average. 4 sqrt(2 / 100,000) = 0.018.
    Noise noise = interrupted(1.0);
    noise.classes = {{1.0, 0.5}};
    CHECK(std::abs((mean(drawn(noise, kSecond)) - 2.0) * 1000.0 - 2.0) < 0.018);
}

TEST_CASE("an idle core takes the interruptions of the ranks beside it") {
    Noise noise = interrupted(1000.0);
    noise.interruptions->absorbed_by_idle_core = true;
    noise.has_idle_core = {true, false};
    const ComputeTime takes(noise, {1}, 2);
    CHECK(takes({0}, 0, 0, kSecond, {}) == kSecond);
    CHECK(takes({1}, 0, 0, kSecond, {}) > kSecond);
    noise.interruptions->absorbed_by_idle_core = false;
    CHECK(ComputeTime(noise, {1}, 2)({0}, 0, 0, kSecond, {}) > kSecond);
}

TEST_CASE("noise is off where idle cores take all interruptions, and where these have no length") {
    Noise noise = interrupted(1.0);
    noise.interruptions->absorbed_by_idle_core = true;
    noise.has_idle_core = {true, true};
    CHECK(noise.off());
    noise.has_idle_core = {true, false};
    CHECK_FALSE(noise.off());
    CHECK(Noise{.interruptions = variation::Interruptions{1.0, {}, false}}.off());
    CHECK(Noise{.interruptions = variation::Interruptions{0.0, {us}, false}}.off());
}

TEST_CASE("noise and interruptions that repeat after one iteration are those of the first in every other") {
    const std::uint64_t second_iteration = std::uint64_t{1} << kWaveBits;
    for (Noise noise : {Noise{.cv = 0.25}, interrupted(100.0)}) {
        const ComputeTime varies(noise, {1}, 1);
        noise.repeats_after = 1;
        const ComputeTime repeats(noise, {1}, 1);
        CHECK(noise.recurs());
        CHECK(repeats({0}, second_iteration, 3, kSecond, {}) == repeats({0}, 0, 3, kSecond, {}));
        CHECK(varies({0}, second_iteration, 3, kSecond, {}) != varies({0}, 0, 3, kSecond, {}));
        CHECK(varies({0}, 0, 3, kSecond, {}) == repeats({0}, 0, 3, kSecond, {}));
    }
}

TEST_CASE("a block with more interruptions than virtual time can hold is refused") {
    const ComputeTime takes({.interruptions = variation::Interruptions{1e9, kSecond, false}}, {}, 1);
    CHECK_THROWS_AS(takes({0}, 0, 0, kSecond, {}), std::overflow_error);
}

TEST_CASE("noise that repeats after three iterations is that of the second in the fifth") {
    const auto of_iteration = [](std::int64_t repeats_after, std::uint64_t iteration) {
        const ComputeTime takes({.cv = 0.25, .repeats_after = repeats_after}, {1}, 1);
        return takes({0}, iteration << kWaveBits, 3, kSecond, {});
    };
    CHECK(of_iteration(3, 4) == of_iteration(3, 1));
    CHECK(of_iteration(3, 1) == of_iteration(0, 1));
    CHECK(of_iteration(3, 2) != of_iteration(3, 1));
}

TEST_CASE("blocks that differ in rank, iteration, number or seed vary independently of each other") {
    // A correlation of independent values errs by 1 / sqrt(n) = 0.0032; four times that is 0.0127.
    const Noise noise{.cv = 0.25};
    const std::vector<double> values = drawn(noise, kSecond);
    const std::vector<double> before(values.begin(), values.end() - 1);
    const std::vector<double> after(values.begin() + 1, values.end());
    CHECK(std::abs(correlation(before, after)) < 0.0127);
    CHECK(std::abs(correlation(values, drawn(noise, kSecond, {1}, {1}))) < 0.0127);
    CHECK(std::abs(correlation(values, drawn(noise, kSecond, {1}, {0}, 1))) < 0.0127);
    CHECK(std::abs(correlation(values, drawn(noise, kSecond, {2}))) < 0.0127);
}

TEST_CASE("no block's time depends on earlier requests") {
    const Noise noise{.cv = 0.1, .periodic = PeriodicNoise{{100 * us}, {5 * us}}, .classes = {{0.5, 1.0}, {0.5, 0.8}}};
    const ComputeTime takes(noise, {7}, 10);
    const auto ask = [&](std::uint32_t k) {
        return takes({k % 10}, k / 10, static_cast<std::uint16_t>(k % 3), {us}, {std::int64_t{k} * 77 * us});
    };
    std::vector<Time> forwards, backwards;
    for (std::uint32_t k = 0; k < 1000; ++k) forwards.push_back(ask(k));
    for (std::uint32_t k = 1000; k-- > 0;) backwards.insert(backwards.begin(), ask(k));
    CHECK(forwards == backwards);
}

TEST_CASE("periodic noise: 7 ps available, 3 ps away, work ends once its processor time has passed") {
    CHECK(lasts({10}, {3}, {0}, {5}) == Time{5});
    CHECK(lasts({10}, {3}, {0}, {7}) == Time{7});     // done at the moment the processor leaves
    CHECK(lasts({10}, {3}, {0}, {8}) == Time{11});    // 7, away until 10, 1 more
    CHECK(lasts({10}, {3}, {6}, {3}) == Time{6});     // 1 by 7, away until 10, 2 more: done at 12
    CHECK(lasts({10}, {3}, {25}, {16}) == Time{22});  // 2 by 27, 7 by 37, 7 by 47
    CHECK(lasts({10}, {3}, {25}, {17}) == Time{26});  // the last one at 51
    CHECK(lasts({10}, {3}, {9}, {7}) == Time{8});     // begins while the processor is away: 10 to 17
    CHECK(lasts({10}, {3}, {8}, {0}) == Time{0});     // no work needs no processor
}

TEST_CASE("periodic noise equals a walk from picosecond to picosecond") {
    for (std::int64_t start = 0; start < 25; ++start) {
        for (std::int64_t work = 1; work < 30; ++work) {
            std::int64_t now = start;
            for (std::int64_t left = work; left > 0; ++now) left -= now % 11 < 4 ? 1 : 0;
            CHECK(lasts({11}, {7}, {start}, {work}) == Time{now - start});
        }
    }
}

TEST_CASE("periodic noise needs no walk: two periods of a picosecond each, ten to the seventeenth times") {
    const std::int64_t work = 100'000'000'000'000'000;
    CHECK(lasts({2}, {1}, {0}, {work}) == Time{2 * work - 1});
}

TEST_CASE("unaligned periodic noise finds a rank away for the share of its length") {
    // 3 of 10 ps: of 10,000 ranks 3,000 are away at first, give or take sqrt(10,000 * 0.3 * 0.7) = 46; four times: 183.
    const ComputeTime takes({.periodic = PeriodicNoise{{10}, {3}}}, {1}, 10'000);
    int away = 0;
    for (std::uint32_t rank = 0; rank < 10'000; ++rank) away += takes({rank}, 0, 0, {1}, {0}) > Time{1} ? 1 : 0;
    CHECK(std::abs(away - 3000) < 183);
}

TEST_CASE(
    "noise in a block is the derivative of its time by jitter and lengths, and the rest that by its nominal time") {
    constexpr double kChange = 1e-6;
    const auto changed = [](std::int64_t ps, double by) { return Time{std::llround(static_cast<double>(ps) * by)}; };
    const auto noise = [&](double by) {
        return Noise{.cv = 0.1,
                     .jitter = changed(kSecond.ps / 2, by),
                     .interruptions = variation::Interruptions{0.7, changed(kSecond.ps / 3, by), false}};
    };
    const ComputeTime takes(noise(1.0), {1}, 2);
    const ComputeTime takes_more(noise(1.0 + kChange), {1}, 2);
    const Time more = changed(kSecond.ps, 1.0 + kChange);
    for (std::uint32_t number = 0; number < 1000; ++number) {
        const Time time = takes({0}, 0, number, kSecond, {});
        const double of_noise = seconds(takes.noise_in({0}, 0, number, takes.block(kSecond), {}));
        CHECK(seconds(takes_more({0}, 0, number, kSecond, {}) - time) / kChange ==
              doctest::Approx(of_noise).epsilon(1e-4));
        CHECK(seconds(takes({0}, 0, number, more, {}) - time) / kChange ==
              doctest::Approx(seconds(time) - of_noise).epsilon(1e-4));
    }
}

TEST_CASE("noise in a block: the time for which periodic noise interrupts it, and none of a zero block") {
    const ComputeTime takes(Noise{.periodic = PeriodicNoise{Time{10}, Time{3}, true}}, {}, 1);
    CHECK(takes.noise_in({0}, 0, 0, takes.block(Time{20}), {}) == Time{2 * 3});
    CHECK(takes.noise_in({0}, 0, 0, takes.block({}), {}) == Time{});
}

TEST_CASE("speed classes: a rank keeps its class, and the number of ranks in it follows from its share") {
    // 1,000 of 10,000, give or take sqrt(10,000 * 0.1 * 0.9) = 30; four times: 120.
    const ComputeTime takes({.classes = {{0.9, 1.0}, {0.1, 0.8}}}, {1}, 10'000);
    int slow = 0;
    for (std::uint32_t rank = 0; rank < 10'000; ++rank) {
        const Time first = takes({rank}, 0, 0, {8 * us}, {});
        REQUIRE((first == Time{8 * us} || first == Time{10 * us}));  // 8 us / 0.8
        REQUIRE(takes({rank}, 5, 3, {8 * us}, {us}) == first);
        slow += first == Time{10 * us} ? 1 : 0;
    }
    CHECK(std::abs(slow - 1000) < 120);
}

TEST_CASE("a cost map multiplies: a rank's factor, a tile's, both; what it does not name stays") {
    const Noise noise{.map = {{{2}, 7U, 0.5}, {{1}, std::nullopt, 3.0}, {{2}, std::nullopt, 1.25}, {{0}, 4U, 0.0}}};
    const ComputeTime takes(noise, {}, 4);
    const auto of = [&](std::uint32_t rank, std::uint64_t wave) { return takes({rank}, wave, 0, {8 * us}, {}); };
    CHECK(of(0, 0) == Time{8 * us});
    CHECK(of(0, 4) == Time{0});
    CHECK(of(1, 0) == Time{24 * us});
    CHECK(of(2, 6) == Time{10 * us});
    CHECK(of(2, 7) == Time{5 * us});
    CHECK(of(3, 7) == Time{8 * us});
}

TEST_CASE("the least time of a block is that of the fastest rank, the least factor and the least draw") {
    // 1 / 1.25 * 0.5 * 0.5 of 8 us: 1.6 us
    const Noise factors{.classes = {{1.0, 1.25}}, .map = {{{1}, 3U, 0.5}, {{0}, std::nullopt, 0.5}}};
    CHECK(ComputeTime(factors, {}, 2).least({8 * us}) >= Time{8 * us / 5 - 1});
    CHECK(ComputeTime(factors, {}, 2).least({8 * us}) <= Time{8 * us / 5});
    CHECK(ComputeTime({.interruptions = variation::Interruptions{1.0, {us}}}, {}, 2).least({8 * us}) == Time{8 * us});
}

TEST_CASE("no block takes less than the least time of its length") {
    for (const Noise& noise :
         {Noise{.cv = 1.5}, Noise{.jitter = {3 * us}}, Noise{.cv = 0.3, .classes = {{1.0, 1.7}}}}) {
        const ComputeTime takes(noise, {3}, 1000);
        const Time least = takes.least({8 * us});
        for (std::uint32_t rank = 0; rank < 1000; ++rank) {
            for (std::uint32_t wave = 0; wave < 50; ++wave) REQUIRE(takes({rank}, wave, wave, {8 * us}, {}) >= least);
        }
    }
}

TEST_CASE("a tile of a cost map is that tile in every iteration") {
    const ComputeTime takes({.map = {{{0}, 3U, 2.0}}}, {}, 1);
    const std::uint64_t in_fifth_iteration = std::uint64_t{4} << kWaveBits;
    CHECK(takes({0}, in_fifth_iteration + 3, 0, {us}, {}) == Time{2 * us});
    CHECK(takes({0}, in_fifth_iteration + 2, 0, {us}, {}) == Time{us});
}

TEST_CASE("a factor of 1 changes no picosecond of the longest cost") {
    const ComputeTime takes({.map = {{{0}, std::nullopt, 1.0}}}, {}, 1);
    CHECK(takes({0}, 0, 0, kLongestCost - Time{1}, {}) == kLongestCost - Time{1});
}

TEST_CASE("a block that grows beyond the longest cost is reported, never wrapped") {
    const ComputeTime doubled({.map = {{{0}, std::nullopt, 2.0}}}, {}, 1);
    CHECK_THROWS_AS(doubled({0}, 0, 0, kLongestCost, {}), std::overflow_error);
    CHECK_THROWS_AS(lasts({2}, {1}, {0}, kLongestCost), std::overflow_error);
    const ComputeTime stopped({.classes = {{1.0, 1e-320}}}, {}, 1);
    CHECK_THROWS_AS(stopped({0}, 0, 0, {1}, {}), std::overflow_error);
}

TEST_CASE("noise that is off, that recurs in every iteration, and that another seed changes") {
    const Noise varying{.cv = 0.1};
    const Noise never{.periodic = PeriodicNoise{{10}, {0}}};
    const Noise aligned{.periodic = PeriodicNoise{{10}, {1}, true}};
    const Noise classes{.classes = {{0.5, 1.0}, {0.5, 2.0}}};
    const Noise mapped{.map = {{{0}, std::nullopt, 2.0}}};
    const Noise jitter{.jitter = {1}};
    const Noise repeated{.cv = 0.1, .repeats_after = 1};
    for (const Noise& noise : {Noise{}, never}) CHECK(noise.off());
    for (const Noise& noise : {varying, aligned, classes, mapped, jitter, repeated}) CHECK_FALSE(noise.off());
    for (const Noise& noise : {Noise{}, classes, mapped, repeated}) CHECK(noise.recurs());
    for (const Noise& noise : {varying, aligned, jitter}) CHECK_FALSE(noise.recurs());
    for (const Noise& noise : {varying, classes, jitter, repeated}) CHECK(noise.random());
    for (const Noise& noise : {Noise{}, aligned, mapped}) CHECK_FALSE(noise.random());
}

TEST_CASE("the memory it will take is known beforehand") {
    const auto check = [](const Noise& noise) {
        const std::uint64_t held = ComputeTime(noise, {1}, 1000).bytes();
        CHECK(ComputeTime::bytes(noise, 1000) == held);
        return held;
    };
    const PeriodicNoise periodic{.period = kSecond, .length = {us}};
    const std::vector<variation::CostFactor> map{{{3}, 5, 2.0}, {{3}, 6, 2.0}, {{4}, std::nullopt, 2.0}};
    CHECK(check({.cv = 0.1}) == 0);
    CHECK(check({.periodic = periodic}) == 1000 * 8);
    CHECK(check({.classes = {{0.5, 1.0}, {0.5, 2.0}}}) == 1000 * 8);
    // A factor and a first tile of every rank, one more, and two tiles.
    CHECK(check({.map = map}) == 1000 * 8 + 1001 * 8 + 2 * 16);
    CHECK(check({.periodic = periodic, .classes = {{0.5, 1.0}, {0.5, 2.0}}, .map = map}) ==
          1000 * 8 + 1000 * 8 + 1001 * 8 + 2 * 16);
}

// Standard normal numbers compared with their law, and elementary functions with those of the C library.

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
constexpr std::uint64_t kPlaces = std::uint64_t{1} << 20;

/// Returns the bits of the number at place k of kPlaces, evenly over the half below 0, and the probability below it.
std::uint64_t bits_at(std::uint64_t k) { return (2 * k + 1) << 42; }
double probability_at(std::uint64_t k) { return (static_cast<double>(k) + 0.5) / kPlaces / 2.0; }

double relative_error(double value, double expected) { return std::abs(value - expected) / expected; }

}  // namespace

TEST_CASE("quantiles of the standard normal are those of printed tables") {
    CHECK(normal_quantile(0.5) == 0.0);
    CHECK(normal_quantile(0.841344746) == test::approx(1.0).epsilon(1e-8));
    CHECK(normal_quantile(0.975) == test::approx(1.959963985).epsilon(1e-9));
    CHECK(normal_quantile(0.001) == test::approx(-3.090232306).epsilon(1e-9));
    CHECK(normal_quantile(1e-9) == test::approx(-5.997807015).epsilon(1e-9));
}

TEST_CASE("the probability below a quantile is the requested one, with erfc of the C library") {
    for (double p = 1e-16; p < 1.0; p = p < 0.01 ? p * 1.5 : p + 0.001) {
        REQUIRE(relative_error(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p) < 1e-12);
    }
}

TEST_CASE("the first bit is the sign, and the rest the probability; no number is further than 9.2 from 0") {
    for (std::uint64_t k = 0; k < kPlaces; k += 997) {
        REQUIRE(standard_normal(bits_at(k)) < 0.0);
        REQUIRE(standard_normal(bits_at(k) | kSign) == -standard_normal(bits_at(k)));
    }
    for (const std::uint64_t furthest : {std::uint64_t{0}, kSign}) CHECK(std::abs(standard_normal(furthest)) < 9.2);
}

TEST_CASE("a number is no further than 1.7e-4 from the quantile of its probability, and equal to it in the tails") {
    for (std::uint64_t k = 0; k < kPlaces; ++k) {
        const double distance = std::abs(standard_normal(bits_at(k)) - normal_quantile(probability_at(k)));
        REQUIRE(distance < (probability_at(k) < 1.0 / 64 ? 1e-12 : 1.7e-4));
    }
}

TEST_CASE("the variance is 1 but for what lines between quantiles add, 1.25e-5") {
    double squares = 0.0;
    for (std::uint64_t k = 0; k < kPlaces; ++k) squares += standard_normal(bits_at(k)) * standard_normal(bits_at(k));
    // Half a place of the tail, which is 6e-7 of the half, is worth 30 squares: 2e-5 at the most.
    CHECK(std::abs(squares / kPlaces - 1.0) < 3.5e-5);
}

TEST_CASE("e^x is that of the C library to its last bits") {
    CHECK(exponential(0.0) == 1.0);
    for (int k = -70'000; k <= 70'000; ++k) {
        const double x = k * 0.0099973;
        REQUIRE(relative_error(exponential(x), std::exp(x)) < 1e-15);
    }
}

TEST_CASE("ln(1 + y) is that of the C library to its last bits, for the least y too") {
    CHECK(logarithm_of_1_and(0.0) == 0.0);
    for (double y = 1e-18; y < 1e6; y *= 1.001) {
        REQUIRE(relative_error(logarithm_of_1_and(y), std::log1p(y)) < 1e-15);
    }
}
