// Notes on a checked model, about unused declarations and statements that are never executed for any parameters. They
// are not errors, so loading a model does not report them. `warpfront check` prints them
// (tools/program/checking/README.md lists them). Imported files are not examined, since other models may use the rest
// of a file.
#pragma once

#include <string>
#include <vector>

#include "psl/checking/load.hpp"

namespace warpfront::psl {

/// Returns "FILE:LINE:COLUMN: ..." for each note, in the order of the file.
std::vector<std::string> lints(const Model& model);

/// Returns the names of the application's parameters that the model never uses.
std::vector<std::string> unused_parameters(const Model& model);

/// Returns true if an expression of the model contains the built-in value `iterations`.
bool mentions_iterations(const Model& model);

/// Returns true if the application, a subtask or a template has a list of tasks.
bool has_task_lists(const Model& model);

}  // namespace warpfront::psl
