// Experiments of scenarios, and parts of texts, for the tests of tools.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tools/experiment/experiment.hpp"

namespace warpfront::test {

inline tools::Experiment experiment_of(const std::filesystem::path& file, const std::vector<std::string>& sets = {}) {
    return tools::build_experiment(scenario::read_scenario(scenario::read_document(file, sets)));
}

/// Whether `text` holds `part`.
inline bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace warpfront::test
