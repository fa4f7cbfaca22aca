// Names, types, units, arity, requests and recursion: everything that can be wrong before parameters are known.
#pragma once

#include "psl/model.hpp"

namespace warpfront::psl {

/// Resolves `model` in place; what is wrong goes to `faults`.
void check(CheckedModel& model, input::Diagnostics& faults);

}  // namespace warpfront::psl
