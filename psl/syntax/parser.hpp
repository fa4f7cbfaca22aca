// Converts tokens to a syntax tree: recursive descent, precedence climbing for expressions. The EBNF is above each
// parse function. PSL needs no separators: every statement begins with a keyword or with `name (`, which never
// continues an expression. After an error the parser continues in the block after a faulty head, otherwise on the next
// line, and after a missing `}` with the next declaration. So one run reports all errors, each once.
#pragma once

#include "psl/syntax/lexer.hpp"
#include "psl/syntax/tree.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

/// Returns the tree of all valid statements. Appends the errors of the lexer and of the parser to `faults`, in order of
/// place.
File parse(const SourceFilePtr& source, std::uint32_t file, Diagnostics& faults);

}  // namespace warpfront::psl
