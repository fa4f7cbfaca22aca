// A scenario and what can be moved of it: every position of its knobs is an experiment.
//
// Thread rules: immutable after construction; any thread may build experiments.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/input/source.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/server/knobs.hpp"

namespace warpfront::tools {

/// The choice of each knob.
struct Position {
    std::vector<std::size_t> choices;
    friend auto operator<=>(const Position&, const Position&) = default;
};

class Exploration {
public:
    /// `source` has the text of a scenario whose own file is `file`. Throws BadInput if it is at fault, or as in
    /// `sets`.
    Exploration(std::filesystem::path file, input::SourceFilePtr source, std::vector<std::string> sets);

    const std::filesystem::path& file() const { return file_; }
    const std::vector<Knob>& knobs() const { return knobs_; }
    Position start() const;
    /// A choice of every knob.
    bool is_position(const nlohmann::json& json) const;
    /// `at` with each choice of the knob, in their order.
    std::vector<Position> along(const Position& at, std::size_t knob) const;

    /// The overrides of the knobs that do not stand where they started.
    std::vector<std::string> sets_at(const Position& at) const;
    /// Throws BadInput if the position is none: more ranks than cells, say.
    Experiment experiment(const Position& at) const;
    /// "Latency 0.5x, Topology torus": of the knobs that do not stand where they started; empty at the start.
    std::string words_of(const Position& at) const;

private:
    scenario::Scenario read(const std::vector<std::string>& sets) const;

    std::filesystem::path file_;
    input::SourceFilePtr source_;
    std::vector<std::string> sets_;
    std::vector<Knob> knobs_;
    Bandwidth link_bandwidth_;
    std::uint32_t cores_ = 1;  // of a host
};

// A position of an exploration as a scenario file of its own.

/// Writes it to `folder`, which is made where it is not there, and returns its path. Its name has a hash of its text,
/// so no other position replaces it. The paths in it lead from `folder` to the files that the exploration reads. Throws
/// BadInput, also where the file, read back, is no good scenario.
std::filesystem::path save_scenario(const Exploration& exploration, const Position& at,
                                    const std::filesystem::path& folder);

}  // namespace warpfront::tools
