#include "psl/syntax/types.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace warpfront::psl {
namespace {

const std::array<std::string, 8> kKindNames{"int", "real", "time", "bytes", "bool", "corner", "peer", "rate"};

constexpr std::array kFunctions{
    Function{"quotient", OperatorKind::quotient, 2, "two ints, bytes and an int, or bytes twice"},
    Function{"share", OperatorKind::share, 2, "two ints, bytes and an int, or bytes twice"},
    Function{"min", OperatorKind::minimum, 2, "two values of one dimension"},
    Function{"max", OperatorKind::maximum, 2, "two values of one dimension"},
    Function{"abs", OperatorKind::absolute, 1, "an int, a real or a time"},
    Function{"ceil", OperatorKind::ceiling, 1, "a number"},
    Function{"floor", OperatorKind::floor, 1, "a number"},
    Function{"round", OperatorKind::round, 1, "a number"},
    Function{"log2", OperatorKind::log2, 1, "a number"},
    Function{"is_power_of_two", OperatorKind::power_of_two, 1, "an int"},
    Function{"length", OperatorKind::length, 1, "a list"},
    Function{"interpolate", OperatorKind::interpolate, 3, "a number, and lists of numbers and of values at them"},
    Function{"exists", OperatorKind::exists, 1, "a peer"},
    Function{"rank_at", OperatorKind::rank_at, 2, "a column, a row, and, if it is not the rank's own, a plane", 3},
    Function{"upstream_x", OperatorKind::upstream_x, 1, "a corner"},
    Function{"upstream_y", OperatorKind::upstream_y, 1, "a corner"},
    Function{"downstream_x", OperatorKind::downstream_x, 1, "a corner"},
    Function{"downstream_y", OperatorKind::downstream_y, 1, "a corner"},
};

using Constant = Builtin::Constant;
constexpr std::array kBuiltins{
    Builtin{"columns", Kind::integer, OperatorKind::literal, Constant::columns},
    Builtin{"rows", Kind::integer, OperatorKind::literal, Constant::rows},
    Builtin{"planes", Kind::integer, OperatorKind::literal, Constant::planes, true},
    Builtin{"ranks", Kind::integer, OperatorKind::literal, Constant::ranks},
    Builtin{"iterations", Kind::integer, OperatorKind::literal, Constant::iterations},
    Builtin{"column", Kind::integer, OperatorKind::column},
    Builtin{"row", Kind::integer, OperatorKind::row},
    Builtin{"plane", Kind::integer, OperatorKind::plane, Constant::none, true},
    Builtin{"rank", Kind::integer, OperatorKind::rank},
    Builtin{"west", Kind::peer, OperatorKind::west},
    Builtin{"east", Kind::peer, OperatorKind::east},
    Builtin{"north", Kind::peer, OperatorKind::north},
    Builtin{"south", Kind::peer, OperatorKind::south},
    Builtin{"up", Kind::peer, OperatorKind::up, Constant::none, true},
    Builtin{"down", Kind::peer, OperatorKind::down, Constant::none, true},
    Builtin{"nobody", Kind::peer, OperatorKind::literal, Constant::nobody},
    Builtin{"northwest", Kind::corner, OperatorKind::literal, Constant::northwest},
    Builtin{"northeast", Kind::corner, OperatorKind::literal, Constant::northeast},
    Builtin{"southwest", Kind::corner, OperatorKind::literal, Constant::southwest},
    Builtin{"southeast", Kind::corner, OperatorKind::literal, Constant::southeast},
};

bool is_number(Kind kind) { return kind == Kind::integer || kind == Kind::real; }

std::optional<Kind> both_numbers(Kind a, Kind b) {
    if (!is_number(a) || !is_number(b)) return std::nullopt;
    return a == Kind::integer && b == Kind::integer ? Kind::integer : Kind::real;
}

/// Returns the kind of a sum, of a minimum and of a maximum.
std::optional<Kind> same_dimension(Kind a, Kind b) {
    if (a == b && (a == Kind::time || a == Kind::bytes || a == Kind::rate)) return a;
    return both_numbers(a, b);
}

std::optional<Kind> product(Kind a, Kind b) {
    if (a == Kind::time && is_number(b)) return Kind::time;
    if (b == Kind::time && is_number(a)) return Kind::time;
    if (a == Kind::rate && is_number(b)) return Kind::rate;
    if (b == Kind::rate && is_number(a)) return Kind::rate;
    if (a == Kind::bytes && b == Kind::integer) return Kind::bytes;
    if (b == Kind::bytes && a == Kind::integer) return Kind::bytes;
    return both_numbers(a, b);
}

std::optional<Kind> ratio(Kind a, Kind b) {
    if (a == b && (a == Kind::time || a == Kind::bytes || a == Kind::rate)) return Kind::real;
    if (a == Kind::time && is_number(b)) return Kind::time;
    if (a == Kind::rate && is_number(b)) return Kind::rate;
    if (b == Kind::rate && is_number(a)) return Kind::time;
    if (a == Kind::bytes && b == Kind::integer) return Kind::bytes;
    if (is_number(a) && is_number(b)) return Kind::real;
    return std::nullopt;
}

/// Returns the kind of `quotient`, `share` and `%`.
std::optional<Kind> whole_ratio(OperatorKind op, Kind a, Kind b) {
    if (a == Kind::bytes && b == Kind::integer) return Kind::bytes;
    if (a == Kind::bytes && b == Kind::bytes) return op == OperatorKind::remainder ? Kind::bytes : Kind::integer;
    return a == Kind::integer && b == Kind::integer ? std::optional(Kind::integer) : std::nullopt;
}

std::optional<Kind> given(bool holds, Kind kind) { return holds ? std::optional(kind) : std::nullopt; }

std::optional<Kind> unary_kind(OperatorKind op, Kind a) {
    switch (op) {
        case OperatorKind::negate:
        case OperatorKind::absolute: return given(is_number(a) || a == Kind::time, a);
        case OperatorKind::logical_not: return given(a == Kind::boolean, Kind::boolean);
        case OperatorKind::ceiling:
        case OperatorKind::floor:
        case OperatorKind::round: return given(is_number(a), Kind::integer);
        case OperatorKind::log2:
        case OperatorKind::to_real: return given(is_number(a), Kind::real);
        case OperatorKind::power_of_two: return given(a == Kind::integer, Kind::boolean);
        case OperatorKind::exists: return given(a == Kind::peer, Kind::boolean);
        case OperatorKind::upstream_x:
        case OperatorKind::upstream_y:
        case OperatorKind::downstream_x:
        case OperatorKind::downstream_y: return given(a == Kind::corner, Kind::peer);
        default: return std::nullopt;
    }
}

std::optional<Kind> binary_kind(OperatorKind op, Kind a, Kind b) {
    const bool whole = a == Kind::integer && b == Kind::integer;
    switch (op) {
        case OperatorKind::add:
        case OperatorKind::subtract:
        case OperatorKind::minimum:
        case OperatorKind::maximum: return same_dimension(a, b);
        case OperatorKind::multiply: return product(a, b);
        case OperatorKind::divide: return ratio(a, b);
        case OperatorKind::remainder:
        case OperatorKind::quotient:
        case OperatorKind::share: return whole_ratio(op, a, b);
        case OperatorKind::power: return both_numbers(a, b);
        case OperatorKind::list_index: return given(whole, Kind::integer);
        case OperatorKind::less:
        case OperatorKind::less_equal:
        case OperatorKind::greater:
        case OperatorKind::greater_equal: return given(same_dimension(a, b).has_value(), Kind::boolean);
        case OperatorKind::equal:
        case OperatorKind::not_equal: return given(a == b || same_dimension(a, b).has_value(), Kind::boolean);
        case OperatorKind::logical_and:
        case OperatorKind::logical_or: return given(a == Kind::boolean && b == Kind::boolean, Kind::boolean);
        default: return std::nullopt;
    }
}

}  // namespace

