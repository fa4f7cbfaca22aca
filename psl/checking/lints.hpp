// Notes on a checked model: unused declarations, and statements that are never executed for any parameters. They are
// not errors, so loading ignores them; `warpfront check` prints them (tools/program/checking/README.md lists them).
// Imported files are not examined, since other models may use the rest of them.
#pragma once

#include <string>
#include <vector>

#include "psl/checking/load.hpp"

namespace warpfront::psl {

/// Returns "FILE:LINE:COLUMN: ..." for each note, in the order of the file.
std::vector<std::string> lints(const Model& model);

/// Returns the names of the application's parameters that are never used in the model.
std::vector<std::string> unused_parameters(const Model& model);

/// Returns true if an expression of the model mentions the built-in value `iterations`.
bool mentions_iterations(const Model& model);

/// Returns true if the application, or a subtask or template of the model, has a list of tasks.
bool has_task_lists(const Model& model);

}  // namespace warpfront::psl
