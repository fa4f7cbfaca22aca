// The invariants of a program (simulator/program/program.hpp), which the lowering and the readers of traces keep.
#pragma once

#include "simulator/program/program.hpp"
#include "tests/preamble.hpp"

namespace warpfront::program {

/// Returns an empty text, or the first violation of an invariant.
std::string validate(const Program& program);

}  // namespace warpfront::program
