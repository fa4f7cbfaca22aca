// Tokens to a syntax tree: recursive descent, precedence climbing for expressions. The EBNF is above each parse
// function. PSL needs no separators: every statement begins with a keyword or with `name (`, which never continues an
// expression. After a fault the parser continues: in the block whose head it stands in, else with the next line, and
// where a `}` is missing with the next declaration; so one run reports all faults, each once.
#pragma once

#include "psl/syntax/lexer.hpp"
#include "psl/syntax/tree.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

/// The tree of all valid statements. The faults of the lexer and of the parser go to `faults` in order of place.
File parse(const input::SourceFilePtr& source, std::uint32_t file, input::Diagnostics& faults);

}  // namespace warpfront::psl
