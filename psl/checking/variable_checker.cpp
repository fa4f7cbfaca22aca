// Checks variables, their assignments, and the loops that these change.
#include <fmt/format.h>

#include <algorithm>

#include "psl/checking/object_checker.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Form = Statement::Form;

namespace {

/// Whether an expression mentions a variable that `statements` assign.
bool changes(const Expression& expression, const std::vector<Statement>& statements);

bool assigned(Slot slot, const std::vector<Statement>& statements) {
    return std::any_of(statements.begin(), statements.end(), [&](const Statement& each) {
        const bool same = each.slot.local == slot.local && each.slot.index == slot.index;
        return (each.form == Form::assign && same) || assigned(slot, each.body) || assigned(slot, each.otherwise);
    });
}

bool changes(const Expression& expression, const std::vector<Statement>& statements) {
    const bool variable = expression.form == Expression::Form::name && expression.builtin == nullptr;
    if (variable && assigned(expression.slot, statements)) return true;
    return std::any_of(expression.operands.begin(), expression.operands.end(),
                       [&](const Expression& operand) { return changes(operand, statements); });
}

}  // namespace

void ObjectChecker::variable(Statement& each) {
    const Type type = expressions_.check(each.expressions[0]);
    each.slot = declare(each.name, type);
    scope_.last().changes = each.form == Form::variable;
}

void ObjectChecker::assignment(Statement& each) {
    const Type type = expressions_.check(each.expressions[0]);
    const Variable* known = scope_.find(each.name.text);
    if (known == nullptr && find_builtin(each.name.text) == nullptr) {
        std::vector<std::string> names = scope_.names();
        const std::string_view near = input::nearest_name(each.name.text, names);
        return expressions_.fault(
            DiagnosticKind::unknown_name, each.name.span, fmt::format("unknown variable `{}`", each.name.text),
            near.empty() ? fmt::format("expected `let {0} = ...`, or `var {0} = ...` if it changes", each.name.text)
                         : fmt::format("did you mean `{}`?", near));
    }
    if (known == nullptr || !known->changes) {
        return expressions_.fault(DiagnosticKind::constant_assigned, each.name.span,
                                  fmt::format("`{}` never changes", each.name.text),
                                  "expected a variable declared by `var`");
    }
    each.slot = known->slot;
    if (!fits(type, known->type)) {
        const bool widens = known->type == Type{Kind::integer, false} && type == Type{Kind::real, false};
        expressions_.fault(DiagnosticKind::wrong_type, each.expressions[0].span,
                           fmt::format("a value of type `{}` for `{}`", type_name(type), each.name.text),
                           fmt::format("expected `{}`, the type of its first value{}", type_name(known->type),
                                       widens ? ": `var x = 1.0` is a real" : ""));
    }
    const std::size_t index = scope_.index_of(*known);
    for (const OpenLoop& loop : loops_) loop.statement->assigns = loop.statement->assigns || index < loop.outside;
}

void ObjectChecker::loop_body(Statement& each) {
    loops_.push_back({&each, scope_.size()});
    block(each.body);
    loops_.pop_back();
}

void ObjectChecker::while_loop(Statement& each) {
    expressions_.check(each.expressions[0], {Kind::boolean, false}, "the condition");
    loop_body(each);
    if (changes(each.expressions[0], each.body)) return;
    expressions_.fault(DiagnosticKind::endless_loop, each.span, "nothing in the loop changes its condition",
                       "expected a `var` in the condition, and its assignment in the body, such as `n = 2 * n`");
}

}  // namespace warpfront::psl
