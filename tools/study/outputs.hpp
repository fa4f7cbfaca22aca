// The output formats of a study's results: a table for a terminal, CSV, and JSON, schema `warpfront.study/1`. None
// contains times or names of the host, so a study gives the same bytes wherever and however it runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "simulator/scenario/scenario.hpp"
#include "tools/study/findings.hpp"
#include "tools/study/results.hpp"

namespace warpfront::tools {

/// Formats one row per point: the values that vary, ranks if they do, then each column by engine, and the difference of
/// event from analytic in %. The best values along axes and the notes follow below the table.
std::string study_table(const StudyResults& results);

/// Formats the lines below the table: the best values along axes, and the verdicts on published statements. Empty if
/// the study has neither.
std::string study_findings(const StudyResults& results);

/// Formats one row per point, with its number in the column `point`. The other columns are the paths of axes, `ranks`,
/// `nodes`, then `ENGINE NAME UNIT`, such as `event time s`.
std::string study_csv(const StudyResults& results);

/// Returns the results without their context.
nlohmann::ordered_json study_json(const StudyResults& results);

/// Returns the results with their context: the hash of every file that was read, and the scenario of the first point as
/// run. `base` is the scenario that the points change.
nlohmann::ordered_json study_json(const StudyResults& results, const scenario::ScenarioDocument& base);

/// Returns the header of a column, such as "event time s".
std::string header_of(std::string_view engine, ColumnName column);

// Compares the results of a study with the statements of its source (findings.hpp).
//
// A statement agrees if it holds at every point to which it applies. An engine without a value at one of these points
// is not judged, with one exception: along the axis `along`, points at which the engine has no value are left out. At
// least one value (two for `grows` and `falls`) must remain.

/// Returns the statement with a judgement of every engine that has run at its points, in the order of the study's
/// engines.
Statement judge(const Finding& finding, const StudyResults& results);

/// Formats all statements with their judgements as lines for a terminal; empty if there are none.
std::string findings_text(const StudyResults& results);

/// Returns the value of `published` in `warpfront.study/1`.
nlohmann::ordered_json findings_json(const StudyResults& results);

}  // namespace warpfront::tools
