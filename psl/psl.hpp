// The Performance Specification Language: from a `.psl` file to a rank program.
//
//   Model model = psl::load("models/sweep3d/sweep3d.psl");   // lexed, parsed, checked; throws BadInput with all errors
//   program::Program program = psl::lower(model, bindings);  // parameters bound, constants inserted
//
// psl/README.md describes the language and the stages in its folders. Each parse function has its grammar in a comment.
#pragma once

#include "psl/checking/load.hpp"
#include "psl/lowering/lower.hpp"
#include "psl/specialising/bindings.hpp"
