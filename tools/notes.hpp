// What the user should know of a case before it runs: of its program, of its machine, and of what the scenario does not
// say. `run` tells it with the result, `check` beside `ok`.
#pragma once

#include <string>
#include <vector>

#include "tools/experiment.hpp"

namespace warpfront::tools {

std::vector<std::string> notes_of(const Experiment& prepared);

}  // namespace warpfront::tools
