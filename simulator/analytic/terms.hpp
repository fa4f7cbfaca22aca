// The terms a closed form is summed from: products of a cost and a count. Costs and counts are 64-bit, so a product
// may be too long even for WideTime; it is refused instead of wrapped.
//
// Invariant: no term exceeds `kLongestTerm`, so a sum of as many terms as memory can hold cannot wrap either.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::analytic {

inline constexpr WideTime kLongestTerm{Wide{1} << 90};  // 39 million years

/// `cost` taken `count` times (both at least 0). Throws BadInput (closed_form_overflow), naming `what`.
WideTime times(WideTime cost, std::int64_t count, std::string_view what);

/// S * G as a cost. Throws BadInput (closed_form_overflow) where that is longer than a cost may be.
Time byte_time(Bytes size, Gap gap);

}  // namespace warpfront::analytic
