// Checks on which process grids a learnt model runs. The model is lowered for each grid, as before a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/from_code/learning/learn.hpp"

namespace warpfront::learning {

struct SizeCheck {
    RankGrid grid;
    std::string refused;  // the first error; empty if the model runs
};

/// Lowers the model for process grids from 2 x 2 to 128 x 128, or for rows of the same length if all runs are rows. A
/// parameter that ranks share grows with the grid, so that the share of each rank is constant. Imports are relative to
/// `file`, the file of the model.
std::vector<SizeCheck> check_sizes(const Learnt& learnt, const std::filesystem::path& file);

/// Returns why the model does not run on the process grid of a run with its parameters. Returns an empty text if it
/// runs.
std::string refusal_on(const Learnt& learnt, const trace::RecordedRun& recorded, const std::filesystem::path& file);

}  // namespace warpfront::learning
