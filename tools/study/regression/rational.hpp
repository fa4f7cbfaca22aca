// Linear equations over the rationals, solved by elimination. There is no rounding, so either a solution is exact or
// there is none.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace warpfront::regression {

using Rational = boost::multiprecision::cpp_rational;

/// Returns for each of `ys` the coefficients x with rows * x = y; nothing if there are none. A column that depends on
/// those before it gets 0.
std::vector<std::optional<std::vector<Rational>>> solve(std::vector<std::vector<Rational>> rows,
                                                        std::span<const std::vector<Rational>> ys);

}  // namespace warpfront::regression
