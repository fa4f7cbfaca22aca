// Checks the names and types of expressions. Every name gets its slot or built-in value, and every node its type.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "psl/checking/model.hpp"
#include "psl/syntax/tree.hpp"

namespace warpfront::psl {

struct Variable {
    std::string name;
    Slot slot;
    Type type;
    bool changes = false;  // true for a variable of a `var`
    bool used = false;
};

/// The variables that are visible at one point of an object. The innermost are last.
class Scope {
public:
    Variable* find(std::string_view name);
    /// Returns the slot of the new variable. A slot of a frame is never used for two variables.
    Slot declare(std::string name, Type type, bool local, std::uint32_t& slots);
    Variable& last() { return variables_.back(); }
    std::size_t index_of(const Variable& variable) const {
        return static_cast<std::size_t>(&variable - &variables_[0]);
    }
    std::size_t size() const { return variables_.size(); }
    Variable& operator[](std::size_t index) { return variables_[index]; }
    /// Restores a variable that `shrink` has removed.
    void restore(Variable variable) { variables_.push_back(std::move(variable)); }
    /// Removes all but the first `size` variables, at the end of a block.
    void shrink(std::size_t size) { variables_.resize(size); }
    /// Returns every name that an expression may use. Messages suggest the nearest one.
    std::vector<std::string> names() const;

private:
    std::vector<Variable> variables_;
};

/// The templates, subtasks and functions that are visible in a file.
using Callables = std::vector<const Object*>;

/// A call of a template, a subtask or a function. The caller is an object.
struct Call {
    const Object* caller;
    const Object* callee;
    Span span;
};

class ExpressionChecker {
public:
    /// Makes a checker that adds the calls of functions to `calls`.
    ExpressionChecker(const CheckedModel& model, Scope& scope, const Callables& callables, std::vector<Call>& calls,
                      Diagnostics& faults)
        : model_(model), scope_(scope), callables_(callables), calls_(calls), faults_(faults) {}

    /// Sets the object that contains the following expressions.
    void enter(const Object& object) { object_ = &object; }
    const Object* find_callable(std::string_view name) const;
    /// Reports a wrong number of arguments, or arguments of wrong types, in a call of `callee`.
    void arguments(const Object& callee, const std::vector<Expression>& given, Span span);

    /// Returns the type of the expression. It is `any` if the expression has an error.
    Type check(Expression& expression);
    /// Checks the expression and its type. Messages call the value by `what`, such as "the amount".
    void check(Expression& expression, Type wanted, std::string_view what);
    void fault(DiagnosticKind kind, Span span, std::string message, std::string expected = {});

private:
    Type name(Expression& expression);
    Type operation(Expression& expression);
    Type function(Expression& expression);
    Type call(Expression& expression);
    Type index(Expression& expression);
    void unknown_function(const Expression& expression);
    Type choice(Expression& expression);
    Type list(Expression& expression);

    const CheckedModel& model_;
    Scope& scope_;
    const Callables& callables_;
    std::vector<Call>& calls_;
    const Object* object_ = nullptr;
    Diagnostics& faults_;
};

}  // namespace warpfront::psl
