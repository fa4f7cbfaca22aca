// Arrays of ranks on which a learnt model runs: it is lowered for each, as the program does before a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/learning/learn.hpp"

namespace warpfront::learning {

struct SizeCheck {
    RankGrid grid;
    std::string refused;  // the first fault; empty: the model runs
};

/// Lowers the model for arrays from 2 x 2 to 128 x 128, or as long ones where all runs are rows. A parameter that ranks
/// share grows with the array, so that each keeps its share. Imports are relative to `file`, that of the model.
std::vector<SizeCheck> check_sizes(const Learnt& learnt, const std::filesystem::path& file);

/// Returns why the model does not run on the array of a run with its parameters; empty if it does.
std::string refusal_on(const Learnt& learnt, const trace::RecordedRun& recorded, const std::filesystem::path& file);

}  // namespace warpfront::learning
