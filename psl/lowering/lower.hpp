// From a checked model to the program of every class of ranks.
#pragma once

#include "psl/checking/load.hpp"
#include "psl/specialising/bindings.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// Lowers a model. Throws BadInput: missing or unknown parameters, values of the wrong type or unit, a non-positive
/// loop count or size, a peer outside the process grid, costs beyond virtual time, sends without receives.
program::Program lower(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
