// A study: one scenario with varied values. Each combination of values is a point, which one or more engines predict.
//
//   question: which tile height is best?      one line, the heading of the table; optional
//   scenario: ../sweep3d/billion.yaml         relative to the study's own file; so are all files here
//   engines: [event, analytic]                the default
//   seeds: 10                                 seeds of each point with noise; default 1
//   set: {iterations: 1}                      overrides of all points, by path
//   variants: [...]                           named sets of changes; the first axis, named `variant`
//   axes: [...]                               axis.hpp
//   derived: [speed-up, efficiency]           further columns (ColumnName)
//   over: ranks                               the axis of speed-up and efficiency, by a path that it sets; default: the
//                                             first
//   pool: 131072                              ranks of the whole machine, on which pool / ranks jobs run at a time
//   repeats: 300000                           the number of these runs in a job; default 1
//   best: [{of: time, over: parameters.mk}]   the best value along an axis, for all combinations of the others
//   x: parameters.mk                          the axis of the charts; default: that of `best`, of `over`, or the last
//                                             with several values
//   source: Mudalige 2009, figure 5.10        the publication that answers the question; optional
//   published: [...]                          its statements: findings.hpp
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/study/axis.hpp"
#include "tools/study/column.hpp"
#include "tools/study/findings.hpp"

namespace warpfront::tools {

/// A request for the best point along an axis.
struct BestAlong {
    ColumnName column = ColumnName::time;
    std::size_t axis = 0;
};

struct StudyPlan {
    std::string name;  // name of the file without its extension
    std::string question;
    SourceFilePtr source;  // null if axes come only from the command line
    scenario::NamedScenario scenario;
    std::vector<Engine> engines{Engine::event, Engine::analytic};
    std::uint32_t seeds = 1;  // number of seeds of each point that depends on the seed
    std::vector<StudyAxis> axes;
    std::vector<ColumnName> derived;
    std::size_t over = 0;  // index of an axis
    std::optional<std::uint64_t> pool;
    double repeats = 1.0;
    std::vector<BestAlong> best;
    std::size_t x = 0;        // index of an axis
    std::string source_text;  // value of the key `source`
    std::vector<Finding> published;

    /// Returns the number of points: all combinations of the values of the axes.
    std::size_t points() const;
    /// Returns the distance between the points of two consecutive values of the axis.
    std::size_t stride(std::size_t axis) const;
    /// Returns the index of the axis's value at a point.
    std::size_t index(std::size_t point, std::size_t axis) const;
    /// Returns true if some column is a share of the critical path.
    bool needs_path() const;
};

/// Returns true if a YAML file is a study, that is, has a key `axes` or `variants`. Throws BadInput if the file is not
/// YAML.
bool is_study(const SourceFilePtr& source);

/// The command-line options that change or extend a study.
struct StudyArguments {
    std::vector<std::string> vary{};     // axes; they replace axes with the same key
    std::optional<std::string> ranks{};  // an axis of ranks
    /// Overrides for all points. The plan uses them only for the process grid, and to find keys that an axis sets as
    /// well.
    std::vector<std::string> sets{};
    std::optional<std::uint32_t> seeds{};  // replaces `seeds`
    std::optional<std::string> x{};        // replaces `x`
    std::vector<std::string> best{};       // entries COLUMN:KEY; they replace `best`
};

/// Reads the study in `file`, changed by `arguments`. `file` may also be a scenario, which has no axes. Throws BadInput
/// with all errors: those of axes; unknown_key, missing_key, bad_choice; conflicting_keys for a key that two axes, two
/// arguments, or an axis and an override set, and for an axis of `seed` beside several seeds; out_of_range for too many
/// runs; missing_key for `pool`.
StudyPlan read_study(const std::filesystem::path& file, const StudyArguments& arguments);

}  // namespace warpfront::tools
