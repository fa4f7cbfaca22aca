// Parses lists of self-scheduled tasks, their tasks, and the records of cluster memory that tasks read and write.
#pragma once

#include "psl/syntax/statement_parser.hpp"
#include "psl/syntax/token_reader.hpp"

namespace warpfront::psl {

class TaskParser {
public:
    /// Shares the nesting and the statements with the enclosing parser.
    TaskParser(TokenReader& reader, unsigned& depth, StatementParser& statements)
        : reader_(reader), depth_(depth), statements_(statements) {}

    /// Parses a list, at the word `tasks`.
    Statement list();
    /// Parses a record, at the word `record`.
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
