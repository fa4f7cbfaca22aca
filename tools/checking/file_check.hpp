// One file checked, by its kind: a model, a scenario with all that it names, a hardware file, a study, jobs side by
// side, a list of comparisons, a calibration or its plan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpfront::tools {

/// Returns the notes of a good file. `sets` are overrides (`--set`) of a scenario, a study or jobs; none are for other
/// files. Throws BadInput with all faults of the file.
std::vector<std::string> check_file(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

}  // namespace warpfront::tools
