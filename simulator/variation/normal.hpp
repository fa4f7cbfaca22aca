// Standard normal numbers, and the functions that make lognormal numbers of them. The bits are the same with any
// compiler, C library and processor: the operations are additions, multiplications, divisions and square roots in
// double precision, each rounded once (IEEE 754), in a fixed order. CMakeLists.txt prevents compilers from fusing a
// multiplication with an addition.
//
// U are 64 uniform bits. The first bit is the sign, and p = (the others + 1/2) / 2^64 is in (0, 1/2). Q is the quantile
// function of the standard normal (Wichura 1988, "Algorithm AS 241: the percentage points of the normal distribution").
//   g = -+ Q(p)                    if p < 1/64
//   g = -+ (Q linear in p between the multiples of 1/1024)       otherwise; at most 1.7e-4 from Q(p)
// So g is symmetric, |g| < 9.2, and its variance is 1 + 1.25e-5. One block in 32 uses the first formula.
#pragma once

#include <cstdint>

namespace warpfront::variation {

/// The bound of |g|. No standard normal number is further from 0.
inline constexpr double kMostDeviations = 9.2;

/// Returns a standard normal number made of 64 uniform bits.
double standard_normal(std::uint64_t bits);

/// Returns the p-quantile of the standard normal distribution, with p in (0, 1).
double normal_quantile(double p);

/// Returns e^x for |x| <= 700, with a relative error of 1e-15.
double exponential(double x);

/// Returns ln(1 + y) for y >= 0, with a relative error of 1e-15.
double logarithm_of_1_and(double y);

}  // namespace warpfront::variation
