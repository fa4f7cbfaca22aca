#include "psl/checking/expression_checker.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "psl/syntax/keywords.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::psl {

namespace {

bool divides(const Expression& expression) {
    return (expression.form == Expression::Form::apply && expression.op == OperatorKind::divide) ||
           std::ranges::any_of(expression.operands, divides);
}

/// Returns a remedy if users often mistake values of the expression's type for values of the expected type `wanted`.
std::string_view remedy(const Expression& expression, Type wanted) {
    if (wanted.list) return "";
    const bool real = expression.type == Type{Kind::real, false};
    if (wanted.kind == Kind::integer && real && divides(expression)) {
        return "; `/` gives a real: `quotient(a, b)` rounds towards zero, `share(a, b)` up";
    }
    if (wanted.kind == Kind::integer && real) return "; `floor`, `ceil` and `round` convert a real";
    if (wanted.kind == Kind::peer) return "; `rank_at(column, row)` is any rank, `west` a neighbour";
    const bool number = expression.type.kind == Kind::integer || expression.type.kind == Kind::real;
    if (wanted.kind == Kind::time && number) return "; a number needs a unit: `1us`, or `1us * n`";
    if (wanted.kind == Kind::bytes && number) return "; a number needs a unit: `8B`, or `8B * n`";
    return "";
}

/// Returns the type of `interpolate` for these operands. Returns nothing if it is not defined for them.
std::optional<Type> interpolated(const std::vector<Expression>& operands) {
    constexpr Type kReal{Kind::real, false};
    const Type points = operands[1].type;
    const Type values = operands[2].type;
    if (!fits(operands[0].type, kReal) || !points.list || !fits({points.kind, false}, kReal) || !values.list) {
        return std::nullopt;
    }
    if (values.kind == Kind::time || values.kind == Kind::rate) return Type{values.kind, false};
    return fits({values.kind, false}, kReal) ? std::optional(kReal) : std::nullopt;
}

std::string quoted(Type type) { return fmt::format("`{}`", type_name(type)); }

}  // namespace

void ExpressionChecker::fault(DiagnosticKind kind, Span span, std::string message, std::string expected) {
    faults_.add(kind, model_.range_of(span), std::move(message), std::move(expected));
}

Type ExpressionChecker::check(Expression& expression) {
    switch (expression.form) {
        case Expression::Form::literal: expression.type = {expression.literal.kind, false}; break;
        case Expression::Form::name: expression.type = name(expression); break;
        case Expression::Form::apply: expression.type = operation(expression); break;
        case Expression::Form::choose: expression.type = choice(expression); break;
        case Expression::Form::list: expression.type = list(expression); break;
        case Expression::Form::index: expression.type = index(expression); break;
        case Expression::Form::call: expression.type = call(expression); break;
    }
    return expression.type;
}

void ExpressionChecker::check(Expression& expression, Type wanted, std::string_view what) {
    const Type type = check(expression);
    if (fits(type, wanted)) return;
    fault(DiagnosticKind::wrong_type, expression.span, fmt::format("{} is of type {}", what, quoted(type)),
          fmt::format("expected {}{}", quoted(wanted), remedy(expression, wanted)));
}

Type ExpressionChecker::name(Expression& expression) {
    if (Variable* variable = scope_.find(expression.name)) {
        variable->used = true;
        expression.slot = variable->slot;
        return variable->type;
    }
    expression.builtin = find_builtin(expression.name);
    if (expression.builtin) return {expression.builtin->kind, false};
    if (find_function(expression.name)) {
        fault(DiagnosticKind::wrong_arity, expression.span, fmt::format("`{}` is a function", expression.name),
              fmt::format("expected `(` and {}", find_function(expression.name)->takes));
        return {};
    }
    if (const Object* callable = find_callable(expression.name); callable != nullptr) {
        fault(DiagnosticKind::wrong_arity, expression.span, fmt::format("`{}` is not a variable", expression.name),
              callable->has_value() ? "expected `(` and the values of its parameters"
                                    : "expected a call as a separate statement: it has no value");
        return {};
    }
    const auto candidates = scope_.names();
    if (const auto remedy = foreign_word_remedy(expression.name, WordPlace::value); !remedy.empty()) {
        fault(DiagnosticKind::unknown_name, expression.span, fmt::format("unknown name `{}`", expression.name),
              std::string(remedy));
        return {};
    }
    const std::string_view near = input::nearest_name(expression.name, candidates);
    fault(DiagnosticKind::unknown_name, expression.span, fmt::format("unknown name `{}`", expression.name),
          near.empty() ? "expected a parameter or a variable"
                       : fmt::format("expected a parameter or a variable; did you mean `{}`?", near));
    return {};
}

