#include <fmt/format.h>

#include <cmath>

#include "psl/syntax/value.hpp"

namespace warpfront::psl {
namespace {

[[noreturn]] void overflow(OperatorKind op, const Value& a, const Value& b) {
    throw EvaluationError{DiagnosticKind::bad_arithmetic,
                          fmt::format("`{} {} {}` does not fit 64 bits", to_text(a), op_name(op), to_text(b))};
}

bool is_floating(Kind kind) { return kind == Kind::real || kind == Kind::time || kind == Kind::rate; }

long double as_real(const Value& value) {
    return is_floating(value.kind) ? value.amount : static_cast<long double>(value.whole);
}

Value floating(Kind kind, long double amount) {
    if (!std::isfinite(amount))
        throw EvaluationError{DiagnosticKind::bad_arithmetic, "the result exceeds the range of real numbers"};
    return {kind, 0, amount};
}

Value whole_from(long double amount) {
    constexpr long double kEnd = 9223372036854775808.0L;
    if (!(amount >= -kEnd && amount < kEnd)) {
        throw EvaluationError{DiagnosticKind::bad_arithmetic,
                              fmt::format("{:.6g} does not fit an int", static_cast<double>(amount))};
    }
    return integer(static_cast<std::int64_t>(amount));
}

Kind kind_of(OperatorKind op, const Value& a, const Value& b) {
    const Kind kinds[]{a.kind, b.kind};
    return result_kind(op, kinds).value_or(Kind::any);
}

Value sum_or_product(OperatorKind op, const Value& a, const Value& b) {
    const Kind kind = kind_of(op, a, b);
    if (kind == Kind::integer || kind == Kind::bytes) {
        std::int64_t result = 0;
        const bool wrapped = op == OperatorKind::add        ? __builtin_add_overflow(a.whole, b.whole, &result)
                             : op == OperatorKind::subtract ? __builtin_sub_overflow(a.whole, b.whole, &result)
                                                            : __builtin_mul_overflow(a.whole, b.whole, &result);
        if (wrapped) overflow(op, a, b);
        return {kind, result, 0.0L};
    }
    const long double x = as_real(a);
    const long double y = as_real(b);
    return floating(kind, op == OperatorKind::add ? x + y : op == OperatorKind::subtract ? x - y : x * y);
}

void refuse_zero(const Value& divisor, std::string_view what) {
    if (as_real(divisor) == 0.0L)
        throw EvaluationError{DiagnosticKind::bad_arithmetic, fmt::format("{} by zero", what)};
}

/// Divides ints, bytes by an int, or bytes by bytes.
Value whole_division(OperatorKind op, const Value& a, const Value& b) {
    const auto counted = [&](std::int64_t whole) { return Value{kind_of(op, a, b), whole, 0.0L}; };
    refuse_zero(b, op == OperatorKind::share ? "a share" : op == OperatorKind::quotient ? "a quotient" : "a remainder");
    if (b.whole == -1) {
        if (op == OperatorKind::remainder) return counted(0);
        if (a.whole == std::numeric_limits<std::int64_t>::min()) overflow(op, a, b);
        return counted(-a.whole);
    }
    const std::int64_t quotient = a.whole / b.whole;
    const std::int64_t remainder = a.whole % b.whole;
    if (op == OperatorKind::remainder) return counted(remainder);
    if (op == OperatorKind::quotient) return counted(quotient);
    return counted(quotient + (remainder != 0 && (remainder > 0) == (b.whole > 0) ? 1 : 0));
}

Value division(const Value& a, const Value& b) {
    refuse_zero(b, "division");
    const Kind kind = kind_of(OperatorKind::divide, a, b);
    constexpr long double kPicosecondsPerSecond = 1e12L;
    if (b.kind == Kind::rate && kind == Kind::time)
        return floating(kind, as_real(a) / b.amount * kPicosecondsPerSecond);
    if (kind != Kind::bytes) return floating(kind, as_real(a) / as_real(b));
    if (whole_division(OperatorKind::remainder, a, b).whole == 0) return whole_division(OperatorKind::quotient, a, b);
    throw EvaluationError{
        DiagnosticKind::bad_arithmetic,
        fmt::format("`{0} / {1}` is not a whole number of bytes: `share(a, b)` rounds up, `quotient(a, b)` rounds "
                    "towards zero",
                    to_text(a), to_text(b))};
}

/// Computes a power by repeated squaring. The last square is not computed, since the result does not need it and it
/// could overflow.
Value whole_power(const Value& base, const Value& exponent) {
    if (exponent.whole < 0) {
        throw EvaluationError{
            DiagnosticKind::bad_arithmetic,
            fmt::format("`{0} ^ {1}` is not an int: `{0}.0 ^ {1}` is a real", base.whole, exponent.whole)};
    }
    std::int64_t result = 1;
    std::int64_t square = base.whole;
    for (std::int64_t left = exponent.whole; left > 0;) {
        if (left % 2 == 1 && __builtin_mul_overflow(result, square, &result)) {
            overflow(OperatorKind::power, base, exponent);
        }
        left /= 2;
        if (left > 0 && __builtin_mul_overflow(square, square, &square)) overflow(OperatorKind::power, base, exponent);
    }
    return integer(result);
}

Value raised(const Value& base, const Value& exponent) {
    if (kind_of(OperatorKind::power, base, exponent) == Kind::integer) return whole_power(base, exponent);
    const long double result = std::pow(as_real(base), as_real(exponent));
    if (std::isfinite(result)) return {Kind::real, 0, result};
    throw EvaluationError{DiagnosticKind::bad_arithmetic,
                          fmt::format("`{} ^ {}` is not a number", to_text(base), to_text(exponent))};
}

Value list_index(const Value& index, const Value& length) {
    if (index.whole >= 1 && index.whole <= length.whole) return index;
    throw EvaluationError{
        DiagnosticKind::out_of_range,
        fmt::format("a list of {} items has no item {}; the first item is 1", length.whole, index.whole)};
}

int order(const Value& a, const Value& b) {
    if (!is_floating(a.kind) && b.kind != Kind::real) {
        return a.whole < b.whole ? -1 : a.whole > b.whole ? 1 : 0;
    }
    const long double x = as_real(a);
    const long double y = as_real(b);
    return x < y ? -1 : x > y ? 1 : 0;
}

Value comparison(OperatorKind op, const Value& a, const Value& b) {
    const int sign = order(a, b);
    switch (op) {
        case OperatorKind::less: return boolean(sign < 0);
        case OperatorKind::less_equal: return boolean(sign <= 0);
        case OperatorKind::greater: return boolean(sign > 0);
        case OperatorKind::greater_equal: return boolean(sign >= 0);
        case OperatorKind::equal: return boolean(sign == 0);
        default: return boolean(sign != 0);
    }
}

Value extremum(OperatorKind op, const Value& a, const Value& b) {
    const Value& chosen = (order(a, b) <= 0) == (op == OperatorKind::minimum) ? a : b;
    if (kind_of(op, a, b) == Kind::real) return {Kind::real, 0, as_real(chosen)};
    return chosen;
}

Value negated(const Value& a) {
    if (a.kind == Kind::real || a.kind == Kind::time) return {a.kind, 0, -a.amount};
    return sum_or_product(OperatorKind::subtract, integer(0), a);
}

Value logarithm(const Value& a) {
    const long double x = as_real(a);
    if (!(x > 0.0L))
        throw EvaluationError{DiagnosticKind::bad_arithmetic, fmt::format("`log2({})` is not a number", to_text(a))};
    return {Kind::real, 0, std::log2(x)};
}

Value unary(OperatorKind op, const Value& a) {
    switch (op) {
        case OperatorKind::negate: return negated(a);
        case OperatorKind::logical_not: return boolean(a.whole == 0);
        case OperatorKind::absolute: return order(a, Value{a.kind, 0, 0.0L}) < 0 ? negated(a) : a;
        case OperatorKind::ceiling: return whole_from(std::ceil(as_real(a)));
        case OperatorKind::floor: return whole_from(std::floor(as_real(a)));
        case OperatorKind::round: return whole_from(std::round(as_real(a)));
        case OperatorKind::log2: return logarithm(a);
        case OperatorKind::power_of_two: return boolean(a.whole > 0 && (a.whole & (a.whole - 1)) == 0);
        case OperatorKind::exists: return boolean(a.whole != kNobody);
        default: return {Kind::real, 0, as_real(a)};  // this is to_real
    }
}

Value rank_at(const Value& column, const Value& row, const Value& plane, const RankGrid& grid) {
    const auto outside = [](const Value& at, std::uint32_t side) { return at.whole < 1 || at.whole > side; };
    if (outside(column, grid.columns) || outside(row, grid.rows) || outside(plane, grid.planes)) {
        const std::string in_plane = fmt::format("column {}, row {}", column.whole, row.whole);
        const bool one_plane = grid.planes == 1 && plane.whole == 1;
        throw EvaluationError{
            DiagnosticKind::peer_outside,
            fmt::format("{} is outside the process grid of {} ranks",
                        one_plane ? in_plane : fmt::format("{}, plane {}", in_plane, plane.whole), as_text(grid))};
    }
    const Rank rank = grid.at(static_cast<std::uint32_t>(column.whole), static_cast<std::uint32_t>(row.whole),
                              static_cast<std::uint32_t>(plane.whole));
    return {Kind::peer, rank.index, 0.0L};
}

Value neighbour(OperatorKind op, const EvaluationContext& here) {
    const RankGrid& grid = here.grid;
    const std::int64_t row = grid.columns;
    const std::int64_t plane = row * grid.rows;
    const auto at = [&](std::int64_t distance, bool exists) {
        return Value{Kind::peer, exists ? here.rank() + distance : kNobody, 0.0L};
    };
    switch (op) {
        case OperatorKind::west: return at(-1, here.column > 1);
        case OperatorKind::east: return at(1, here.column < grid.columns);
        case OperatorKind::north: return at(-row, here.row > 1);
        case OperatorKind::south: return at(row, here.row < grid.rows);
        case OperatorKind::up: return at(plane, here.plane < grid.planes);
        default: return at(-plane, here.plane > 1);
    }
}

}  // namespace

OperatorKind direction(OperatorKind op, program::Corner start) {
    const bool from_west = start == program::Corner::northwest || start == program::Corner::southwest;
    const bool from_north = start == program::Corner::northwest || start == program::Corner::northeast;
    switch (op) {
        case OperatorKind::upstream_x: return from_west ? OperatorKind::west : OperatorKind::east;
        case OperatorKind::downstream_x: return from_west ? OperatorKind::east : OperatorKind::west;
        case OperatorKind::upstream_y: return from_north ? OperatorKind::north : OperatorKind::south;
        default: return from_north ? OperatorKind::south : OperatorKind::north;
    }
}

bool depends_on_rank(OperatorKind op) { return op >= OperatorKind::column && op <= OperatorKind::downstream_y; }

Value compute(OperatorKind op, std::span<const Value> operands, const EvaluationContext& here) {
    switch (op) {
        case OperatorKind::column: return integer(here.column);
        case OperatorKind::row: return integer(here.row);
        case OperatorKind::plane: return integer(here.plane);
        case OperatorKind::rank: return integer(here.rank());
        case OperatorKind::west:
        case OperatorKind::east:
        case OperatorKind::north:
        case OperatorKind::south:
        case OperatorKind::up:
        case OperatorKind::down: return neighbour(op, here);
        case OperatorKind::upstream_x:
        case OperatorKind::upstream_y:
        case OperatorKind::downstream_x:
        case OperatorKind::downstream_y:
            return neighbour(direction(op, static_cast<program::Corner>(operands[0].whole)), here);
        case OperatorKind::rank_at: return rank_at(operands[0], operands[1], operands[2], here.grid);
        case OperatorKind::add:
        case OperatorKind::subtract:
        case OperatorKind::multiply: return sum_or_product(op, operands[0], operands[1]);
        case OperatorKind::divide: return division(operands[0], operands[1]);
        case OperatorKind::power: return raised(operands[0], operands[1]);
        case OperatorKind::list_index: return list_index(operands[0], operands[1]);
        case OperatorKind::remainder:
        case OperatorKind::quotient:
        case OperatorKind::share: return whole_division(op, operands[0], operands[1]);
        case OperatorKind::less:
        case OperatorKind::less_equal:
        case OperatorKind::greater:
        case OperatorKind::greater_equal:
        case OperatorKind::equal:
        case OperatorKind::not_equal: return comparison(op, operands[0], operands[1]);
        case OperatorKind::logical_and: return boolean(operands[0].whole != 0 && operands[1].whole != 0);
        case OperatorKind::logical_or: return boolean(operands[0].whole != 0 || operands[1].whole != 0);
        case OperatorKind::minimum:
        case OperatorKind::maximum: return extremum(op, operands[0], operands[1]);
        default: return unary(op, operands[0]);
    }
}

std::string to_text(const Value& value) {
    static constexpr std::string_view kCorners[]{"northwest", "northeast", "southwest", "southeast"};
    switch (value.kind) {
        case Kind::real: return fmt::format("{:.10g}", static_cast<double>(value.amount));
        case Kind::time: return fmt::format("{:.10g} us", static_cast<double>(value.amount * 1e-6L));
        case Kind::rate: return fmt::format("{:.10g} Mflops", static_cast<double>(value.amount * 1e-6L));
        case Kind::bytes: return fmt::format("{} B", value.whole);
        case Kind::boolean: return value.whole != 0 ? "true" : "false";
        case Kind::corner: return std::string(kCorners[static_cast<std::size_t>(value.whole)]);
        case Kind::peer: return value.whole == kNobody ? "nobody" : fmt::format("rank {}", value.whole);
        default: return fmt::format("{}", value.whole);
    }
}

}  // namespace warpfront::psl
