// The output formats of a study's results: a table for a terminal, CSV, and JSON (schema `warpfront.study/1`). They
// contain no times of the host and no names of the host. So a study gives the same bytes on every host and in every
// order of runs.
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

/// Formats one row per point: the values that vary, the ranks if they vary, then each column by engine, and the
/// difference of event from analytic in percent. With several seeds, times also have half of the width of their
/// intervals. The best values along axes and the notes follow below the table.
std::string study_table(const StudyResults& results);

/// Formats the lines below the table: the best values along axes, and the verdicts on published statements. The text is
/// empty if the study has neither.
std::string study_findings(const StudyResults& results);

/// Formats one row per point, with its number in the column `point`. The other columns are the paths of axes, `ranks`,
/// `nodes`, then `ENGINE NAME UNIT`, such as `event time s`. With several seeds, `ENGINE NAME low UNIT` and `ENGINE
/// NAME high UNIT` are the ends of the 95 % interval of the mean.
std::string study_csv(const StudyResults& results);

/// Returns the results without their context.
nlohmann::ordered_json study_json(const StudyResults& results);

/// Returns the results with their context: the hash of every file that was read, and the scenario of the first point
/// with its overrides. `base` is the scenario that the points change.
nlohmann::ordered_json study_json(const StudyResults& results, const scenario::ScenarioDocument& base);

/// Returns the header of a column, such as "event time s" or, for one end of its interval, "event time low s".
std::string header_of(std::string_view engine, ColumnName column, std::string_view end = "");

// Compares the results of a study with the statements of its source (findings.hpp).
//
// A statement agrees if it is true at every point to which it applies. An engine without a value at one of these points
// is not judged. There is one exception: points of the axis `along` at which the engine has no value are left out. At
// least one value must remain, and two for `grows` and `falls`.

/// Returns the statement with a judgement of every engine that has run at its points, in the order of the study's
/// engines.
Statement judge(const Finding& finding, const StudyResults& results);

/// Formats all statements with their judgements as lines for a terminal. The text is empty if there are none.
std::string findings_text(const StudyResults& results);

/// Returns the JSON value of `published` in `warpfront.study/1`.
nlohmann::ordered_json findings_json(const StudyResults& results);

}  // namespace warpfront::tools
