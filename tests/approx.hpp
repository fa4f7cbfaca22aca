// Numbers that are compared with a relative tolerance. Without a scale of zero doctest adds one to the compared
// numbers, so 5e-9 would equal 3e-9.
#pragma once

#include <doctest/doctest.h>

namespace warpfront::test {

inline doctest::Approx approx(double value) { return doctest::Approx(value).scale(0); }

}  // namespace warpfront::test
