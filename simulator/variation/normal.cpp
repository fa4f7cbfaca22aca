#include "simulator/variation/normal.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace warpfront::variation {

namespace {

/// Returns c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
template <std::size_t N>
constexpr double polynomial(const std::array<double, N>& c, double x) {
    double sum = c[N - 1];
    for (std::size_t k = N - 1; k-- > 0;) sum = sum * x + c[k];
    return sum;
}

// ln 2 as a sum: the first term has 32 bits, so that its products with integers of 20 bits are exact.
constexpr double kLn2 = 0x1.62e42feep-1;
constexpr double kLn2Rest = 0x1.a39ef35793c76p-33;

/// Returns ln((1 + z) / (1 - z)) for |z| <= 0.172 by the series 2 (z + z^3 / 3 + z^5 / 5 + ...).
constexpr double logarithm_of_ratio(double z) {
    const double square = z * z;
    double sum = 0.0;
    for (int power = 23; power >= 1; power -= 2) sum = sum * square + 1.0 / power;
    return 2.0 * z * sum;
}

/// Returns ln x for a positive normal number x = m 2^k with m in [sqrt(1/2), sqrt(2)).
double logarithm(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int power = static_cast<int>(bits >> 52) - 1023;
    double mantissa = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
    if (mantissa >= 0x1.6a09e667f3bcdp0) {
        mantissa *= 0.5;
        ++power;
    }
    return power * kLn2 + (power * kLn2Rest + logarithm_of_ratio((mantissa - 1.0) / (mantissa + 1.0)));
}

// e^x = 2^(k / 64) e^r with |r| <= ln 2 / 128.
constexpr std::size_t kParts = 64;

/// The roots 2^(k / 64), computed by the series of e^x.
constexpr std::array<double, kParts> kRoots = [] {
    std::array<double, kParts> roots{};
    for (std::size_t k = 0; k < kParts; ++k) {
        const double x = static_cast<double>(k) / kParts * (kLn2 + kLn2Rest);
        double sum = 1.0;
        for (int n = 20; n >= 1; --n) sum = 1.0 + x / n * sum;
        roots[k] = sum;
    }
    return roots;
}();

/// A table of the quantile function between its tails: quantiles of k / 1024 for k up to 512.
constexpr std::size_t kBins = 512;
constexpr std::size_t kTailBins = 16;

using Knots = std::array<double, kBins + 1>;

Knots make_knots() {
    Knots knots{};
    for (std::size_t k = kTailBins; k <= kBins; ++k) knots[k] = normal_quantile(static_cast<double>(k) / 1024.0);
    return knots;
}

}  // namespace

double normal_quantile(double p) {
    // Wichura's coefficients of numerator and denominator. There are three pairs: for |p - 1/2| <= 0.425, for r =
    // sqrt(-ln p) up to 5, and for r above 5.
    constexpr std::array kA{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                            1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                            3.3430575583588128105e4, 2.5090809287301226727e3};
    constexpr std::array kB{1.0,
                            4.2313330701600911252e1,
                            6.8718700749205790830e2,
                            5.3941960214247511077e3,
                            2.1213794301586595867e4,
                            3.9307895800092710610e4,
                            2.8729085735721942674e4,
                            5.2264952788528545610e3};
    constexpr std::array kC{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                            3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                            2.27238449892691845833e-2, 7.74545014278341407640e-4};
    constexpr std::array kD{1.0,
                            2.05319162663775882187e0,
                            1.67638483018380384940e0,
                            6.89767334985100004550e-1,
                            1.48103976427480074590e-1,
                            1.51986665636164571966e-2,
                            5.47593808499534494600e-4,
                            1.05075007164441684324e-9};
    constexpr std::array kE{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                            2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                            2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr std::array kF{1.0,
                            5.99832206555887937690e-1,
                            1.36929880922735805310e-1,
                            1.48753612908506148525e-2,
                            7.86869131145613259100e-4,
                            1.84631831751005468180e-5,
                            1.42151175831644588870e-7,
                            2.04426310338993978564e-15};
    const double from_half = p - 0.5;
    if (std::abs(from_half) <= 0.425) {
        const double r = 0.180625 - from_half * from_half;
        return from_half * polynomial(kA, r) / polynomial(kB, r);
    }
    const double r = std::sqrt(-logarithm(from_half < 0.0 ? p : 1.0 - p));
    const double distance = r <= 5.0 ? polynomial(kC, r - 1.6) / polynomial(kD, r - 1.6)
                                     : polynomial(kE, r - 5.0) / polynomial(kF, r - 5.0);
    return from_half < 0.0 ? -distance : distance;
}

double standard_normal(std::uint64_t bits) {
    static const Knots knots = make_knots();
    constexpr unsigned kWithin = 54;  // bits of the position within a bin
    const std::uint64_t below = bits & ~(std::uint64_t{1} << 63);
    const std::size_t bin = below >> kWithin;
    double number = 0.0;
    if (bin < kTailBins) [[unlikely]] {
        number = normal_quantile((static_cast<double>(below) + 0.5) * 0x1p-64);
    } else {
        const double place = static_cast<double>(below & ((std::uint64_t{1} << kWithin) - 1)) * 0x1p-54;
        number = knots[bin] + place * (knots[bin + 1] - knots[bin]);
    }
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) ^ (bits & (std::uint64_t{1} << 63)));
}

double exponential(double x) {
    constexpr double kRound = 0x1.8p52;  // adding this number rounds to an integer, which is then in the last bits
    const double shifted = x * (kParts * 0x1.71547652b82fep0) + kRound;
    const auto k = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(shifted) << 12) >> 12;
    const double whole = shifted - kRound;
    const double r = (x - whole * (kLn2 / kParts)) - whole * (kLn2Rest / kParts);
    const double square = r * r;
    const double rest = r + square * (0.5 + r * (1.0 / 6)) + square * square * (1.0 / 24 + r * (1.0 / 120));
    const double root = kRoots[static_cast<std::size_t>(k) % kParts];
    const double scale = std::bit_cast<double>(static_cast<std::uint64_t>((k >> 6) + 1023) << 52);
    return (root + root * rest) * scale;
}

double logarithm_of_1_and(double y) { return y < 0.4 ? logarithm_of_ratio(y / (2.0 + y)) : logarithm(1.0 + y); }

}  // namespace warpfront::variation
