// The forms of a comparison: a table for a terminal, JSON, and CSV.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "tools/study/comparison/comparison.hpp"
#include "tools/study/comparison/rows.hpp"

namespace warpfront::tools {

/// Formats the aligned table for a terminal, with the parts of differences, the statistics and the notes below.
std::string render(const Comparison& comparison);

/// Returns the comparison in the schema `warpfront.comparison/1`.
nlohmann::ordered_json comparison_json(const Comparison& comparison, const ComparisonRequest& request,
                                       const std::optional<Percent>& tolerance);
/// Returns the value of its `rows`.
nlohmann::ordered_json to_json(std::span<const ComparisonRow> rows);

/// Formats the comparison as CSV: a line of names, then one line per row, as comma-separated values of RFC 4180.
///
///   table, case, line, ranks, columns, rows      table only for a list of several
///   METHOD_s, exec_s                             seconds, by engine and published prediction
///   METHOD_low_s, METHOD_high_s                  the 95 % interval, with --seeds or a calibration
///   A/B_pct                                      difference of A to B, in percent
///   part_NAME_s                                  parts of event minus analytic, with --parts
/// A cell is empty if a row has no such value. Seconds and percent have all digits of their double.
std::string comparison_csv(const Comparison& comparison);

}  // namespace warpfront::tools
