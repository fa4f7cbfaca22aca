// Numbers that are compared with a relative tolerance. Unless its scale is nearly zero doctest adds it to the compared
// numbers: with the default of one 5e-9 equals 3e-9.
#pragma once

#include "tests/preamble.hpp"

namespace warpfront::test {

inline doctest::Approx approx(double value) { return doctest::Approx(value).scale(1e-300); }

}  // namespace warpfront::test
