// The canonical layout of a model: `warpfront check --format`.
//
// It depends on the tokens and the comments alone: one statement on a line, four blanks per block, one blank around
// operators and after commas, `}` on its own line, lines of at most 120 columns if they have a place to break. Comments
// stay with the statement that they trail, or precede; those that trail lines of one paragraph begin in one column. Of
// blank lines at most one stays, none at the ends of a block; one stands between objects with blocks. The layout of a
// text in canonical layout is this text.
#pragma once

#include <string>

#include "simulator/input/source.hpp"

namespace warpfront::psl {

/// Throws BadInput for a text that does not parse.
std::string formatted(const input::SourceFilePtr& source);

}  // namespace warpfront::psl
