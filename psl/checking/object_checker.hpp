// Checks the statements of one object: an application, a subtask or a template.
#pragma once

#include <vector>

#include "psl/checking/expression_checker.hpp"

namespace warpfront::psl {

/// Checks the object and the objects within it. Adds its calls to `calls`.
void check_statements(Object& object, const CheckedModel& model, const Callables& callables, std::vector<Call>& calls,
                      Diagnostics& faults);

}  // namespace warpfront::psl
