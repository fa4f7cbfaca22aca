// Whether what comes out of a study is what a source states of it (findings.hpp).
//
// A statement agrees if it holds at every point that it is of. An engine that has not run at one of these points is not
// judged; the points of `grows` and `falls` and the values of `along` are those where it has run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/units/percent.hpp"
#include "tools/study/findings.hpp"
#include "tools/study/results.hpp"

namespace warpfront::tools {

/// One engine beside a statement.
struct Judgement {
    std::string engine;
    std::string ours;                     // "4K", "0.031", "0.9 to 1.1"
    std::optional<Percent> difference{};  // of a value to what is stated; of several the largest in size
    bool agrees = false;
};

/// A judgement of every engine that has run there, in the order of the study's engines.
std::vector<Judgement> judge(const Finding& finding, const StudyResults& results);

/// All statements with their judgements, as lines for a terminal; empty if there are none.
std::string findings_text(const StudyResults& results);

/// The value of `published` in `warpfront.study/1`.
nlohmann::ordered_json findings_json(const StudyResults& results);

}  // namespace warpfront::tools
