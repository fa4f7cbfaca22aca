// A result as the table that a terminal shows: the predicted time, what the iterations took, where the time of the
// last rank went, the closed form beside it, the size of the run and of the work, and what the user should know.
#pragma once

#include <optional>
#include <string>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

/// `closed_form` is the analytic engine's total for the same run, where there is one to set beside it; `ensemble` that
/// of the runs whose first this is, where there were several.
std::string summary(const record::Record& record, const Context& context, std::optional<WideTime> closed_form = {},
                    const std::optional<Ensemble>& ensemble = {});

}  // namespace warpfront::results
