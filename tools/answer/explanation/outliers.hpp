// The parts of a machine that are slower than the others of their kind, and how long the run would take without this
// difference: one slow node, socket or rank, one slow link, ranks that are dealt unevenly over the sockets of a node.
// Each effect is that of a run of the changed machine.
//
//   computing   The time that a rank computes, or for a part of the machine the lower median of its ranks, is compared
//               with the lower median m of all parts of the kind. A part is slow if it exceeds m by a twentieth, and by
//               five standard deviations as the median absolute deviation d estimates them: by 5 * 1.4826 d. Nodes come
//               first, then the parts of a node from the outermost in, then ranks; a slow node has no slow parts. If
//               cores share memory, or there is noise, times are those of a run without both: a rank that random
//               numbers or interruptions delay is no slow part. The changed run multiplies the blocks of a slow part
//               by m over its time.
//   links       On platforms whose links may differ, the time per byte and the latency of each link that messages cross
//               are compared with the lower medians of all such links. The changed run has the median.
//   filling     The numbers of ranks in the parts of the fullest node are uneven if they differ by more than one. The
//               changed run has `node.fill: spread`, or `cyclic` within a node. Listed ranks stay where they are.
//
// Slow parts are few: at most a quarter of the kind, or one, or both directions of a link; if more are slow, none is
// named. A finding whose changed run saves less than 0.05 % is left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/ids.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

/// Slow parts of one kind.
struct Outlier {
    std::string kind{};                // "node", "rank", "link", or the name of a part of a node, such as "socket"
    std::vector<std::string> names{};  // "node 3", "socket 1 of node 3", "rank 5", "link `l5`"
    std::vector<Rank> ranks{};  // ranks of these parts; for a link, those of the node that all its messages share
    double factor = 1.0;        // time of the slowest part over that of the others
    std::string description{};  // the text up to "the run would take"
    WideTime time{};            // time of the changed run
};

/// The scenario file and the overrides of the command line.
struct ScenarioArguments {
    std::filesystem::path file;
    std::vector<std::string> sets;
};

/// Finds the slow parts of the machine of `prepared`. `record` is its run by the event engine with `options`.
std::vector<Outlier> outliers(const Experiment& prepared, const ScenarioArguments& scenario,
                              const record::Record& record, const engine::Options& options, ProgressMode mode);

/// Formats a paragraph for each kind of slow part; `time` is that of the unchanged run.
std::string outliers_text(const std::vector<Outlier>& found, WideTime time);
nlohmann::ordered_json outliers_json(const std::vector<Outlier>& found);

}  // namespace warpfront::tools
