// The Performance Specification Language: from a `.psl` file to a rank program.
//
//   Model model = psl::load("models/sweep3d/sweep3d.psl");   // lexed, parsed, checked; throws BadInput with all faults
//   program::Program program = psl::lower(model, bindings);  // parameters bound, everything foldable folded
//
// psl/README.md describes the language and the stages in its folders; the grammar is above each parse function.
#pragma once

#include "psl/checking/load.hpp"
#include "psl/lowering/lower.hpp"
#include "psl/specialising/bindings.hpp"