std::string type_name(Type type) {
    const std::string name = type.kind == Kind::any ? "anything" : kKindNames[static_cast<std::size_t>(type.kind) - 1];
    return type.list ? "[" + name + "]" : name;
}

std::optional<Kind> kind_named(std::string_view name) {
    const auto found = std::ranges::find(kKindNames, name);
    if (found == kKindNames.end()) return std::nullopt;
    return static_cast<Kind>(found - kKindNames.begin() + 1);
}

std::span<const std::string> kind_names() { return kKindNames; }

bool fits(Type from, Type to) {
    if (from.kind == Kind::any && !from.list) return true;
    if (from.list != to.list) return to.kind == Kind::any && !to.list;
    return from.kind == to.kind || from.kind == Kind::any || to.kind == Kind::any ||
           (from.kind == Kind::integer && to.kind == Kind::real);
}

std::optional<Type> common_type(Type a, Type b) {
    if (fits(a, b)) return b.kind == Kind::any ? a : b;
    if (fits(b, a)) return a;
    return std::nullopt;
}

std::optional<Kind> result_kind(OperatorKind op, std::span<const Kind> operands) {
    if (std::ranges::find(operands, Kind::any) != operands.end()) return Kind::any;
    if (op == OperatorKind::rank_at) {
        const auto whole = [](Kind kind) { return kind == Kind::integer; };
        return given(std::ranges::all_of(operands, whole), Kind::peer);
    }
    return operands.size() == 1 ? unary_kind(op, operands[0]) : binary_kind(op, operands[0], operands[1]);
}

std::string_view op_name(OperatorKind op) {
    switch (op) {
        case OperatorKind::negate:
        case OperatorKind::subtract: return "-";
        case OperatorKind::logical_not: return "not";
        case OperatorKind::add: return "+";
        case OperatorKind::multiply: return "*";
        case OperatorKind::divide: return "/";
        case OperatorKind::remainder: return "%";
        case OperatorKind::power: return "^";
        case OperatorKind::less: return "<";
        case OperatorKind::less_equal: return "<=";
        case OperatorKind::greater: return ">";
        case OperatorKind::greater_equal: return ">=";
        case OperatorKind::equal: return "==";
        case OperatorKind::not_equal: return "!=";
        case OperatorKind::logical_and: return "and";
        case OperatorKind::logical_or: return "or";
        default: break;
    }
    const auto found = std::ranges::find(kFunctions, op, &Function::op);
    return found == kFunctions.end() ? "if" : found->name;
}

const Function* find_function(std::string_view name) {
    const auto found = std::ranges::find(kFunctions, name, &Function::name);
    return found == kFunctions.end() ? nullptr : &*found;
}

std::span<const std::string> function_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Function& function : kFunctions) all.emplace_back(function.name);
        return all;
    }();
    return names;
}

const Builtin* find_builtin(std::string_view name) {
    const auto found = std::ranges::find(kBuiltins, name, &Builtin::name);
    return found == kBuiltins.end() ? nullptr : &*found;
}

std::span<const Builtin> builtins() { return kBuiltins; }

}  // namespace warpfront::psl
