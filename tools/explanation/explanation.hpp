// What binds a prediction, and what would help: its critical path, runs with a tenth less of each kind of cost, and the
// statements in which the ranks wait that wait most.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/record/record.hpp"
#include "simulator/results/critical_path.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/runs/progress.hpp"

namespace warpfront::tools {

/// The kinds of cost that can be multiplied: computing, overhead, latency, bandwidth, bus and NIC. Latencies and
/// bandwidths are those of message costs; those of the platform's routes and links stay as they are.
bool can_scale(const record::PathPart& part);

/// `factor` times as much of it; picoseconds are rounded.
Experiment scaled(Experiment experiment, const record::PathPart& part, double factor);

/// Each kind of cost that is on `path` and can be multiplied, a tenth less of it, run again.
std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::PathParts& path, ProgressMode mode);
/// For task lists: computing, the manager, latency, and cluster memory, whose channels are the faster.
std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::TaskPath& path, ProgressMode mode);

/// The experiment of the same scenario with one iteration; nothing where it is of traces, or its model does not accept
/// one.
std::optional<Experiment> one_iteration(const std::filesystem::path& scenario, std::vector<std::string> sets);

/// Where the three ranks wait that wait most, as text and added to their JSON: in the first iteration, by a run of one
/// if there is `once`; and in the whole run where its messages are few.
std::string waits_by_statement(const Experiment& prepared, const std::optional<Experiment>& once,
                               const record::Record& record, ProgressMode mode, nlohmann::ordered_json& most_waiting);

}  // namespace warpfront::tools
