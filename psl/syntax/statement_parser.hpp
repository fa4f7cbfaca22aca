// Parses blocks, the statements in them, and types. Declarations need types too.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "psl/syntax/keywords.hpp"
#include "psl/syntax/token_reader.hpp"

namespace warpfront::psl {

class StatementParser {
public:
    /// Makes a parser. `depth` is the present depth of nesting and is also used by the enclosing parser.
    StatementParser(TokenReader& reader, unsigned& depth) : reader_(reader), depth_(depth) {}

    Statement begin(Statement::Form form);
    void end(Statement& statement);
    void add_expression(Statement& statement);
    Type type();
    /// Parses "name : type" and returns the span of the type. `what` describes the name in messages.
    Span declaration(Name& name, Type& type, std::string_view what);
    /// Returns the `{` of a block. Skips other text before it on the same line.
    Token open_block();
    std::vector<Statement> block();
    /// Parses the body of a subtask with a value.
    std::vector<Statement> cost_block();
    /// Returns the keyword of the statement that begins at the current token. Returns null if there is none.
    const Keyword* at_statement() const;
    /// Parses the statement that begins with `word` at the current token.
    Statement parse(const Keyword& word);
    Statement note();
    /// Parses the fields of a closed form, with their braces.
    std::vector<Statement> fields();
    /// Parses a list of tasks among the costs of a subtask. The current token is `tasks`.
    std::function<Statement()> task_list;
    /// Reports a token with which no statement begins.
    [[noreturn]] void unknown();

private:
    Statement statement();
    Statement entry();
    Statement count();
    Statement cases();
    Statement alternative();
    Statement field();
    Statement analytic();
    Statement trace();
    Statement let(Statement::Form form);
    Statement require();
    Statement with_amount(Statement::Form form);
    Statement before_block(Statement::Form form);
    Statement send(Statement::Form form);
    Statement receive(Statement::Form form);
    Statement from_any(Statement statement);
    Statement sendrecv();
    Statement with_tag(Statement statement);
    Statement wait();
    Statement wait_unnamed(Statement::Form form);
    Statement collective(const Keyword& word);
    void refuse_after_collective(const Keyword& word, bool sized, bool over);
    Statement branch();
    Statement for_loop();
    Statement loop(Statement::Form form);
    Statement phase();
    Statement assignment();
    Statement call();

    TokenReader& reader_;
    unsigned& depth_;
    bool costs_ = false;  // true while the parsed blocks contain costs
};

// Parses expressions by precedence climbing.

/// Parses one expression at the current token of `reader`. `depth` is the present depth of nesting.
Expression parse_expression(TokenReader& reader, unsigned& depth);

// Parses lists of self-scheduled tasks, their tasks, and the records of cluster memory that tasks read and write.

class TaskParser {
public:
    /// Makes a parser. `depth` and `statements` are those of the enclosing parser.
    TaskParser(TokenReader& reader, unsigned& depth, StatementParser& statements)
        : reader_(reader), depth_(depth), statements_(statements) {}

    /// Parses a list. The current token is `tasks`.
    Statement list();
    /// Parses a record. The current token is `record`.
    Statement record();

private:
    Statement begin(Statement::Form form);
    std::uint32_t expression(Statement& statement);
    void indices(Statement& statement);
    void reference(Statement& statement);
    void list_options(Statement& list);
    void take(Statement& list);
    Statement task();
    void task_options(Statement& task);
    Statement step();

    TokenReader& reader_;
    unsigned& depth_;
    StatementParser& statements_;
};

}  // namespace warpfront::psl
