// Tokens to a syntax tree, by recursive descent; expressions by precedence climbing. The EBNF stands above each parse
// function. PSL needs no separators: every statement begins with a keyword or with `name (`, which never continues an
// expression. After a fault the parser goes on with the next line, so that one run tells several.
#pragma once

#include "psl/lexer.hpp"
#include "psl/syntax.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

/// The tree of what could be parsed; the rest is in `faults`.
File parse(const input::SourceFilePtr& source, std::uint32_t file, input::Diagnostics& faults);

}  // namespace warpfront::psl
