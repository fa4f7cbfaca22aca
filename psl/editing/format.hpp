// The canonical layout of a model: `warpfront check --format`.
//
// The layout depends only on the tokens and the comments:
//   - one statement on a line, four blanks per block, and `}` on its own line
//   - one blank around operators and after commas
//   - at most 120 columns, if the line can be broken
//   - comments remain with their statement; the trailing comments of a paragraph begin in one column
//   - no two blank lines together, and none at the ends of a block; a blank line between objects with blocks
// A text in canonical layout is not changed.
#pragma once

#include <string>

#include "simulator/input/source.hpp"

namespace warpfront::psl {

/// Returns the text in canonical layout. Throws BadInput if the text has syntax errors.
std::string formatted(const SourceFilePtr& source);

}  // namespace warpfront::psl
