// Several jobs on one machine: the time of each alone, and beside the others.
//
// Each job is a separate experiment, on nodes that no other job has. The machine has, or is grown to, as many hosts as
// all jobs together need. A job runs alone on this machine, on the hosts that it also has beside the others, and all
// jobs run together as one program (program::Job). Both runs have the same noise, drawn by the rank within the job, so
// the difference is the time that jobs wait for each other. They wait only at links, since a node with its cores,
// memory and NICs belongs to one job.
//
// A job's time is the time from its start until the last of its ranks has ended. All times are exact: they depend only
// on the files, not on the number of threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

// A file of jobs: several scenarios that run side by side on one machine.
//
//   jobs:                                       two or more
//     - scenario: ../sweep3d/billion.yaml       relative to this file
//       name: sweep                             optional: in results; default: the name of the scenario's file
//       set: [ranks.columns=8, ranks.rows=8]    optional: overrides as of --set, in order
//       start: 2ms                              optional: the begin of the job; default 0
//   platform: ../../platforms/xt4.yaml          optional: replaces `platform` of each scenario
//   nodes: consecutive                          or interleaved; default consecutive
//   placement: linear                           or another rule of a scenario's `placement` except `block`
//
// `placement` places the nodes of all jobs together on hosts. With `nodes: consecutive` the first job has the first of
// these hosts, the second job the next ones; with `interleaved` the jobs take hosts in turn until each has all of its
// hosts. A rank file lists the hosts of all nodes in this order.

struct JobEntry {
    std::string name;
    scenario::NamedScenario scenario;
    Time start;
};

/// The rule that selects the job for the next host.
enum class NodeOrder : std::uint8_t { consecutive, interleaved };

struct JobsFile {
    std::filesystem::path file;
    input::SourceFilePtr source;
    std::vector<JobEntry> jobs;
    input::SourceRange jobs_range;            // place of the list
    std::optional<input::YamlNode> platform;  // replaces those of the scenarios
    NodeOrder order = NodeOrder::consecutive;
    machine::PlacementRequest placement;
};

/// Returns true if a YAML file has a key `jobs`; false if it cannot be read, which is reported when it is read as a
/// scenario.
bool is_jobs_file(const std::filesystem::path& file);

/// Reads a file of jobs. Throws BadInput with all faults: of YAML, unknown and missing keys, too few jobs, two jobs
/// with one name.
JobsFile read_jobs_file(const std::filesystem::path& file);

/// A job whose experiment is on the machine of all jobs, with its own hosts there.
struct PreparedJob {
    std::string name;
    Experiment experiment;
    Time start;
};

struct PreparedJobs {
    JobsFile file;
    std::vector<PreparedJob> jobs;
    Experiment together;                        // the program of all jobs on their machine
    std::vector<variation::JobNoise> noise;     // the noise of each job
    std::vector<input::SourceFilePtr> sources;  // every file read, the file of jobs first
    std::vector<std::string> notes;             // notes on the machine and on every job's program

    std::uint64_t ranks() const { return together.program.grid.ranks(); }
};

/// Builds the jobs. `sets` are overrides of every scenario, after those of its job. Throws BadInput with the faults of
/// all jobs, if they have different machines, if the machine has too few hosts, and for lists of tasks.
PreparedJobs build_jobs(const JobsFile& file, const std::vector<std::string>& sets);

/// The times of a job, from its start to its end.
struct JobTimes {
    WideTime alone;
    WideTime beside;
    double slowdown() const { return alone.ps > 0 ? seconds(beside) / seconds(alone) : 1.0; }
    friend bool operator==(const JobTimes&, const JobTimes&) = default;
};

struct JobsResult {
    std::vector<JobTimes> jobs;
    record::Record together;  // record of the run of all jobs
};

/// Runs the jobs with the threads and the replay of `options`. The run of all jobs together is always simulated in
/// full. Throws the exceptions of predict_with_progress.
JobsResult run_jobs(const PreparedJobs& prepared, const engine::Options& options, ProgressMode mode);

/// Formats a line for each job, the links that messages waited for most, and notes; with `quiet` only the lines of
/// jobs.
std::string jobs_table(const PreparedJobs& prepared, const JobsResult& result, bool quiet = false);

/// Returns schema "warpfront.jobs/1". `command` is the command that reproduces the result.
nlohmann::ordered_json jobs_json(const PreparedJobs& prepared, const JobsResult& result, const std::string& command);

}  // namespace warpfront::tools
