// Checks names, types, units, arity, requests and recursion: all faults that do not depend on parameters.
#pragma once

#include "psl/checking/model.hpp"

namespace warpfront::psl {

/// Resolves `model` in place and adds its faults to `faults`.
void check(CheckedModel& model, input::Diagnostics& faults);

}  // namespace warpfront::psl
