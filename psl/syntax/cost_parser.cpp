// Parses the body of a subtask with a value: entries, each a cost.
#include <string_view>

#include "psl/syntax/statement_parser.hpp"

namespace warpfront::psl {

using Form = Statement::Form;

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
    if (reader_.at("let")) return let(Form::let);
    if (reader_.at("if")) return branch();
    if (reader_.at_block_word("time")) return with_amount(Form::duration);
    if (reader_.at_block_word("flops")) return with_amount(Form::flops);
    if (reader_.at_block_word("case")) return cases();
    if (reader_.at_block_word("count")) {
        Statement result = begin(Form::count);
        result.name = reader_.expect_name("the name of an operation of the hardware");
        add_expression(result);
        end(result);
        return result;
    }
    if (reader_.at_block_word("loop")) {
        Statement result = before_block(Form::average_loop);
        result.body = block();
        return result;
    }
    for (const std::string_view other : {"repeat", "for", "while"}) {
        if (reader_.at(other)) reader_.fail("expected `loop N { }`: the average number of trips, which may be a real");
    }
    if (reader_.at("compute")) reader_.fail("expected `time`: the entries of a subtask with a value add up");
    reader_.fail("expected `}` or an entry: `time`, `flops`, `count`, `loop`, `case`, `if` or `let`");
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

}  // namespace warpfront::psl
