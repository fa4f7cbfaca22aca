#include "psl/syntax/statement_parser.hpp"

#include <fmt/format.h>

#include <utility>

#include "psl/syntax/expression_parser.hpp"
#include "psl/syntax/foreign_words.hpp"
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

// type = kind | "[" kind "]" .     kind = "int" | "real" | "time" | "bytes" | "bool" | "corner" | "peer" | "rate" .
Type StatementParser::type() {
    const Token open = reader_.now();
    const bool list = reader_.accept("[");
    const auto kind = reader_.now().form == Token::Form::name ? kind_named(reader_.now().text) : std::nullopt;
    if (!kind) {
        const std::string_view remedy = foreign_word_remedy(reader_.now().text, WordPlace::type);
        reader_.fail(!remedy.empty()
                         ? std::string(remedy)
                         : "expected a type: `int`, `real`, `time`, `bytes`, `bool`, `corner`, `peer`, `rate` or "
                           "`[` one of them `]`");
    }
    reader_.take();
    if (list) reader_.expect_closing("]", open);
    return {*kind, list};
}

Span StatementParser::declaration(Name& name, Type& declared, std::string_view what) {
    name = reader_.expect_name(fmt::format("the {}'s name", what));
    if (reader_.now().form == Token::Form::name) {
        const std::string_view type = kind_named(name.text) ? std::string_view(name.text) : "TYPE";
        reader_.fail(fmt::format("expected `{}: {}`: the type follows the name", reader_.now().text, type));
    }
    if (!reader_.at(":"))
        reader_.fail(fmt::format("expected `:` and the {0}'s type, such as `{1}: int`", what, name.text));
    reader_.take();
    const Span first = reader_.now().span;
    declared = type();
    return join(first, reader_.last());
}

Token StatementParser::open_block() {
    reader_.before_block(depth_, [&] {
        if (!reader_.at("{")) reader_.expect_block();
    });
    return reader_.take();
}

Statement StatementParser::before_block(Form form) {
    Statement result = begin(form);
    reader_.before_block(depth_, [&] { add_expression(result); });
    end(result);
    return result;
}

// block = "{" { statement } "}" .
std::vector<Statement> StatementParser::block() {
    const Nesting level(depth_, reader_);
    std::vector<Statement> result;
    const Token open = open_block();
    while (!reader_.at("}") && !reader_.at_end() && !reader_.at_declaration()) {
        reader_.recovering(depth_, [&] { result.push_back(statement()); });
    }
    reader_.expect_closing("}", open);
    return result;
}

// statement = compute | analytic | trace | message | wait | collective | let | assignment | require | branch | loop
//           | phase | call .
Statement StatementParser::statement() {
    if (costs_) return entry();
    if (reader_.at("compute")) return with_amount(Form::compute);
    if (reader_.at("analytic")) return analytic();
    if (reader_.at("trace")) return trace();
    if (auto found = message()) return std::move(*found);
    if (auto found = collective()) return std::move(*found);
    if (reader_.at("let")) return let(Form::let);
    if (reader_.at("var")) return let(Form::variable);
    if (reader_.at("require")) return require();
    if (reader_.at("if")) return branch();
    if (reader_.at("for")) return for_loop();
    if (reader_.at("repeat")) return repeat();
    if (reader_.at("while")) return while_loop();
    if (reader_.at("phase")) return phase();
    if (reader_.at_name_then("(")) return call();
    if (reader_.at_name_then("=")) return assignment();
    unknown();
}

