// Compares the results of a study with the statements of its source (findings.hpp).
//
// A statement agrees if it holds at every point to which it applies. An engine that has not run at one of these points
// is not judged; the points of `grows` and `falls` and the values of `along` are those at which it has run.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "tools/study/findings.hpp"
#include "tools/study/results.hpp"

namespace warpfront::tools {

/// Returns the statement with a judgement of every engine that has run at its points, in the order of the study's
/// engines.
Statement judge(const Finding& finding, const StudyResults& results);

/// Formats all statements with their judgements as lines for a terminal; empty if there are none.
std::string findings_text(const StudyResults& results);

/// Returns the value of `published` in `warpfront.study/1`.
nlohmann::ordered_json findings_json(const StudyResults& results);

}  // namespace warpfront::tools
