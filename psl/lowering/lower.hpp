// From a checked model to the program of every class of ranks.
#pragma once

#include "psl/checking/load.hpp"
#include "psl/specialising/bindings.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// Throws BadInput: missing or unknown parameters, values of the wrong type or unit, a non-positive trip count or
/// size, a peer outside the rank grid, costs beyond virtual time, sends without receives.
program::Program lower(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