void StatementParser::unknown() {
    static const std::vector<std::string> kStatements{
        "compute",   "send",    "recv",     "isend",          "irecv",    "ssend",  "sendrecv",  "wait",
        "waitall",   "waitany", "barrier",  "broadcast",      "reduce",   "gather", "allreduce", "scatter",
        "allgather", "scan",    "alltoall", "reduce_scatter", "let",      "var",    "if",        "require",
        "for",       "while",   "repeat",   "phase",          "analytic", "trace"};
    const Token word = reader_.now();
    const std::string_view remedy = foreign_word_remedy(word.text, WordPlace::statement);
    if (word.form == Token::Form::name && !remedy.empty()) reader_.fail(std::string(remedy));
    for (const char* sign : {"+", "-", "*", "/"}) {
        if (!reader_.at_name_then(sign)) continue;
        reader_.fail(fmt::format("expected `{0} = {0} {1} 1` or its like: there are no short forms", word.text, sign));
    }
    if (reader_.at_name_then("[")) {
        reader_.fail("expected a list written at once, such as `let a = [1, 2, 3]`: its items never change");
    }
    const BlockWord* const elsewhere = word.form == Token::Form::name ? find_block_word(word.text) : nullptr;
    if (elsewhere != nullptr) reader_.fail(fmt::format("expected `{}` only in {}", word.text, elsewhere->block));
    if (reader_.at("else")) reader_.fail("expected `else` right after the `}` of an `if`");
    if (reader_.at("closed_form")) {
        reader_.fail(
            "expected `analytic { }` for a region by its closed form: a `closed_form` stands beside the iteration");
    }
    const std::string_view near = word.form == Token::Form::name ? input::nearest_name(word.text, kStatements) : "";
    if (!near.empty()) reader_.fail(fmt::format("expected a statement or `}}`; did you mean `{}`?", near));
    std::string names;
    for (const std::string& name : kStatements) names += fmt::format("`{}`, ", name);
    reader_.fail(fmt::format("expected `}}` or a statement: {}or the name of a template or subtask and `(`", names));
}

// compute = "compute" expression .
Statement StatementParser::with_amount(Form form) {
    Statement result = begin(form);
    add_expression(result);
    end(result);
    return result;
}

// let = ( "let" | "var" ) name "=" expression .
Statement StatementParser::let(Form form) {
    Statement result = begin(form);
    result.name = reader_.expect_name("a name");
    if (reader_.now().form == Token::Form::name && kind_named(result.name.text)) {
        reader_.fail(fmt::format("expected `{} = ` and a value, which gives it its type", reader_.now().text));
    }
    reader_.expect("=", reader_.at(":") ? "`=` and a value, which gives the variable its type" : "`=` and a value");
    add_expression(result);
    end(result);
    return result;
}

// assignment = name "=" expression .
Statement StatementParser::assignment() {
    Statement result;
    result.form = Form::assign;
    result.name = reader_.expect_name("a name");
    result.span = result.name.span;
    reader_.take();
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

// note = "note" expression "," string { "," expression } .
Statement StatementParser::note() {
    Statement result = begin(Form::note);
    add_expression(result);
    reader_.expect(",", "`,` and the note for a condition that holds");
    if (reader_.now().form != Token::Form::string) reader_.fail("expected the note in quotes");
    result.message = reader_.take().text;
    while (reader_.accept(",")) add_expression(result);
    end(result);
    return result;
}

// branch = "if" expression block [ "else" ( branch | block ) ] .
Statement StatementParser::branch() {
    const Nesting level(depth_, reader_);
    Statement result = before_block(Form::branch);
    result.body = block();
    if (!reader_.accept("else")) return result;
    if (reader_.at("if")) {
        result.otherwise.push_back(branch());
    } else {
        result.otherwise = block();
    }
    return result;
}

// loop = "for" name "in" expression [ ".." expression ] block | ( "repeat" | "while" ) expression block .
Statement StatementParser::for_loop() {
    Statement result = begin(Form::for_each);
    reader_.before_block(depth_, [&] {
        if (reader_.at("(")) reader_.fail("expected `for i in 1..N { }`: both ends are included");
        result.name = reader_.expect_name("a name for what varies");
        reader_.expect("in", reader_.at("=") ? "`for i in 1..N { }`: both ends are included"
                                             : "`in` and a list or a range such as `1..4`");
        add_expression(result);
        if (reader_.accept("..")) {
            result.form = Form::for_range;
            add_expression(result);
        }
    });
    end(result);
    result.body = block();
    return result;
}

Statement StatementParser::repeat() {
    Statement result = before_block(Form::repeat);
    result.body = block();
    return result;
}

Statement StatementParser::while_loop() {
    Statement result = before_block(Form::while_loop);
    result.body = block();
    return result;
}

// phase = "phase" name block .
Statement StatementParser::phase() {
    Statement result = begin(Form::phase);
    reader_.before_block(depth_, [&] { result.name = reader_.expect_name("the name of the phase"); });
    end(result);
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
    const std::string_view remedy = foreign_word_remedy(result.name.text, WordPlace::statement);
    if (reader_.now().form == Token::Form::string && !remedy.empty()) reader_.fail(std::string(remedy));
    while (!reader_.at(")")) {
        add_expression(result);
        if (!reader_.accept(",")) break;
    }
    reader_.expect_closing(")", open);
    end(result);
    return result;
}

}  // namespace warpfront::psl
