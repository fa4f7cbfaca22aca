#include "psl/syntax/statement_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpfront::psl {
namespace {

struct Operator {
    std::string_view text;
    OperatorKind op;
    unsigned precedence;  // operators of higher precedence bind tighter
};

constexpr unsigned kNotPrecedence = 3;
constexpr unsigned kComparison = 4;
constexpr std::array kOperators{
    Operator{"or", OperatorKind::logical_or, 1}, Operator{"and", OperatorKind::logical_and, 2},
    Operator{"==", OperatorKind::equal, 4},      Operator{"!=", OperatorKind::not_equal, 4},
    Operator{"<", OperatorKind::less, 4},        Operator{"<=", OperatorKind::less_equal, 4},
    Operator{">", OperatorKind::greater, 4},     Operator{">=", OperatorKind::greater_equal, 4},
    Operator{"+", OperatorKind::add, 5},         Operator{"-", OperatorKind::subtract, 5},
    Operator{"*", OperatorKind::multiply, 6},    Operator{"/", OperatorKind::divide, 6},
    Operator{"%", OperatorKind::remainder, 6},
};

class ExpressionParser {
public:
    ExpressionParser(TokenReader& reader, unsigned& depth) : reader_(reader), depth_(depth) {}

    // expression = "if" expression "then" expression "else" expression | binary .
    Expression expression() {
        const Nesting level(depth_, reader_);
        return reader_.at("if") ? choice() : binary(0);
    }

private:
    Expression choice() {
        Expression result;
        result.form = Expression::Form::choose;
        const Span first = reader_.take().span;
        result.operands.push_back(expression());
        reader_.expect("then", "`then` after the condition");
        result.operands.push_back(expression());
        reader_.expect("else", "`else`: both branches are needed in an expression");
        result.operands.push_back(expression());
        return finished(std::move(result), first);
    }

    // binary = unary { operator unary } . Precedence, lowest first: or, and, not, == != < <= > >= (not chained), + -, *
    // / %, unary -, ^. All but ^ are left-associative.
    Expression binary(unsigned least) {
        const Span first = reader_.now().span;
        Expression left = unary();
        while (const Operator* next = operator_at(least)) {
            reader_.take();
            std::vector<Expression> operands;
            operands.push_back(std::move(left));
            operands.push_back(binary(next->precedence + 1));
            left = applied(next->op, std::move(operands), first);
            if (next->precedence == kComparison && operator_at(kComparison) &&
                operator_at(kComparison)->precedence == kComparison) {
                reader_.fail("expected `and`: comparisons do not chain");
            }
        }
        return left;
    }

    const Operator* operator_at(unsigned least) const {
        const auto found = std::ranges::find_if(
            kOperators, [&](const Operator& each) { return each.precedence >= least && reader_.at(each.text); });
        return found == kOperators.end() ? nullptr : &*found;
    }

    // unary = "not" binary-above-not | "-" unary | item [ "^" unary ] .
    Expression unary() {
        const Nesting level(depth_, reader_);
        const Span first = reader_.now().span;
        std::vector<Expression> operands;
        if (reader_.accept("not")) {
            operands.push_back(binary(kNotPrecedence));
            return applied(OperatorKind::logical_not, std::move(operands), first);
        }
        if (reader_.accept("-")) {
            operands.push_back(unary());
            return applied(OperatorKind::negate, std::move(operands), first);
        }
        Expression base = item();
        if (!reader_.accept("^")) return base;
        operands.push_back(std::move(base));
        operands.push_back(unary());
        return applied(OperatorKind::power, std::move(operands), first);
    }

    // item = primary { "[" expression "]" } .
    Expression item() {
        const Span first = reader_.now().span;
        Expression result = primary();
        while (reader_.at("[")) {
            const Token open = reader_.take();
            Expression index;
            index.form = Expression::Form::index;
            index.operands.push_back(std::move(result));
            index.operands.push_back(expression());
            reader_.expect_closing("]", open);
            result = finished(std::move(index), first);
        }
        return result;
    }

    // primary = number | "true" | "false" | name | name "(" [ arguments ] ")" | "(" expression ")" | "[" [ arguments ]
    // "]" .
    Expression primary() {
        const Token token = reader_.now();
        if (token.form == Token::Form::number) return literal(reader_.take().value, token.span);
        if (reader_.at("true") || reader_.at("false")) {
            return literal(boolean(reader_.take().text == "true"), token.span);
        }
        if (token.form == Token::Form::name) return reader_.at_name_then("(") ? call() : name();
        if (reader_.at("[")) return list();
        if (reader_.at("(")) {
            reader_.take();
            Expression inner = expression();
            reader_.expect_closing(")", token);
            inner.span = join(token.span, reader_.last());
            return inner;
        }
        if (token.form == Token::Form::string) reader_.fail("expected an expression: a text is not a value");
        const bool reserved = token.form == Token::Form::keyword && !token.first_on_line;
        reader_.fail(reserved ? fmt::format("expected an expression; `{}` is a reserved word", token.text)
                              : "expected an expression");
    }

    static Expression literal(const Value& value, Span span) {
        Expression result;
        result.literal = value;
        result.span = span;
        return result;
    }

    Expression name() {
        Expression result;
        result.form = Expression::Form::name;
        result.name = reader_.now().text;
        return finished(std::move(result), reader_.take().span);
    }

    Expression call() {
        const Token token = reader_.take();
        const Function* function = find_function(token.text);
        const Token open = reader_.take();
        Expression result = applied(function ? function->op : OperatorKind::literal, arguments(")", open), token.span);
        result.name = token.text;
        return result;
    }

    Expression list() {
        Expression result;
        result.form = Expression::Form::list;
        const Token open = reader_.take();
        result.operands = arguments("]", open);
        return finished(std::move(result), open.span);
    }

    // arguments = expression { "," expression } .
    std::vector<Expression> arguments(std::string_view close, const Token& open) {
        std::vector<Expression> all;
        if (reader_.accept(close)) return all;
        do {
            all.push_back(expression());
        } while (reader_.accept(","));
        reader_.expect_closing(close, open);
        return all;
    }

    Expression applied(OperatorKind op, std::vector<Expression> operands, Span first) {
        Expression result;
        result.form = Expression::Form::apply;
        result.op = op;
        result.operands = std::move(operands);
        return finished(std::move(result), first);
    }

    /// Limits the depth of an expression. A chain such as a + b + c is a deep tree, but is parsed without recursion. So
    /// its depth is counted here.
    Expression finished(Expression result, Span first) {
        result.span = join(first, reader_.last());
        for (const Expression& operand : result.operands) result.depth = std::max(result.depth, operand.depth + 1);
        if (result.depth > kDeepestNesting) {
            reader_.fault(DiagnosticKind::nesting_too_deep, result.span,
                          fmt::format("this expression has more than {} levels", kDeepestNesting),
                          "expected fewer; name parts of it with `let`");
            throw GiveUp{};
        }
        return result;
    }

    TokenReader& reader_;
    unsigned& depth_;
};

}  // namespace

Expression parse_expression(TokenReader& reader, unsigned& depth) {
    return ExpressionParser(reader, depth).expression();
}

}  // namespace warpfront::psl
