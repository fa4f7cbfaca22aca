// Standard normal numbers held to their law, and elementary functions to those of the C library.
#include "simulator/variation/normal.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

using namespace warpfront;
using variation::exponential;
using variation::logarithm_of_1_and;
using variation::normal_quantile;
using variation::standard_normal;

namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
constexpr std::uint64_t kPlaces = std::uint64_t{1} << 20;

/// The bits of the number at place k of kPlaces, evenly over the half below 0, and the probability below it.
std::uint64_t bits_at(std::uint64_t k) { return (2 * k + 1) << 42; }
double probability_at(std::uint64_t k) { return (static_cast<double>(k) + 0.5) / kPlaces / 2.0; }

double relative_error(double value, double expected) { return std::abs(value - expected) / expected; }

}  // namespace

TEST_CASE("quantiles of the standard normal are those of printed tables") {
    CHECK(normal_quantile(0.5) == 0.0);
    CHECK(normal_quantile(0.841344746) == doctest::Approx(1.0).epsilon(1e-8));
    CHECK(normal_quantile(0.975) == doctest::Approx(1.959963985).epsilon(1e-9));
    CHECK(normal_quantile(0.001) == doctest::Approx(-3.090232306).epsilon(1e-9));
    CHECK(normal_quantile(1e-9) == doctest::Approx(-5.997807015).epsilon(1e-9));
}

TEST_CASE("the probability below a quantile is what it was asked for, erfc being the C library's") {
    for (double p = 1e-16; p < 1.0; p = p < 0.01 ? p * 1.5 : p + 0.001) {
        REQUIRE(relative_error(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p) < 1e-12);
    }
}

TEST_CASE("the first bit is the sign, and the rest the probability") {
    for (std::uint64_t k = 0; k < kPlaces; k += 997) {
        REQUIRE(standard_normal(bits_at(k)) < 0.0);
        REQUIRE(standard_normal(bits_at(k) | kSign) == -standard_normal(bits_at(k)));
    }
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

TEST_CASE("no number is further than 9.2 from 0") {
    CHECK(std::abs(standard_normal(0)) < 9.2);
    CHECK(std::abs(standard_normal(kSign)) < 9.2);
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
