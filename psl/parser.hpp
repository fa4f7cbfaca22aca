// Tokens to a syntax tree: recursive descent, precedence climbing for expressions. The EBNF is above each parse
// function. PSL needs no separators: every statement begins with a keyword or with `name (`, which never continues an
// expression. After a fault the parser continues with the next line, so one run reports several faults.
#pragma once

#include "psl/lexer.hpp"
#include "psl/syntax.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

/// The tree of all valid statements; the others are in `faults`.
File parse(const input::SourceFilePtr& source, std::uint32_t file, input::Diagnostics& faults);

}  // namespace warpfront::psl
