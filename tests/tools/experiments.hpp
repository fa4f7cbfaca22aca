// Experiments of scenarios, for the tests of tools.
//
// Not pinned here, in the whole suite: outputs and exit statuses of the program (tests/end_to_end); values of
// simulations, closed forms and statistics (tests/engine, tests/analytic, tests/results); the forms of scenarios,
// published tables and keys (tests/scenario); faults of models (tests/psl); texts of help, man page and completion
// (tests/documentation, tests/end_to_end); pictures of a browser (tests/page); that threads and skipped iterations
// change nothing (tests/threads, tests/agreement).
#pragma once

#include "tests/texts.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::test {

inline tools::Experiment experiment_of(const std::filesystem::path& file, const std::vector<std::string>& sets = {}) {
    return tools::build_experiment(scenario::read_scenario(scenario::read_document(file, sets)));
}

}  // namespace warpfront::test

using namespace warpfront::tools;