Type ExpressionChecker::operation(Expression& expression) {
    if (!expression.name.empty()) return function(expression);
    std::vector<Kind> kinds;
    std::vector<Type> types;
    bool faulty = false;
    bool has_list = false;
    for (Expression& operand : expression.operands) {
        types.push_back(check(operand));
        kinds.push_back(types.back().kind);
        has_list = has_list || types.back().list;
        faulty = faulty || types.back() == Type{};
    }
    if (faulty) return {};
    const auto kind = has_list ? std::nullopt : result_kind(expression.op, kinds);
    if (kind) return {*kind, false};
    const std::string on =
        types.size() == 1 ? quoted(types[0]) : fmt::format("{} and {}", quoted(types[0]), quoted(types[1]));
    const bool real = std::ranges::any_of(expression.operands, [](const Expression& operand) {
        return operand.type.kind == Kind::real && operand.form != Expression::Form::literal;
    });
    const bool whole_bytes = expression.op == OperatorKind::multiply && types[0].kind != types[1].kind &&
                             (types[0].kind == Kind::bytes || types[1].kind == Kind::bytes);
    const bool whole = real && (expression.op == OperatorKind::remainder || expression.op == OperatorKind::multiply);
    fault(DiagnosticKind::wrong_type, expression.span,
          fmt::format("`{}` is not defined on {}", op_name(expression.op), on),
          whole ? "expected an `int`; `/` gives a real, while `quotient(a, b)` rounds towards zero and `share(a, b)` "
                  "rounds up"
          : whole_bytes ? "expected bytes times an `int`: bytes are whole, as in `8B * ceil(1.5 * n)`"
                        : "");
    return {};
}

Type ExpressionChecker::function(Expression& expression) {
    if (!find_function(expression.name) && find_callable(expression.name)) return call(expression);
    std::vector<Kind> kinds;
    bool has_list = false;
    for (Expression& operand : expression.operands) {
        const Type type = check(operand);
        kinds.push_back(type.kind);
        has_list = has_list || type.list;
    }
    const Function* known = find_function(expression.name);
    if (!known) {
        unknown_function(expression);
        return {};
    }
    if (kinds.size() < known->arity || kinds.size() > std::max(known->arity, known->most)) {
        fault(DiagnosticKind::wrong_arity, expression.span,
              fmt::format("`{}` is given {}", known->name, input::counted(kinds.size(), "value")),
              fmt::format("expected {}", known->takes));
        return {};
    }
    if (known->op == OperatorKind::length && has_list) return {Kind::integer, false};
    if (known->op == OperatorKind::interpolate) {
        if (const auto value = interpolated(expression.operands)) return *value;
    }
    const auto kind = has_list ? std::nullopt : result_kind(known->op, kinds);
    if (kind) return {*kind, false};
    std::string given;
    for (const Expression& operand : expression.operands) {
        given += (given.empty() ? "" : " and ") + quoted(operand.type);
    }
    fault(DiagnosticKind::wrong_type, expression.span, fmt::format("`{}` is not defined on {}", known->name, given),
          fmt::format("expected {}", known->takes));
    return {};
}

const Object* ExpressionChecker::find_callable(std::string_view name) const {
    const auto found = std::ranges::find(callables_, name, [](const Object* each) { return each->name.text; });
    return found == callables_.end() ? nullptr : *found;
}

void ExpressionChecker::unknown_function(const Expression& expression) {
    std::vector<std::string> names(function_names().begin(), function_names().end());
    for (const Object* object : callables_) {
        if (object->has_value()) names.push_back(object->name.text);
    }
    const std::string_view remedy = foreign_word_remedy(expression.name, WordPlace::function);
    fault(DiagnosticKind::unknown_name,
          {expression.span.file, expression.span.offset, static_cast<std::uint32_t>(expression.name.size())},
          fmt::format("unknown function `{}`", expression.name),
          remedy.empty() ? input::suggestion(expression.name, names) : std::string(remedy));
}

