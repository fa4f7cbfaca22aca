// Notes on a checked model: what it declares and never uses, and statements that are never executed whatever the
// parameters. They are no faults, so loading ignores them; `warpfront check` prints them (tools/checking/README.md
// lists them). Only the file itself is examined: an imported file serves other models too.
#pragma once

#include <string>
#include <vector>

#include "psl/checking/load.hpp"

namespace warpfront::psl {

/// "FILE:LINE:COLUMN: ...", in the order of the file.
std::vector<std::string> lints(const Model& model);

/// The names of the application's parameters that nothing in the model uses.
std::vector<std::string> unused_parameters(const Model& model);

/// Whether an expression of the model mentions the built-in value `iterations`.
bool mentions_iterations(const Model& model);

}  // namespace warpfront::psl
