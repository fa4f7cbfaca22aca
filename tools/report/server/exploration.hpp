// A scenario and its adjustable parts: every position of its knobs is an experiment.
//
// Thread rules: immutable after construction; any thread may build experiments.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/input/source.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/report/server/knobs.hpp"

namespace warpfront::tools {

/// The choice of each knob.
struct Position {
    std::vector<std::size_t> choices;
    friend auto operator<=>(const Position&, const Position&) = default;
};

class Exploration {
public:
    /// Reads a scenario. `source` is the text of the scenario, and `file` its path. Throws BadInput if the scenario or
    /// `sets` are at fault.
    Exploration(std::filesystem::path file, SourceFilePtr source, std::vector<std::string> sets);

    const std::filesystem::path& file() const { return file_; }
    const std::vector<Knob>& knobs() const { return knobs_; }
    Position start() const;
    /// Returns true if `json` has a choice of every knob.
    bool is_position(const nlohmann::json& json) const;
    /// Returns `at` with each choice of the knob, in their order.
    std::vector<Position> along(const Position& at, std::size_t knob) const;

    /// Returns the overrides of the knobs that are not at their start.
    std::vector<std::string> sets_at(const Position& at) const;
    /// Builds the experiment of a position. Throws BadInput if the position is invalid, for example because it has more
    /// ranks than cells.
    Experiment experiment(const Position& at) const;
    /// Formats the knobs that are not at their start: "Latency 0.5x, Topology torus"; empty at the start.
    std::string words_of(const Position& at) const;

private:
    scenario::Scenario read(const std::vector<std::string>& sets) const;

    std::filesystem::path file_;
    SourceFilePtr source_;
    std::vector<std::string> sets_;
    std::vector<Knob> knobs_;
    Bandwidth link_bandwidth_;
    std::uint32_t cores_ = 1;  // the number of cores of a host
};

// A position of an exploration, saved as a scenario file.

/// Writes a position to `folder`, which is created if it does not exist, and returns the path of the file. The name
/// contains a hash of the text, so no other position replaces it. The paths in the file lead from `folder` to the files
/// that the exploration reads. Throws BadInput, also if the file, read back, is not a valid scenario.
std::filesystem::path save_scenario(const Exploration& exploration, const Position& at,
                                    const std::filesystem::path& folder);

}  // namespace warpfront::tools
