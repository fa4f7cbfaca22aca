// Lowers a checked model to the program of every class of ranks.
#pragma once

#include "psl/checking/load.hpp"
#include "psl/specialising/bindings.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// Returns the program of a model. Throws BadInput for missing or unknown parameters, values of a wrong type or unit,
/// numbers of iterations or sizes that are not positive, partners outside the process grid, costs beyond virtual time,
/// and sends without receives.
program::Program lower(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
