// Parses expressions by precedence climbing.
#pragma once

#include "psl/syntax/token_reader.hpp"

namespace warpfront::psl {

/// Parses one expression at `reader`; `depth` is the nesting reached so far.
Expression parse_expression(TokenReader& reader, unsigned& depth);

}  // namespace warpfront::psl
