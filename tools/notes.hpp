// Notes for the user on an experiment before it runs: those of its program and of its machine, and on missing keys of
// the scenario. `run` prints them with the result, `check` beside `ok`.
#pragma once

#include <string>
#include <vector>

#include "tools/experiment.hpp"

namespace warpfront::tools {

std::vector<std::string> notes_of(const Experiment& prepared);

}  // namespace warpfront::tools
