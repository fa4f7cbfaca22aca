#include "psl/checking/constants.hpp"

#include <vector>

namespace warpfront::psl {

namespace {

std::optional<Value> builtin_value(const Builtin& builtin) {
    using Constant = Builtin::Constant;
    const auto corner = [](program::Corner which) {
        return Value{Kind::corner, static_cast<std::int64_t>(which), 0.0L};
    };
    switch (builtin.constant) {
        case Constant::nobody: return Value{Kind::peer, kNobody, 0.0L};
        case Constant::northwest: return corner(program::Corner::northwest);
        case Constant::northeast: return corner(program::Corner::northeast);
        case Constant::southwest: return corner(program::Corner::southwest);
        case Constant::southeast: return corner(program::Corner::southeast);
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<Value> Constants::value(const Expression& expression) const {
    switch (expression.form) {
        case Expression::Form::literal: return expression.literal;
        case Expression::Form::name: {
            if (expression.builtin != nullptr) return builtin_value(*expression.builtin);
            const auto known = values_.find(key(expression.slot));
            return known != values_.end() ? std::optional(known->second) : std::nullopt;
        }
        case Expression::Form::apply: return operation(expression);
        case Expression::Form::choose: {
            const std::optional<Value> condition = value(expression.operands[0]);
            if (!condition) return std::nullopt;
            return value(expression.operands[condition->whole != 0 ? 1 : 2]);
        }
        case Expression::Form::list:
        case Expression::Form::index:
        case Expression::Form::call: break;
    }
    return std::nullopt;
}

std::optional<Value> Constants::operation(const Expression& expression) const {
    const OperatorKind op = expression.op;
    if (depends_on_rank(op) || op == OperatorKind::rank_at) return std::nullopt;
    if (op == OperatorKind::length) return list_length(expression.operands[0]);
    std::vector<Value> operands;
    for (const Expression& operand : expression.operands) {
        const std::optional<Value> known = value(operand);
        if (!known) return std::nullopt;
        const bool decides = (op == OperatorKind::logical_and && known->whole == 0) ||
                             (op == OperatorKind::logical_or && known->whole != 0);
        if (decides) return known;
        operands.push_back(*known);
    }
    try {
        return compute(op, operands, EvaluationContext{});
    } catch (const EvaluationError&) {
        return std::nullopt;  // if the expression is evaluated, the run reports the error
    }
}

std::optional<Value> Constants::list_length(const Expression& list) const {
    const std::optional<std::size_t> known = length(list);
    return known ? std::optional(integer(static_cast<std::int64_t>(*known))) : std::nullopt;
}

std::optional<std::size_t> Constants::length(const Expression& expression) const {
    if (expression.form == Expression::Form::list) return expression.operands.size();
    if (expression.form != Expression::Form::name || expression.builtin != nullptr) return std::nullopt;
    const auto known = lengths_.find(key(expression.slot));
    return known != lengths_.end() ? std::optional(known->second) : std::nullopt;
}

void Constants::bind(const Statement& let) {
    if (const auto known = value(let.expressions[0])) values_[key(let.slot)] = *known;
    if (const auto known = length(let.expressions[0])) lengths_[key(let.slot)] = *known;
}

void Constants::enter_object() {
    const auto is_local = [](const auto& entry) { return entry.first.first; };
    std::erase_if(values_, is_local);
    std::erase_if(lengths_, is_local);
}

}  // namespace warpfront::psl
