// The canonical layout of a model: `warpfront check --format`.
//
// It depends only on the tokens and the comments: one statement on a line, four blanks per block, one blank around
// operators and after commas, `}` on its own line, lines of at most 120 columns if they have a place to break. Comments
// stay with the statement that they trail or precede; trailing comments of one paragraph begin in one column. At most
// one of several blank lines is kept, and none at the ends of a block; one separates objects with blocks. A text in
// canonical layout is not changed.
#pragma once

#include <string>

#include "simulator/input/source.hpp"

namespace warpfront::psl {

/// Returns the text in canonical layout. Throws BadInput for a text that does not parse.
std::string formatted(const SourceFilePtr& source);

}  // namespace warpfront::psl
