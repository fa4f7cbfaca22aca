#include "psl/syntax/statement_parser.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/syntax/keywords.hpp"
#include "simulator/input/diagnostic.hpp"

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
    if (const Keyword* const word = at_statement()) return parse(*word);
    if (reader_.at_name_then("(")) return call();
    if (reader_.at_name_then("=")) return assignment();
    if (reader_.at_block_word("tasks")) {
        reader_.fail("expected `compute NAME(...)`, with the list as an entry of `subtask NAME(...): time { }`");
    }
    unknown();
}

const Keyword* StatementParser::at_statement() const {
    const Keyword* const word = reader_.now().form == Token::Form::keyword ? find_keyword(reader_.now().text) : nullptr;
    return word != nullptr && word->form ? word : nullptr;
}

Statement StatementParser::parse(const Keyword& word) {
    switch (const Form form = *word.form) {
        case Form::let:
        case Form::variable: return let(form);
        case Form::require: return require();
        case Form::compute:
        case Form::duration:
        case Form::flops: return with_amount(form);
        case Form::analytic: return analytic();
        case Form::trace: return trace();
        case Form::send:
        case Form::isend:
        case Form::ssend: return send(form);
        case Form::recv:
        case Form::irecv: return receive(form);
        case Form::sendrecv: return sendrecv();
        case Form::wait: return wait();
        case Form::waitall:
        case Form::waitany: return wait_unnamed(form);
        case Form::collective: return collective(word);
        case Form::branch: return branch();
        case Form::for_each: return for_loop();
        case Form::repeat:
        case Form::while_loop:
        case Form::average_loop: return loop(form);
        case Form::phase: return phase();
        case Form::count: return count();
        case Form::cases: return cases();
        // Statements that begin with a name, or that only their enclosing block parses.
        case Form::parameter:
        case Form::assign:
        case Form::note:
        case Form::call:
        case Form::iteration:
        case Form::closed_form:
        case Form::field:
        case Form::result:
        case Form::alternative:
        case Form::achieved_rate:
        case Form::operation:
        case Form::task_list:
        case Form::task:
        case Form::record:
        case Form::read_record:
        case Form::write_record:
        // The parser determines these forms after the first word, or the checker does.
        case Form::recv_any:
        case Form::irecv_any:
        case Form::reply:
        case Form::ireply:
        case Form::allreduce:
        case Form::for_range: break;
    }
    unknown();
}

void StatementParser::unknown() {
    const Token word = reader_.now();
    const std::string_view remedy = foreign_word_remedy(word.text, WordPlace::statement);
    if (word.form == Token::Form::name && !remedy.empty()) reader_.fail(std::string(remedy));
    for (const char* sign : {"+", "-", "*", "/"}) {
        if (!reader_.at_name_then(sign)) continue;
        reader_.fail(fmt::format("expected an assignment such as `{0} = {0} {1} 1`", word.text, sign));
    }
    if (reader_.at_name_then("[")) {
        reader_.fail("expected a whole list, such as `let a = [1, 2, 3]`: the items of a list never change");
    }
    const BlockWord* const elsewhere = word.form == Token::Form::name ? find_block_word(word.text) : nullptr;
    if (elsewhere != nullptr) reader_.fail(fmt::format("expected `{}` only in {}", word.text, elsewhere->block));
    if (reader_.at("else")) reader_.fail("expected `else` right after the `}` of an `if`");
    if (reader_.at("closed_form")) {
        reader_.fail("expected `analytic { }` for a region; `closed_form` belongs beside the iteration");
    }
    std::vector<std::string> names;
    for (const Keyword& each : keywords()) {
        if (each.form) names.emplace_back(each.word);
    }
    const std::string_view near = word.form == Token::Form::name ? input::nearest_name(word.text, names) : "";
    if (!near.empty()) reader_.fail(fmt::format("expected a statement or `}}`; did you mean `{}`?", near));
    reader_.fail(fmt::format("expected `}}` or a statement: `{}`, or the name of a template or subtask and `(`",
                             fmt::join(names, "`, `")));
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
        reader_.fail(fmt::format("expected `{} = ` and a value, which determines the type", reader_.now().text));
    }
    reader_.expect("=", reader_.at(":") ? "`=` and a value, which determines the type" : "`=` and a value");
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
    reader_.expect(",", "`,` and the message for a violated requirement");
    if (reader_.now().form != Token::Form::string) reader_.fail("expected the message in quotes");
    result.message = reader_.take().text;
    end(result);
    return result;
}

