// The types of PSL, and the only table of its operations. The table contains every operator and built-in function, the
// kinds of the operands and the kind of the result. The checker uses the kinds, and value.cpp computes the values.
//
//   int     64-bit, exact; overflow is an error       time   picoseconds in long double, rounded once, as a cost
//   real    long double                               bytes  64-bit, exact
//   rate    operations per second in long double; bool, corner, peer (a rank or nobody); lists of any of these
//
// Dimensions: time * number, time / number, time / time -> real; number / rate -> time, rate * number; bytes * int,
// bytes / int (an error unless whole), bytes / bytes -> real. The operands of sums, comparisons, `min` and `max` have
// the same dimension. int / int is a real; `quotient`, `share` and `%` divide ints, bytes by ints, and bytes by bytes,
// as whole numbers. int ^ int is an int.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpfront::psl {

static_assert(std::numeric_limits<long double>::digits >= 64, "costs need 64 bits of mantissa");

/// Kinds of values. `any` fits every kind: an expression with an error has it, and the items of an empty list.
enum class Kind : std::uint8_t { any, integer, real, time, bytes, boolean, corner, peer, rate };

struct Type {
    Kind kind = Kind::any;
    bool list = false;
    friend constexpr bool operator==(Type, Type) = default;
};

std::string type_name(Type type);  // "int", "[corner]"
std::optional<Kind> kind_named(std::string_view name);
std::span<const std::string> kind_names();
/// Returns true if a value of type `from` is accepted where `to` is expected. An int is accepted as a real.
bool fits(Type from, Type to);
/// Returns the common type of `a` and `b`. Returns nothing if there is none.
std::optional<Type> common_type(Type a, Type b);

enum class OperatorKind : std::uint8_t {
    literal,
    // Values that depend on the rank or on a loop's variable.
    column,
    row,
    plane,
    rank,
    west,
    east,
    north,
    south,
    up,
    down,
    upstream_x,
    upstream_y,
    downstream_x,
    downstream_y,
    task_index,  // index of a list or a task; its number counts all enclosing indices
    loop_variable,
    // Operators.
    negate,
    logical_not,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    power,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    choose,
    // Functions.
    quotient,
    share,
    minimum,
    maximum,
    absolute,
    ceiling,
    floor,
    round,
    log2,
    power_of_two,
    exists,
    rank_at,
    length,       // length of a list
    list_index,   // (index, length): checks that the list has this item, and returns the index
    interpolate,  // (x, list, list): folding replaces it by operations on its segments
    to_real,
};

/// Returns the kind of the result of `op`. Returns nothing if `op` is not defined for these operands. If an operand has
/// an error, the result is `any`.
std::optional<Kind> result_kind(OperatorKind op, std::span<const Kind> operands);
/// Returns the name of the operation in messages: "`+`", "`share`".
std::string_view op_name(OperatorKind op);

struct Function {
    std::string_view name;
    OperatorKind op;
    std::size_t arity;
    std::string_view takes;  // the arguments in messages, such as "two ints"
    std::size_t most = 0;    // the greatest number of arguments, if not `arity`
};
const Function* find_function(std::string_view name);
std::span<const std::string> function_names();

/// A value that is always in scope. A constant gets its value when the program is lowered. Some names are common words.
/// A model may declare variables with these names, which then hide the built-in value.
struct Builtin {
    enum class Constant : std::uint8_t {
        none,
        columns,
        rows,
        planes,
        ranks,
        iterations,
        nobody,
        northwest,
        northeast,
        southwest,
        southeast
    };
    std::string_view name;
    Kind kind;
    OperatorKind op;  // operator of the value; literal for a constant
    Constant constant = Constant::none;
    bool may_be_hidden = false;
};
const Builtin* find_builtin(std::string_view name);
std::span<const Builtin> builtins();

}  // namespace warpfront::psl
