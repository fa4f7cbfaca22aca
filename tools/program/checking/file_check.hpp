// The check of one file, by its kind: a model, a scenario with all files that it names, a hardware file, a study, jobs,
// a list of comparisons, a calibration or its plan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpfront::tools {

/// Checks a file and returns the notes of a good one. `sets` are overrides (`--set`) of a scenario, a study or jobs;
/// other files take none. Throws BadInput with all faults of the file.
std::vector<std::string> check_file(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

}  // namespace warpfront::tools
