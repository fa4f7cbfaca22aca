// A program as text, class by class, as the engine executes it.
//
//   class 2 of 9: rank 1 (column 2, row 1) and 125 more
//     loop 500 times                            pipeline.psl:5
//       recv from rank - 1, tag 0               pipeline.psl:7
//       compute 158.976us                       pipeline.psl:9
//
// Every number is a constant; partners are relative to the rank. Task lists are shown with their bounds.
#pragma once

#include <string>

#include "simulator/program/program.hpp"

namespace warpfront::program {

/// Returns the listing, ending with a line break. Lines and columns of sites are those of `program.sites`, files
/// without their folders.
std::string listing(const Program& program);

}  // namespace warpfront::program
