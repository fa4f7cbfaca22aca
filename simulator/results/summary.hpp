// A result as a table for the terminal: the predicted time, the iterations, the closed form, the size of the run and of
// the work, the breakdown of the last rank, and notes.
#pragma once

#include <optional>
#include <string>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

/// Formats the first line of the table: the predicted time (the mean of several runs), rounded to the precision of its
/// 95 % interval, and the engine.
std::string headline(const record::Record& record, const Context& context,
                     const std::optional<Ensemble>& ensemble = {});

/// Formats the links that messages waited for most; empty if links are not shared or no message waited.
std::string link_waits_table(const record::Record& record);

/// Formats the table; `closed_form` is the analytic engine's total for the same run, if any. If `record` is the first
/// of several runs, `ensemble` describes all of them.
std::string summary(const record::Record& record, const Context& context, std::optional<WideTime> closed_form = {},
                    const std::optional<Ensemble>& ensemble = {});

}  // namespace warpfront::results
