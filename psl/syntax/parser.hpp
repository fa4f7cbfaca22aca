// Converts tokens to a syntax tree by recursive descent. Expressions are parsed by precedence climbing. Each parse
// function has its grammar (EBNF) in a comment. PSL needs no separators: every statement begins with a keyword or with
// `name (`, which never continues an expression.
//
// The parser continues after an error, so that one run reports all errors, each once. After an error in the first line
// of a block it continues in the block. After a missing `}` it continues with the next declaration, and otherwise on
// the next line.
#pragma once

#include "psl/syntax/lexer.hpp"
#include "psl/syntax/tree.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

/// Returns the tree of all valid statements. Appends the errors of the lexer and the parser to `faults`, ordered by
/// position.
File parse(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults);

}  // namespace warpfront::psl
