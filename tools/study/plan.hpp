// A study: one scenario over axes of values, every point by one or more engines.
//
//   question: which tile height is best?      one line, for the table's head; optional
//   scenario: ../sweep3d/billion.yaml         relative to the study's own file
//   engines: [event, analytic]                which is the default
//   set: {iterations: 1}                      overrides of all points, by path; files as in the scenario
//   axes: [...]                               axis.hpp
//   derived: [speed-up, efficiency]           further columns (ColumnName)
//   over: ranks                               the axis of speed-up and efficiency, by a path that it sets; default: the
//                                             first
//   pool: 131072                              ranks of the whole machine, on which pool / ranks jobs run at a time
//   repeats: 300000                           a job is so many of these runs; default 1
//   best: [{of: time, over: parameters.mk}]   the best value along an axis, for all combinations of the others
//   x: parameters.mk                          the axis of plots; default: that of `best`, of `over`, or the last with
//                                             several values
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/scenario/overrides.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/study/axis.hpp"

namespace warpfront::tools {

// The columns of a study's table. T is the time of a run by one engine, n its ranks, N those of the machine (`pool`).
//
//   time             T
//   job              R = repeats * T
//   speed-up         T at the first value of the axis `over` / T, other values equal
//   efficiency       speed-up * n at the first value / n
//   throughput       X = floor(N / n) / R: jobs done per second if the machine runs as many at once as it has room for
//   R/X, R^2/X       the partition that makes them least serves both the single job and the machine (Mudalige 2009)
//   compute          share of computing along the critical path
//   communication    1 - compute, the sum of the next four
//   overhead         share of o and copies, the processors' time for messages, along the path
//   latency          of L, of handshakes too
//   bandwidth        of S*G
//   contention       of waiting for what ranks share: buses, NICs, links, memory
//   fill             share of pipelines filling
//   steady           of pipelines that are full
//   link wait        of all messages together, for shared links; the event engine
//
// The parts of a path are those of record::PathParts: of the event engine along the longest chain of events, of a
// closed form its own terms. Both have `fill` and `steady` of sweeps; of a closed form what lies between sweeps is
// neither. A study that has any of these columns has the event engine follow the path, on one thread
// (engine/recording/README.md); of a model that takes messages as they come there is none.
//
// An engine that does not know a column has no value in it; nor in speed-up and efficiency one that predicts only the
// first value of `over`. Units are seconds and their powers; shares are plain numbers.

enum class ColumnName : std::uint8_t {
    time,
    job,
    speed_up,
    efficiency,
    throughput,
    r_over_x,
    r2_over_x,
    compute,
    communication,
    overhead,
    latency,
    bandwidth,
    contention,
    fill,
    steady,
    link_wait,
};

struct ColumnText {
    ColumnName column;
    std::string_view name;
    std::string_view unit;  // empty for a plain number
    bool more_is_better;
    bool needs_pool;
    bool needs_path = false;
};

inline constexpr std::array kColumns{
    ColumnText{ColumnName::time, "time", "s", false, false},
    ColumnText{ColumnName::job, "job", "s", false, false},
    ColumnText{ColumnName::speed_up, "speed-up", "", true, false},
    ColumnText{ColumnName::efficiency, "efficiency", "", true, false},
    ColumnText{ColumnName::throughput, "throughput", "1/s", true, true},
    ColumnText{ColumnName::r_over_x, "R/X", "s^2", false, true},
    ColumnText{ColumnName::r2_over_x, "R^2/X", "s^3", false, true},
    ColumnText{ColumnName::compute, "compute", "", true, false, true},
    ColumnText{ColumnName::communication, "communication", "", false, false, true},
    ColumnText{ColumnName::overhead, "overhead", "", false, false, true},
    ColumnText{ColumnName::latency, "latency", "", false, false, true},
    ColumnText{ColumnName::bandwidth, "bandwidth", "", false, false, true},
    ColumnText{ColumnName::contention, "contention", "", false, false, true},
    ColumnText{ColumnName::fill, "fill", "", false, false, true},
    ColumnText{ColumnName::steady, "steady", "", true, false, true},
    ColumnText{ColumnName::link_wait, "link wait", "s", false, false},
};

constexpr const ColumnText& text_of(ColumnName column) { return kColumns[static_cast<std::size_t>(column)]; }

/// The best point along an axis.
struct BestAlong {
    ColumnName column = ColumnName::time;
    std::size_t axis = 0;
};

struct StudyPlan {
    std::string name;  // of the file, without its extension
    std::string question;
    input::SourceFilePtr source;     // none for a scenario with axes from the command line
    std::filesystem::path scenario;  // relative to the current directory
    input::SourceRange scenario_range;
    std::vector<Engine> engines{Engine::event, Engine::analytic};
    std::vector<scenario::Override> sets;
    std::vector<StudyAxis> axes;
    std::vector<ColumnName> derived;
    std::size_t over = 0;  // an axis
    std::optional<std::uint64_t> pool;
    double repeats = 1.0;
    std::vector<BestAlong> best;
    std::size_t x = 0;  // an axis

    /// All combinations.
    std::size_t points() const;
    /// The number of points from one value of the axis to the next.
    std::size_t stride(std::size_t axis) const;
    /// The value of the axis at a point.
    std::size_t index(std::size_t point, std::size_t axis) const;
    /// Whether any column is of the critical path.
    bool needs_path() const;
};

/// Whether a YAML file is a study: it has a key `axes`. Throws BadInput if it is no YAML.
bool is_study(const input::SourceFilePtr& source);

/// What the command line adds to a study, by its options.
struct StudyArguments {
    std::vector<std::string> vary{};     // axes; in place of those of the same key
    std::optional<std::string> ranks{};  // an axis of ranks
    std::vector<std::string> sets{};     // of all points; here for the shape of the array, and for keys that axes set
    std::optional<std::string> x{};      // in place of `x`
    std::vector<std::string> best{};     // COLUMN:KEY, in place of `best`
};

/// The study in `file`, or `file` as a scenario without axes, with `arguments`. Throws BadInput with all faults: those
/// of axes; unknown_key, missing_key, bad_choice, conflicting_keys for a key that two axes, two arguments, or an axis
/// and `set` or `--set` give, out_of_range for too many points, missing_key for `pool`.
StudyPlan read_study(const std::filesystem::path& file, const StudyArguments& arguments);

/// The scenario file of the plan with the overrides of all points: those of the study, then `sets`, arguments of --set.
/// Throws BadInput.
scenario::ScenarioDocument base_document(const StudyPlan& plan, const std::vector<std::string>& sets);

}  // namespace warpfront::tools
