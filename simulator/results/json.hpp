// A result as JSON, schema "warpfront.result/1". Scripts outside the project read it, so a key never changes its
// meaning within a version. A field that this run does not have is left out: a closed form has no `breakdown`, `work`
// or `digest`.
//
// Times are in seconds, converted from exact picoseconds; the parts of `breakdown` add up to `time_s` except for
// rounding. `iteration_s` contains [duration, number of equal iterations] in order. `notes` are the last sentences of
// the terminal table.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/results/ensemble.hpp"

namespace warpfront::results {

/// Converts a result to JSON. If `record` is the first of several runs, `ensemble` describes all of them. `closed_form`
/// is the analytic engine's total for the same run, if any.
nlohmann::ordered_json to_json(const record::Record& record, const Context& context,
                               const std::optional<Ensemble>& ensemble = {}, std::optional<WideTime> closed_form = {});

/// Returns the waits for links, and the links with the longest waits. The record must contain them.
nlohmann::ordered_json link_waits_json(const record::Record& record);

/// Formats indented text that ends with a line break and has lists of numbers on one line. Bytes that are not UTF-8
/// become U+FFFD.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace warpfront::results
