// Explains a prediction: its critical path, runs with a tenth less of each kind of cost, and the statements at which
// the ranks that wait most are waiting.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/record/record.hpp"
#include "simulator/results/critical_path.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

/// Returns the experiment for the event engine with `factor` times as much of one kind of cost; picoseconds are
/// rounded. `latency` and `bandwidth` are the L and G of message costs, without the platform's links. `nic`, `link` and
/// `memory` change bandwidths, `wire` those of NICs and links together, and `rate` the g of NICs.
Experiment scaled(Experiment experiment, const record::PathPart& part, double factor);

/// Returns true if the run has at most a million messages or tasks, so that it can be simulated again within a second.
bool is_short(const record::Record& record);

/// Runs the experiment again with a tenth less of each kind of cost on its path. `record` contains the path.
std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::Record& record, ProgressMode mode);
/// Returns the reasons why savings by the path are estimates even for small changes, in addition to memory that cores
/// share; none if they are exact. `record` contains the path.
std::vector<std::string> reasons_for_estimates(const Experiment& prepared, const record::Record& record);
/// Returns the slowest wire of the machine.
results::SlowestWire slowest_wire(const machine::Machine& machine);
/// Runs task lists again with a tenth less of each kind of cost: computing, memory bandwidth, the manager, latency, and
/// cluster memory, whose channels get faster. The run with less absence has all workers present throughout.
std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::TaskPath& path, ProgressMode mode);

/// Returns "node 3", with its host if the host has another number.
std::string node_name(const machine::Machine& machine, Node node);

/// The mean waiting time of the ranks of a node.
struct NodeWait {
    Node node;
    WideTime mean;
    friend bool operator==(const NodeWait&, const NodeWait&) = default;
};
/// Returns the nodes whose ranks wait longest on average, the longest first, among equals the lower node; at most
/// results::kMostWaitingNamed. Returns none if no node has several ranks, or if one node has all.
std::vector<NodeWait> most_waiting_nodes(const machine::Placement& placement, const record::Record& record);
std::string nodes_table(const std::vector<NodeWait>& nodes, const machine::Machine& machine);
nlohmann::ordered_json nodes_json(const std::vector<NodeWait>& nodes, const machine::Machine& machine);

/// Returns the experiment of the same scenario with one iteration; nothing if the scenario is of traces, or if its
/// model does not accept one iteration.
std::optional<Experiment> one_iteration(const std::filesystem::path& scenario, std::vector<std::string> sets);

/// Formats the statements at which the three ranks that wait most are waiting, and adds them to the JSON of these
/// ranks: the statements of the first iteration, from a run of `once` if given, and those of the whole run if it has
/// few messages.
std::string waits_by_statement(const Experiment& prepared, const std::optional<Experiment>& once,
                               const record::Record& record, ProgressMode mode, nlohmann::ordered_json& most_waiting);

/// Formats the pairs of ranks in which one waits longest for the messages of the other, and adds them to `data` as
/// `most_waiting_pairs`. They are from one more run with a timeline of all ranks, which covers the whole run if it has
/// few messages, else the first iteration. That run ends early if it would have more spans than a timeline may have.
std::string waits_by_pair(const Experiment& prepared, const std::optional<Experiment>& once,
                          const record::Record& record, ProgressMode mode, nlohmann::ordered_json& data);

}  // namespace warpfront::tools
