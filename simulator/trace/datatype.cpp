#include "simulator/trace/datatype.hpp"

#include <array>

namespace warpfront::trace {

namespace {

/// On x86-64, as obtained from SMPI by `tests/trace/recorded/datatypes.c`.
constexpr std::array<std::int64_t, kLastType + 1> kBytes{
    8,  4,  1,  2,  8,   // 0 DOUBLE, INT, CHAR, SHORT, LONG
    4,  1,  8,  1,  1,   // 5 FLOAT, BYTE, LONG_LONG, SIGNED_CHAR, UNSIGNED_CHAR
    2,  4,  8,  8,  16,  // 10 UNSIGNED_SHORT, UNSIGNED, UNSIGNED_LONG, UNSIGNED_LONG_LONG, LONG_DOUBLE
    4,  1,  1,  2,  4,   // 15 WCHAR, C_BOOL, INT8_T, INT16_T, INT32_T
    8,  1,  2,  4,  8,   // 20 INT64_T, UINT8_T, UINT16_T, UINT32_T, UINT64_T
    8,  16, 32, 8,  8,   // 25 C_FLOAT_COMPLEX, C_DOUBLE_COMPLEX, C_LONG_DOUBLE_COMPLEX, AINT, OFFSET
    8,  16, 16, 8,  8,   // 30 FLOAT_INT, LONG_INT, DOUBLE_INT, SHORT_INT, 2INT
    8,  16, 16, 4,  4,   // 35 2FLOAT, 2DOUBLE, 2LONG, REAL, REAL4
    8,  16, 8,  16, 16,  // 40 REAL8, REAL16, COMPLEX8, COMPLEX16, COMPLEX32
    4,  2,  4,  8,  16,  // 45 INTEGER1, INTEGER2, INTEGER4, INTEGER8, INTEGER16: as SMPI has them
    32, 1,  8,  16, 32,  // 50 LONG_DOUBLE_INT, CXX_BOOL, CXX_FLOAT_COMPLEX, _DOUBLE_, _LONG_DOUBLE_
    0,  0,  1,  8,  8};  // 55 UB, LB, PACKED, a pointer, COUNT

}  // namespace

std::optional<Bytes> size_of_type(std::int64_t number) {
    if (number == kDerivedType) return Bytes{0};
    if (number < 0 || number > kLastType) return std::nullopt;
    return Bytes{kBytes[static_cast<std::size_t>(number)]};
}

}  // namespace warpfront::trace
