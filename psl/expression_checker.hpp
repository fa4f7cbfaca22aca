// Names and types of expressions: resolves every name to a slot or a built-in value and gives every node its type.
#pragma once

#include "psl/model.hpp"
#include "psl/scope.hpp"

namespace warpfront::psl {

class ExpressionChecker {
public:
    ExpressionChecker(const CheckedModel& model, Scope& scope, input::Diagnostics& faults)
        : model_(model), scope_(scope), faults_(faults) {}

    /// The type of the expression, `any` if it is faulty.
    Type check(Expression& expression);
    /// The same, with a fault unless its type fits `wanted`; `what` names the value in messages, such as "the amount".
    void check(Expression& expression, Type wanted, std::string_view what);
    void fault(input::DiagnosticKind kind, Span span, std::string message, std::string expected = {});

private:
    Type name(Expression& expression);
    Type operation(Expression& expression);
    Type function(Expression& expression);
    Type choice(Expression& expression);
    Type list(Expression& expression);

    const CheckedModel& model_;
    Scope& scope_;
    input::Diagnostics& faults_;
};

}  // namespace warpfront::psl
