// One file checked, by its kind: a model, a scenario with all that it names, a hardware file, a study, a list of
// comparisons, a calibration or its plan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpfront::tools {

/// The notes of a good file. Throws BadInput with all its faults.
std::vector<std::string> check_file(const std::filesystem::path& file);

}  // namespace warpfront::tools
