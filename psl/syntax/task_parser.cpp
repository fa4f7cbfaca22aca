#include "psl/syntax/statement_parser.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

using Form = Statement::Form;
using Rule = program::Take::Rule;

Statement TaskParser::begin(Form form) {
    Statement result = statements_.begin(form);
    result.clauses.emplace_back();
    return result;
}

/// Parses an expression of the statement and returns its position in `expressions`.
std::uint32_t TaskParser::expression(Statement& statement) {
    statements_.add_expression(statement);
    return static_cast<std::uint32_t>(statement.expressions.size() - 1);
}

// indices = "[" index { "," index } "]" .     index = name "in" expression ".." expression .
void TaskParser::indices(Statement& statement) {
    if (!reader_.at("[")) return;
    const Token open = reader_.take();
    do {
        TaskClauses::Index index;
        index.name = reader_.expect_name("the name of an index, as in `[i in 1..8]`");
        reader_.expect("in", "`in` and the bounds of the index, as in `[i in 1..8]`");
        expression(statement);
        reader_.expect("..", "`..` and the last value of the index, which is included");
        expression(statement);
        statement.clauses[0].indices.push_back(std::move(index));
    } while (reader_.accept(","));
    reader_.expect_closing("]", open);
}

// reference = name [ "[" part { "," part } "]" ] .     part = expression [ ".." expression ] .
void TaskParser::reference(Statement& statement) {
    TaskClauses::Reference result;
    result.name = reader_.expect_name("a name, as in `pencil[p - 1, 1..i]`");
    if (reader_.at("[")) {
        const Token open = reader_.take();
        do {
            TaskClauses::Part part{expression(statement)};
            part.is_range = reader_.accept("..");
            if (part.is_range) expression(statement);
            result.parts.push_back(part);
        } while (reader_.accept(","));
        reader_.expect_closing("]", open);
    }
    result.span = join(result.name.span, reader_.last());
    statement.clauses[0].references.push_back(std::move(result));
}

// record = "record" name [ indices ] ":" expression [ "given" ] .
Statement TaskParser::record() {
    Statement result = begin(Form::record);
    result.name = reader_.expect_name("the record's name");
    indices(result);
    reader_.expect(":", "`:` and the size of a record, such as `954MB`");
    result.clauses[0].bytes = expression(result);
    if (reader_.at_block_word("given")) {
        reader_.take();
        result.clauses[0].given = true;
    }
    statements_.end(result);
    return result;
}

// list = "tasks" [ name ] [ indices ] "on" ( "node" | "core" ) { option } "{" { task } "}" .
Statement TaskParser::list() {
    const Nesting level(depth_, reader_);
    Statement result = begin(Form::task_list);
    reader_.before_block(depth_, [&] {
        if (!reader_.at_block_word("on") && reader_.now().form == Token::Form::name) {
            result.name = reader_.expect_name("the list's name");
        }
        indices(result);
        if (!reader_.at_block_word("on")) reader_.fail("expected `on node` or `on core`, the workers of the list");
        reader_.take();
        result.clauses[0].on_nodes = reader_.at_block_word("node");
        if (!result.clauses[0].on_nodes && !reader_.at_block_word("core")) reader_.fail("expected `node` or `core`");
        reader_.take();
        list_options(result);
        statements_.end(result);
    });
    const Token open = statements_.open_block();
    while (!reader_.at("}") && !reader_.at_end()) {
        reader_.recovering(depth_, [&] {
            if (!reader_.at_block_word("task")) reader_.fail("expected `task` and its name, or `}`");
            result.body.push_back(task());
        });
    }
    reader_.expect_closing("}", open);
    return result;
}

// option = "ahead" expression | "among" expression | "take" ( expression | rule ) .
void TaskParser::list_options(Statement& list) {
    while (!reader_.at("{") && !reader_.at_end()) {
        TaskClauses& clauses = list.clauses[0];
        std::optional<std::uint32_t>* option = nullptr;
        if (reader_.at_block_word("ahead")) option = &clauses.ahead;
        if (reader_.at_block_word("among")) option = &clauses.window;
        if (reader_.at_block_word("take")) option = &clauses.chunk;
        if (option == nullptr) reader_.fail("expected `ahead`, `among`, `take` or `{`");
        if (*option || (option == &clauses.chunk && clauses.rule != Rule::chunk)) {
            reader_.fail("expected each option once");
        }
        reader_.take();
        if (option == &clauses.chunk) {
            take(list);
        } else {
            *option = expression(list);
        }
    }
}

// rule = "guided" | "factoring" | "trapezoid" | "fixed" .
void TaskParser::take(Statement& list) {
    static constexpr std::array<std::pair<std::string_view, Rule>, 4> kRules{{{"guided", Rule::guided},
                                                                              {"factoring", Rule::factoring},
                                                                              {"trapezoid", Rule::trapezoid},
                                                                              {"fixed", Rule::fixed}}};
    for (const auto& [word, rule] : kRules) {
        if (!reader_.at_block_word(word)) continue;
        reader_.take();
        list.clauses[0].rule = rule;
        return;
    }
    list.clauses[0].chunk = expression(list);
}

// task = "task" name [ indices ] { option } "{" { step } "}" .
Statement TaskParser::task() {
    Statement result = begin(Form::task);
    reader_.before_block(depth_, [&] {
        result.name = reader_.expect_name("the task's name");
        indices(result);
        task_options(result);
        statements_.end(result);
    });
    const Token open = statements_.open_block();
    while (!reader_.at("}") && !reader_.at_end()) {
        reader_.recovering(depth_, [&] { result.body.push_back(step()); });
    }
    reader_.expect_closing("}", open);
    return result;
}

// option = "if" expression | "after" reference { "," reference } | "prefer" expression .
void TaskParser::task_options(Statement& task) {
    while (!reader_.at("{") && !reader_.at_end()) {
        TaskClauses& clauses = task.clauses[0];
        const bool is_condition = reader_.at("if");
        if (reader_.at_block_word("after")) {
            do {
                reader_.take();
                reference(task);
            } while (reader_.at(","));
            continue;
        }
        if (!is_condition && !reader_.at_block_word("prefer")) reader_.fail("expected `if`, `after`, `prefer` or `{`");
        std::optional<std::uint32_t>& option = is_condition ? clauses.condition : clauses.preference;
        if (option) reader_.fail("expected each option once");
        reader_.take();
        option = expression(task);
    }
}

// step = ( "read" | "write" ) reference | "compute" expression | "let" name "=" expression | list .
Statement TaskParser::step() {
    const bool reads = reader_.at_block_word("read");
    if (reads || reader_.at_block_word("write")) {
        Statement result = begin(reads ? Form::read_record : Form::write_record);
        reference(result);
        statements_.end(result);
        return result;
    }
    if (reader_.at_block_word("tasks")) return list();
    const Keyword* const word = statements_.at_statement();
    if (word == nullptr || (word->form != Form::compute && word->form != Form::let)) {
        reader_.fail("expected `read`, `compute`, `tasks`, `write`, `let` or `}`");
    }
    return statements_.parse(*word);
}

}  // namespace warpfront::psl
