#include "psl/statement_parser.hpp"

#include <fmt/format.h>

#include <utility>

#include "psl/expression_parser.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {

using Form = Statement::Form;

Statement StatementParser::begin(Form form) {
    Statement result;
    result.form = form;
    result.span = reader_.take().span;
    return result;
}

void StatementParser::end(Statement& statement) { statement.span = join(statement.span, reader_.last()); }

void StatementParser::add_expression(Statement& statement) {
    statement.expressions.push_back(parse_expression(reader_, depth_));
}

// type = kind | "[" kind "]" .     kind = "int" | "real" | "time" | "bytes" | "bool" | "corner" | "peer" .
Type StatementParser::type() {
    const Token open = reader_.now();
    const bool list = reader_.accept("[");
    const auto kind = reader_.now().form == Token::Form::name ? kind_named(reader_.now().text) : std::nullopt;
    if (!kind) {
        reader_.fail(
            "expected a type: `int`, `real`, `time`, `bytes`, `bool`, `corner`, `peer` or `[` one of them `]`");
    }
    reader_.take();
    if (list) reader_.expect_closing("]", open);
    return {*kind, list};
}

// block = "{" { statement } "}" .
std::vector<Statement> StatementParser::block() {
    const Nesting level(depth_, reader_);
    std::vector<Statement> result;
    const Token open = reader_.expect("{", "`{`");
    while (!reader_.at("}") && !reader_.at_end()) {
        reader_.recovering(depth_, [&] { result.push_back(statement()); });
    }
    reader_.expect_closing("}", open);
    return result;
}

// statement = compute | send | recv | irecv | wait | allreduce | let | require | branch | loop | call .
Statement StatementParser::statement() {
    if (reader_.at("compute")) return with_amount(Form::compute);
    if (reader_.at("allreduce")) return with_amount(Form::allreduce);
    if (reader_.at("send")) return send();
    if (reader_.at("recv")) return receive(Form::recv);
    if (reader_.at("irecv")) return receive(Form::irecv);
    if (reader_.at("wait")) return wait();
    if (reader_.at("let")) return let();
    if (reader_.at("require")) return require();
    if (reader_.at("if")) return branch();
    if (reader_.at("for")) return for_loop();
    if (reader_.at("repeat")) return repeat();
    if (reader_.at_name_then("(")) return call();
    unknown();
}

void StatementParser::unknown() {
    static const std::vector<std::string> kStatements{"compute", "send",    "recv", "irecv", "wait",  "allreduce",
                                                      "let",     "require", "if",   "for",   "repeat"};
    const Token word = reader_.now();
    const std::string_view near = word.form == Token::Form::name ? input::nearest_name(word.text, kStatements) : "";
    if (!near.empty()) reader_.fail(fmt::format("expected a statement or `}}`; did you mean `{}`?", near));
    std::string names;
    for (const std::string& name : kStatements) names += fmt::format("`{}`, ", name);
    reader_.fail(fmt::format("expected `}}` or a statement: {}or the name of a template or subtask and `(`", names));
}

// compute = "compute" expression .     allreduce = "allreduce" expression .
Statement StatementParser::with_amount(Form form) {
    Statement result = begin(form);
    add_expression(result);
    end(result);
    return result;
}

// send = "send" expression "to" expression [ tag ] .     tag = "tag" expression .
Statement StatementParser::send() {
    Statement result = begin(Form::send);
    add_expression(result);
    reader_.expect("to", "`to` and the rank that receives");
    add_expression(result);
    return with_tag(std::move(result));
}

// recv = "recv" "from" expression [ tag ] .     irecv = "irecv" name "from" expression [ tag ] .
Statement StatementParser::receive(Form form) {
    Statement result = begin(form);
    if (form == Form::irecv) result.name = reader_.expect_name("a name for the request, for `wait`");
    reader_.expect("from", "`from` and the rank that sends");
    add_expression(result);
    return with_tag(std::move(result));
}

Statement StatementParser::with_tag(Statement statement) {
    if (reader_.accept("tag")) add_expression(statement);
    end(statement);
    return statement;
}

// wait = "wait" name .
Statement StatementParser::wait() {
    Statement result = begin(Form::wait);
    result.name = reader_.expect_name("the name of an `irecv`");
    end(result);
    return result;
}

// let = "let" name "=" expression .
Statement StatementParser::let() {
    Statement result = begin(Form::let);
    result.name = reader_.expect_name("a name");
    reader_.expect("=", "`=` and a value");
    add_expression(result);
    end(result);
    return result;
}

// require = "require" expression "," string .
Statement StatementParser::require() {
    Statement result = begin(Form::require);
    add_expression(result);
    reader_.expect(",", "`,` and the message for a requirement that does not hold");
    if (reader_.now().form != Token::Form::string) reader_.fail("expected the message in quotes");
    result.message = reader_.take().text;
    end(result);
    return result;
}

// branch = "if" expression block [ "else" ( branch | block ) ] .
Statement StatementParser::branch() {
    const Nesting level(depth_, reader_);
    Statement result = begin(Form::branch);
    add_expression(result);
    end(result);
    result.body = block();
    if (!reader_.accept("else")) return result;
    if (reader_.at("if")) {
        result.otherwise.push_back(branch());
    } else {
        result.otherwise = block();
    }
    return result;
}

// loop = "for" name "in" expression [ ".." expression ] block | "repeat" expression block .
Statement StatementParser::for_loop() {
    Statement result = begin(Form::for_each);
    result.name = reader_.expect_name("a name for what varies");
    reader_.expect("in", "`in` and a list or a range such as `1..4`");
    add_expression(result);
    if (reader_.accept("..")) {
        result.form = Form::for_range;
        add_expression(result);
    }
    end(result);
    result.body = block();
    return result;
}

Statement StatementParser::repeat() {
    Statement result = with_amount(Form::repeat);
    result.body = block();
    return result;
}

// call = name "(" [ expression { "," expression } ] ")" .
Statement StatementParser::call() {
    Statement result;
    result.form = Form::call;
    result.span = reader_.now().span;
    result.name = reader_.expect_name("a name");
    const Token open = reader_.take();
    while (!reader_.at(")")) {
        add_expression(result);
        if (!reader_.accept(",")) break;
    }
    reader_.expect_closing(")", open);
    end(result);
    return result;
}

}  // namespace warpfront::psl