// note = "note" expression "," string { "," expression } .
Statement StatementParser::note() {
    Statement result = begin(Form::note);
    add_expression(result);
    reader_.expect(",", "`,` and the text of the note");
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
        result.name = reader_.expect_name("the name of the loop's variable");
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

Statement StatementParser::loop(Form form) {
    Statement result = before_block(form);
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

// Statements of messages: from rank to rank, waits for requests, collectives.

// send = ( "send" | "ssend" | "isend" [ name ] ) expression "to" expression [ tag ] .     tag = "tag" expression .
Statement StatementParser::send(Form form) {
    const std::string_view word = reader_.now().text;
    Statement result = begin(form);
    if (reader_.at_arguments()) reader_.fail(fmt::format("expected `{} BYTES to PEER`, without brackets", word));
    if (form == Form::isend && reader_.at_name_then_value()) result.name = reader_.expect_name("a name");
    add_expression(result);
    reader_.expect("to", "`to` and the rank that receives");
    add_expression(result);
    return with_tag(std::move(result));
}

// recv = ( "recv" | "irecv" [ name ] ) "from" expression [ tag ]
//      | ( "recv" | "irecv" ) [ name ] "from" "any" [ "tag" ( "any" | expression ) ] .
Statement StatementParser::receive(Form form) {
    const std::string_view word = reader_.now().text;
    Statement result = begin(form);
    if (reader_.at("(")) reader_.fail(fmt::format("expected `{} from PEER`, without brackets", word));
    const bool named = reader_.now().form == Token::Form::name;
    if (named) result.name = reader_.expect_name("a name");
    const bool sized = reader_.now().form == Token::Form::number;
    reader_.expect("from",
                   sized ? "`from` and the rank that sends; a receive has no size" : "`from` and the rank that sends");
    if (reader_.at("any")) return from_any(std::move(result));
    if (named && form == Form::recv) {
        reader_.fail("expected `any`: only a `recv` from any rank has a name, for its source");
    }
    add_expression(result);
    return with_tag(std::move(result));
}

Statement StatementParser::from_any(Statement statement) {
    reader_.take();
    statement.form = statement.form == Form::irecv ? Form::irecv_any : Form::recv_any;
    if (reader_.accept("tag")) {
        statement.any_tag = reader_.accept("any");
        if (!statement.any_tag) add_expression(statement);
    }
    end(statement);
    return statement;
}

// sendrecv = "sendrecv" expression "to" expression "from" expression [ tag ] .
Statement StatementParser::sendrecv() {
    Statement result = begin(Form::sendrecv);
    if (reader_.at_arguments()) reader_.fail("expected `sendrecv BYTES to PEER from PEER`, without brackets");
    add_expression(result);
    reader_.expect("to", "`to` and the rank that receives");
    add_expression(result);
    reader_.expect("from", "`from` and the rank that sends");
    add_expression(result);
    return with_tag(std::move(result));
}

Statement StatementParser::with_tag(Statement statement) {
    if (reader_.accept("tag")) add_expression(statement);
    end(statement);
    return statement;
}

// wait = "wait" name | "waitall" | "waitany" .
Statement StatementParser::wait() {
    Statement result = begin(Form::wait);
    result.name = reader_.expect_name("the name of an `irecv` or `isend`; `waitall` needs none");
    end(result);
    return result;
}

Statement StatementParser::wait_unnamed(Form form) {
    const std::string_view word = reader_.now().text;
    Statement result = begin(form);
    const bool calls = reader_.at_name_then("(") || reader_.at_name_then("=");
    if (reader_.now().form == Token::Form::name && !calls) {
        reader_.fail(fmt::format("expected `wait {}` for this request; `{}` waits for requests without a name",
                                 reader_.now().text, word));
    }
    end(result);
    return result;
}

/// Reports common mistakes after a collective: brackets, `in` instead of `over`, a misplaced or missing root.
void StatementParser::refuse_after_collective(const Keyword& word, bool sized, bool over) {
    const std::string_view root = word.root;
    const std::string form = fmt::format("`{}{}{} over EXPRESSION`", word.word, sized ? " BYTES" : "",
                                         root.empty() ? "" : fmt::format(" {} ROOT", root));
    if (reader_.at("(")) reader_.fail(fmt::format("expected {}, without brackets", form));
    if (reader_.at("in")) reader_.fail(fmt::format("expected `over`, as in {}", form));
    if (!reader_.at("to") && !reader_.at("from")) return;
    if (root.empty()) reader_.fail(fmt::format("expected {}: it has no root", form));
    reader_.fail(over ? fmt::format("expected the root before `over`: {}", form) : fmt::format("expected {}", form));
}

// collective = "barrier" [ over ] | ( "broadcast" | "scatter" ) expression [ "from" expression ] [ over ]
//            | ( "reduce" | "gather" ) expression [ "to" expression ] [ over ]
//            | ( "allreduce" | "allgather" | "alltoall" | "reduce_scatter" | "scan" ) expression [ over ] .
// over = "over" expression .
Statement StatementParser::collective(const Keyword& word) {
    Statement result = begin(Form::collective);
    result.collective = word.collective;
    const bool sized = word.collective != collectives::Kind::barrier;
    if (sized && reader_.at_arguments()) reader_.fail(fmt::format("expected `{} BYTES`, without brackets", word.word));
    if (sized) add_expression(result);
    result.rooted = !word.root.empty() && reader_.accept(word.root);
    if (result.rooted) add_expression(result);
    result.over_some = reader_.accept("over");
    if (result.over_some) add_expression(result);
    refuse_after_collective(word, sized, result.over_some);
    if (word.collective == collectives::Kind::allreduce && !result.over_some) result.form = Form::allreduce;
    end(result);
    return result;
}

// Parses the body of a subtask with a value. Each of its entries is a cost.

std::vector<Statement> StatementParser::cost_block() {
    struct Restore {
        bool& costs;
        ~Restore() { costs = false; }
    };
    const Restore restore{costs_};
    costs_ = true;
    return block();
}

// entry = ( "time" | "flops" ) expression | "count" name expression | "loop" expression block | cases | let | branch .
// The words are reserved only here.
Statement StatementParser::entry() {
    if (const Keyword* const word = at_statement(); word != nullptr && word->also.costs) return parse(*word);
    static constexpr auto kEntries = std::to_array<Keyword>({
        {"time", Form::duration},
        {"flops", Form::flops},
        {"count", Form::count},
        {"loop", Form::average_loop},
        {"case", Form::cases},
    });
    for (const Keyword& each : kEntries) {
        if (reader_.at_block_word(each.word)) return parse(each);
    }
    if (reader_.at_block_word("tasks")) return task_list();
    for (const std::string_view other : {"repeat", "for", "while"}) {
        if (reader_.at(other))
            reader_.fail("expected `loop N { }`: the average number of iterations, which may be a real");
    }
    if (reader_.at("compute")) reader_.fail("expected `time`: the entries of a subtask with a value are costs");
    reader_.fail("expected `}` or an entry: `time`, `flops`, `count`, `loop`, `case`, `tasks`, `if` or `let`");
}

Statement StatementParser::count() {
    Statement result = begin(Form::count);
    result.name = reader_.expect_name("the name of an operation of the hardware");
    add_expression(result);
    end(result);
    return result;
}

// cases = "case" "{" { expression block } "}" .
Statement StatementParser::cases() {
    const Nesting level(depth_, reader_);
    Statement result = begin(Form::cases);
    const Token open = open_block();
    while (!reader_.at("}") && !reader_.at_end() && !reader_.at_declaration()) {
        reader_.recovering(depth_, [&] { result.body.push_back(alternative()); });
    }
    reader_.expect_closing("}", open);
    return result;
}

Statement StatementParser::alternative() {
    Statement result;
    result.form = Form::alternative;
    result.span = reader_.now().span;
    reader_.before_block(depth_, [&] { add_expression(result); });
    end(result);
    result.body = block();
    return result;
}

// Statements of analytic and trace regions, and the fields of closed forms.

// analytic = "analytic" ( expression | fields ) .
Statement StatementParser::analytic() {
    Statement result = begin(Form::analytic);
    if (reader_.at("{")) {
        result.body = fields();
        return result;
    }
    add_expression(result);
    end(result);
    return result;
}

// fields = "{" { name "=" expression } "}" .
std::vector<Statement> StatementParser::fields() {
    std::vector<Statement> result;
    const Token open = reader_.expect("{", "`{`");
    while (!reader_.at("}") && !reader_.at_end()) {
        reader_.recovering(depth_, [&] { result.push_back(field()); });
    }
    reader_.expect_closing("}", open);
    return result;
}

Statement StatementParser::field() {
    Statement result;
    result.form = Form::field;
    result.span = reader_.now().span;
    result.name = reader_.expect_name("the name of a field, such as `work`");
    reader_.expect("=", "`=` and a value");
    add_expression(result);
    end(result);
    return result;
}

// trace = "trace" string [ "at" expression ] .
Statement StatementParser::trace() {
    Statement result = begin(Form::trace);
    if (reader_.now().form != Token::Form::string) {
        reader_.fail("expected the folder or the list of the traces in quotes, relative to this file");
    }
    const Token path = reader_.take();
    result.name = {std::string(path.text), path.span};
    if (reader_.accept("at")) add_expression(result);
    end(result);
    return result;
}

}  // namespace warpfront::psl
