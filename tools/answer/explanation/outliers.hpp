// Finds parts of a machine that are slower than other parts of the same kind: a slow node, socket, rank or link, or
// ranks that are unevenly dealt over the sockets of a node. A run of the changed machine shows how long the run would
// take without this difference.
//
//   computing   The time that a rank computes. A part of the machine has the lower median of its ranks as its time.
//               Times are compared with the lower median m of all parts of the kind. A part is slow if it exceeds m by
//               a twentieth, and also by five standard deviations, estimated by the median absolute deviation d as
//               5 * 1.4826 d. Nodes are examined first, then the parts of a node from the outermost inwards, then
//               ranks. A slow node has no slow parts. If cores share memory, or there is noise, times come from a run
//               without both: a rank that random numbers or interruptions delay is not slow. The changed run multiplies
//               the blocks of a slow part by m / its time.
//   links       On platforms with different links, the time per byte and the latency of each link that messages cross
//               are compared with the lower medians of all these links. The changed run has the median.
//   filling     Ranks are dealt unevenly if the numbers of ranks in the parts of the fullest node differ by more than
//               one. The changed run has `node.fill: spread`, or `cyclic` within a node. Ranks whose hosts are listed
//               do not move.
//
// Slow parts must be few: at most a quarter of the kind, or one, or both directions of one link. If more parts are
// slow, none is reported. A finding is omitted if its changed run saves less than 0.05 %.
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
    std::vector<std::string> names{};  // names such as "node 3", "socket 1 of node 3", "rank 5", "link `l5`"
    /// ranks of these parts; for a link, those of the node that all its messages have in common
    std::vector<Rank> ranks{};
    double factor = 1.0;        // time of the slowest part divided by the usual time
    std::string description{};  // text before "the run would take"
    WideTime time{};            // time of the changed run
};

/// The scenario file and its overrides on the command line.
struct ScenarioArguments {
    std::filesystem::path file;
    std::vector<std::string> sets;
};

/// Finds the slow parts of the machine. `record` is the run of `prepared` by the event engine with `options`.
std::vector<Outlier> outliers(const Experiment& prepared, const ScenarioArguments& scenario,
                              const record::Record& record, const engine::Options& options, ProgressMode mode);

/// Formats a paragraph for each kind of slow part. `time` is that of the unchanged run.
std::string outliers_text(const std::vector<Outlier>& found, WideTime time);
nlohmann::ordered_json outliers_json(const std::vector<Outlier>& found);

}  // namespace warpfront::tools