Type ExpressionChecker::call(Expression& expression) {
    for (Expression& operand : expression.operands) check(operand);
    const Object& callee = *find_callable(expression.name);
    const Span name{expression.span.file, expression.span.offset, static_cast<std::uint32_t>(expression.name.size())};
    if (!callee.has_value()) {
        fault(DiagnosticKind::wrong_type, name, fmt::format("`{}` has no value", expression.name),
              "expected a function, or a subtask with a value, `subtask NAME(...): time { }`");
        return {};
    }
    expression.form = Expression::Form::call;
    expression.callee = &callee;
    calls_.push_back({object_, &callee, name});
    arguments(callee, expression.operands, expression.span);
    return callee.result;
}

void ExpressionChecker::arguments(const Object& callee, const std::vector<Expression>& given, Span span) {
    const auto& parameters = callee.parameters;
    const bool left_out = given.size() < parameters.size() && !parameters[given.size()].preset.empty();
    if (given.size() != parameters.size() && !left_out) {
        std::string wanted;
        for (const Parameter& parameter : parameters) {
            wanted += fmt::format("{}{}: {}{}", wanted.empty() ? "" : ", ", parameter.name.text,
                                  type_name(parameter.type), parameter.preset.empty() ? "" : " = ...");
        }
        return fault(DiagnosticKind::wrong_arity, span,
                     fmt::format("`{}` is given {}", callee.name.text, input::counted(given.size(), "value")),
                     fmt::format("expected ({})", wanted));
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Type type = given[i].type;
        if (fits(type, parameters[i].type)) continue;
        fault(DiagnosticKind::wrong_type, given[i].span,
              fmt::format("`{}` of `{}` is given a value of type `{}`", parameters[i].name.text, callee.name.text,
                          type_name(type)),
              fmt::format("expected `{}`{}", type_name(parameters[i].type), remedy(given[i], parameters[i].type)));
    }
}

Type ExpressionChecker::index(Expression& expression) {
    const Type list = check(expression.operands[0]);
    check(expression.operands[1], {Kind::integer, false}, "the number of an item");
    if (list.list) return {list.kind, false};
    if (list != Type{}) {
        fault(DiagnosticKind::wrong_type, expression.span, fmt::format("a value of type {} has no items", quoted(list)),
              "expected a list before `[`");
    }
    return {};
}

Type ExpressionChecker::choice(Expression& expression) {
    check(expression.operands[0], {Kind::boolean, false}, "the condition");
    const Type yes = check(expression.operands[1]);
    const Type no = check(expression.operands[2]);
    if (const auto common = common_type(yes, no)) return *common;
    fault(DiagnosticKind::wrong_type, expression.span,
          fmt::format("one branch is of type {}, the other of type {}", quoted(yes), quoted(no)),
          "expected values of one type");
    return {};
}

Type ExpressionChecker::list(Expression& expression) {
    Type items;
    for (Expression& operand : expression.operands) {
        const Type type = check(operand);
        if (type.list) {
            fault(DiagnosticKind::wrong_type, operand.span, "a list cannot contain a list", "expected a single value");
            continue;
        }
        const auto common = common_type(items, type);
        if (!common) {
            fault(DiagnosticKind::wrong_type, operand.span,
                  fmt::format("this item is of type {}, the items before it of type {}", quoted(type), quoted(items)),
                  "expected items of one type");
        }
        items = common.value_or(items);
    }
    return {items.kind, true};
}

Variable* Scope::find(std::string_view name) {
    const auto found =
        std::find_if(variables_.rbegin(), variables_.rend(), [&](const Variable& v) { return v.name == name; });
    return found == variables_.rend() ? nullptr : &*found;
}

Slot Scope::declare(std::string name, Type type, bool local, std::uint32_t& slots) {
    variables_.push_back({std::move(name), Slot{local, slots++}, type});
    return variables_.back().slot;
}

std::vector<std::string> Scope::names() const {
    std::vector<std::string> all;
    for (const Variable& variable : variables_) all.push_back(variable.name);
    for (const Builtin& builtin : builtins()) all.emplace_back(builtin.name);
    return all;
}

}  // namespace warpfront::psl
