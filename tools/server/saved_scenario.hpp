// A position of an exploration as a scenario file of its own.
#pragma once

#include <filesystem>

#include "tools/server/exploration.hpp"

namespace warpfront::tools {

/// Writes it to `folder`, which is made where it is not there, and returns its path. Its name has a hash of its text, so no
/// other position replaces it. The paths in it lead from `folder` to the files that the exploration reads. Throws BadInput,
/// also where the file, read back, is no good scenario.
std::filesystem::path save_scenario(const Exploration& exploration, const Position& at,
                                    const std::filesystem::path& folder);

}  // namespace warpfront::tools
