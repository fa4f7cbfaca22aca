// Compares the results of a study with the statements of its source (findings.hpp).
//
// A statement agrees if it holds at every point to which it applies. An engine that has not run at one of these points
// is not judged; the points of `grows` and `falls` and the values of `along` are those at which it has run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/units/percent.hpp"
#include "tools/study/findings.hpp"
#include "tools/study/results.hpp"

namespace warpfront::tools {

/// The result of one engine compared with a statement.
struct Judgement {
    std::string engine;
    std::string ours;                     // "4K", "0.031", "0.9 to 1.1"
    std::optional<Percent> difference{};  // from the statement; the largest in size of several
    bool agrees = false;
};

/// Returns a judgement of every engine that has run at the points of the statement, in the order of the study's
/// engines.
std::vector<Judgement> judge(const Finding& finding, const StudyResults& results);

/// Formats all statements with their judgements as lines for a terminal; empty if there are none.
std::string findings_text(const StudyResults& results);

/// Returns the value of `published` in `warpfront.study/1`.
nlohmann::ordered_json findings_json(const StudyResults& results);

}  // namespace warpfront::tools
