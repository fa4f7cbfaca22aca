// A result as JSON, schema "warpfront.result/1". Scripts outside the project read it, so keys never change their
// meaning within a version, and a field that this run cannot fill truly is left out: a closed form has no `breakdown`,
// `work` or `digest`.
//
// Times are seconds, from exact picoseconds; the parts of `breakdown` add up to `time_s` to rounding. `iteration_s`
// holds [duration, how many alike] in order. `notes` are the sentences the terminal table ends with.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/results/ensemble.hpp"

namespace warpfront::results {

/// `ensemble`: of the runs whose first this is, where there were several.
nlohmann::ordered_json to_json(const record::Record& record, const Context& context,
                               const std::optional<Ensemble>& ensemble = {});

/// Indented text that ends with a line break; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace warpfront::results
