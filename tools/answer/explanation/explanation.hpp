// Explains a prediction by its critical path, by runs with a tenth less of each kind of cost, and by the statements at
// which ranks wait longest.
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

/// Returns the experiment for the event engine with one kind of cost multiplied by `factor`. Picoseconds are rounded.
/// `latency` and `bandwidth` are the L and G of message costs, without the platform's links. `nic`, `link` and `memory`
/// are bandwidths, `wire` is the bandwidth of NICs and links together, and `rate` the g of NICs.
Experiment scaled(Experiment experiment, const record::PathPart& part, double factor);

/// Returns true if the run has at most a million messages or tasks. It can then be simulated again within a second.
bool is_short(const record::Record& record);

/// Repeats the run with a tenth less of each kind of cost on its critical path. `record` must contain the path.
std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::Record& record, ProgressMode mode);
/// Returns the reasons why savings by the critical path are estimates even for small changes. The result is empty if
/// they are exact. Memory that cores share is a further reason, which is not included. `record` must contain the path.
std::vector<std::string> reasons_for_estimates(const Experiment& prepared, const record::Record& record);
/// Returns the slowest wire of the machine.
results::SlowestWire slowest_wire(const machine::Machine& machine);
/// Repeats a run of task lists with a tenth less of each kind of cost: computing, memory bandwidth, the manager,
/// latency, and cluster memory, whose channels become faster. In the run with less absence, all workers are present all
/// the time.
std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::TaskPath& path, ProgressMode mode);

/// Returns a name such as "node 3". It includes the host if its number differs from that of the node.
std::string node_name(const machine::Machine& machine, Node node);

/// The mean waiting time of the ranks on a node.
struct NodeWait {
    Node node;
    WideTime mean;
    friend bool operator==(const NodeWait&, const NodeWait&) = default;
};
/// Returns the nodes whose ranks wait longest on average, the longest first; of equal ones the lower node first. There
/// are at most results::kMostWaitingNamed. Returns none if no node has several ranks, or if one node has all ranks.
std::vector<NodeWait> most_waiting_nodes(const machine::Placement& placement, const record::Record& record);
std::string nodes_table(const std::vector<NodeWait>& nodes, const machine::Machine& machine);
nlohmann::ordered_json nodes_json(const std::vector<NodeWait>& nodes, const machine::Machine& machine);

/// Returns the experiment of the scenario with a single iteration. Returns nothing if the scenario has traces, or if
/// its model does not accept one iteration.
std::optional<Experiment> one_iteration(const std::filesystem::path& scenario, std::vector<std::string> sets);

/// Formats the statements at which the three ranks that wait most wait, and adds them to the JSON of these ranks. The
/// statements of the first iteration come from a run of `once`, if given. Those of the whole run are added if the run
/// has few messages.
std::string waits_by_statement(const Experiment& prepared, const std::optional<Experiment>& once,
                               const record::Record& record, ProgressMode mode, nlohmann::ordered_json& most_waiting);

/// Formats the pairs of ranks in which one waits longest for the messages of the other, and adds them to `data` as
/// `most_waiting_pairs`. An additional run records a timeline of all ranks. The timeline covers the whole run if the
/// run has few messages, and otherwise the first iteration. The run ends early if its timeline would have too many
/// spans.
std::string waits_by_pair(const Experiment& prepared, const std::optional<Experiment>& once,
                          const record::Record& record, ProgressMode mode, nlohmann::ordered_json& data);

}  // namespace warpfront::tools
