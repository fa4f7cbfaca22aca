// The terms of a closed form: products of a cost and a count. Costs and counts are 64-bit, so a product may exceed
// WideTime; it is then refused and never wraps.
//
// Invariant: no term exceeds `kLongestTerm`, so no sum of terms that fit in memory can wrap.
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

/// `computing` taken `factor` times (at least 0), to the nearest picosecond. Throws BadInput (closed_form_overflow) if
/// that exceeds 46 days; `why` says in its message what the factor is.
Time scaled(Time computing, double factor, std::string_view why);

/// S * G as a cost. Throws BadInput (closed_form_overflow) if that exceeds the longest cost.
Time byte_time(Bytes size, Gap gap);

}  // namespace warpfront::analytic
