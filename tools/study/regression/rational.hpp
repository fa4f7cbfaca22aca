// Solves linear equations over the rationals by elimination. There is no rounding, so a solution is exact or does not
// exist.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace warpfront::regression {

using Rational = boost::multiprecision::cpp_rational;

/// Returns, for each y in `ys`, the coefficients x with rows * x = y, or nothing if there are none. A column that
/// depends linearly on the columns before it gets the coefficient 0.
std::vector<std::optional<std::vector<Rational>>> solve(std::vector<std::vector<Rational>> rows,
                                                        std::span<const std::vector<Rational>> ys);

}  // namespace warpfront::regression
