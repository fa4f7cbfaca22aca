// A value of PSL, and the arithmetic on values. Folding and the evaluation for one rank use the same function, so their
// results cannot differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "psl/syntax/types.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::psl {

inline constexpr std::int64_t kNobody = -1;

struct Value {
    Kind kind = Kind::any;
    /// The value of an int, bytes, a bool (0 or 1), a corner (program::Corner) or a peer (a rank or kNobody).
    std::int64_t whole = 0;
    long double amount = 0.0L;  // the value of a real, a time in picoseconds, or a rate in operations per second
    friend bool operator==(const Value&, const Value&) = default;
};

inline Value integer(std::int64_t whole) { return {Kind::integer, whole, 0.0L}; }
inline Value boolean(bool truth) { return {Kind::boolean, truth ? 1 : 0, 0.0L}; }

/// An error of the arithmetic: overflow, division by zero, or coordinates outside the process grid.
struct EvaluationError {
    DiagnosticKind kind;
    std::string message;
};

/// The rank for which an expression is evaluated.
struct EvaluationContext {
    RankGrid grid;
    std::uint32_t column = 1;
    std::uint32_t row = 1;
    std::uint32_t plane = 1;
    std::span<const std::int64_t> indices{};  // indices of the enclosing lists and tasks

    std::int64_t rank() const { return grid.at(column, row, plane).index; }
};

/// Computes `op` on values of kinds that the checker has accepted. Throws EvaluationError. `op` must not be `literal`,
/// `choose` or `loop_variable`.
Value compute(OperatorKind op, std::span<const Value> operands, const EvaluationContext& here);

/// Returns true if `op` depends on the rank even with constant operands.
bool depends_on_rank(OperatorKind op);

/// Returns the direction, `west`, `east`, `north` or `south`, of an operation such as `upstream_x(corner)`.
OperatorKind direction(OperatorKind op, program::Corner start);

/// Formats a value for messages: "12", "0.414 us", "8 B", "true", "southeast".
std::string to_text(const Value& value);

}  // namespace warpfront::psl
