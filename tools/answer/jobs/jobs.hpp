// Several jobs on one machine. The result is the time of each job alone and beside the others.
//
// Each job is a separate experiment, on nodes of its own. The machine has as many hosts as all jobs need, or grows to
// this size. A job runs alone on this machine, on the same hosts as beside the others. All jobs together run as one
// program (program::Job). Both runs have the same noise, drawn by the rank within the job. So the difference is the
// time that jobs wait for each other. They can wait for each other only at links, since a node with its cores, memory
// and NICs belongs to one job.
//
// The time of a job is counted from its start until its last rank has ended. All times are exact: they depend only on
// the files and not on the number of threads.
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

// A file of jobs: several scenarios that run at the same time on one machine. README.md describes its keys.

struct JobEntry {
    std::string name;
    scenario::NamedScenario scenario;
    Time start;
};

/// The order in which jobs get hosts.
enum class NodeOrder : std::uint8_t { consecutive, interleaved };

struct JobsFile {
    std::filesystem::path file;
    input::SourceFilePtr source;
    std::vector<JobEntry> jobs;
    input::SourceRange jobs_range;            // range of the list of jobs
    std::optional<input::YamlNode> platform;  // if set, replaces the platform of each scenario
    NodeOrder order = NodeOrder::consecutive;
    machine::PlacementRequest placement;
};

/// Returns true if a YAML file has a key `jobs`. Returns false if the file cannot be read; reading it as a scenario
/// then reports the error.
bool is_jobs_file(const std::filesystem::path& file);

/// Reads a file of jobs. Throws BadInput with all errors: those of YAML, unknown and missing keys, too few jobs, and
/// two jobs with the same name.
JobsFile read_jobs_file(const std::filesystem::path& file);

/// A job on the machine of all jobs, with its own hosts on this machine.
struct PreparedJob {
    std::string name;
    Experiment experiment;
    Time start;
};

struct PreparedJobs {
    JobsFile file;
    std::vector<PreparedJob> jobs;
    Experiment together;                        // the program of all jobs on their machine
    std::vector<variation::JobNoise> noise;     // noise of each job
    std::vector<input::SourceFilePtr> sources;  // all files that were read, the file of jobs first
    std::vector<std::string> notes;             // notes on the machine, and on the program of each job

    std::uint64_t ranks() const { return together.program.grid.ranks(); }
};

/// Builds the jobs. `sets` are overrides for every scenario, applied after those of its job. Throws BadInput with the
/// errors of all jobs. It is also an error if the jobs have different machines or lists of tasks, or if the machine has
/// too few hosts.
PreparedJobs build_jobs(const JobsFile& file, const std::vector<std::string>& sets);

/// The times from the start to the end of a job.
struct JobTimes {
    WideTime alone;
    WideTime beside;
    double slowdown() const { return alone.ps > 0 ? seconds(beside) / seconds(alone) : 1.0; }
    friend bool operator==(const JobTimes&, const JobTimes&) = default;
};

struct JobsResult {
    std::vector<JobTimes> jobs;
    record::Record together;  // the run of all jobs together
};

/// Runs the jobs with the threads and the replay mode of `options`. The run of all jobs together is always simulated in
/// full. Throws the exceptions of predict_with_progress.
JobsResult run_jobs(const PreparedJobs& prepared, const engine::Options& options, ProgressMode mode);

/// Formats a line for each job, the links for which messages waited most, and notes. With `quiet`, only the lines of
/// jobs.
std::string jobs_table(const PreparedJobs& prepared, const JobsResult& result, bool quiet = false);

/// Returns JSON with the schema "warpfront.jobs/1". `command` is the command line that reproduces the result.
nlohmann::ordered_json jobs_json(const PreparedJobs& prepared, const JobsResult& result, const std::string& command);

}  // namespace warpfront::tools
