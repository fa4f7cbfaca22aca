// MPI's datatypes by their numbers in traces of SMPI 3.32.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/units/bytes.hpp"

namespace warpfront::trace {

/// The number of every derived datatype (MPI_Type_vector and so on): SMPI does not write which one.
inline constexpr std::int64_t kDerivedType = -1;
inline constexpr std::int64_t kLastType = 59;
inline constexpr Bytes kLargestType{32};

/// Bytes of one element; 0 for kDerivedType, as in SMPI's own replay. Nothing if SMPI has no such number.
std::optional<Bytes> size_of_type(std::int64_t number);

}  // namespace warpfront::trace
