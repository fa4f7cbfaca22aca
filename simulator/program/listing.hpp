// A program as text, class by class: what the engine steps.
//
//   class 2 of 9: rank 1 (column 2, row 1) and 125 more
//     loop 500 times                            pipeline.psl:5
//       recv from rank - 1, tag 0               pipeline.psl:7
//       compute 158.976us                       pipeline.psl:9
//
// Every number is a constant; partners are relative to the rank. Of lists of tasks the lists, with their bounds.
#pragma once

#include <string>

#include "simulator/program/program.hpp"

namespace warpfront::program {

/// Ends with a line break. Lines and columns of sites are those of `program.sites`, files without their folders.
std::string listing(const Program& program);

}  // namespace warpfront::program
