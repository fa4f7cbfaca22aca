// Several jobs on one machine: the time of each alone, and beside the others.
//
// Each job is a separate experiment, on nodes that no other job has. The machine has, or is grown to, as many hosts as
// all jobs together need. A job runs alone on this machine, on the hosts that it also has beside the others, and all
// jobs run together as one program (program::Job). Both runs have the same noise, drawn by the rank within the job, so
// the difference is the time that jobs wait for each other. They wait only at links, since a node with its cores,
// memory and NICs belongs to one job.
//
// A job's time is that from its start until the last of its ranks has ended. All times are exact: they depend only on
// the files, not on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/jobs/jobs_file.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

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
    std::vector<variation::JobNoise> noise;     // by job
    std::vector<input::SourceFilePtr> sources;  // every file read, the file of jobs first
    std::vector<std::string> notes;             // notes on the machine and on every job's program

    std::uint64_t ranks() const { return together.program.grid.ranks(); }
};

/// Builds the jobs. `sets` are overrides of every scenario, after those of its job. Throws BadInput with the faults of
/// all jobs, if they have different machines, if the machine has too few hosts, and for lists of tasks.
PreparedJobs build_jobs(const JobsFile& file, const std::vector<std::string>& sets);

/// The times of a job, from its start on.
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

/// Runs the jobs. `options` has the threads and the replay; the run of all jobs together is always simulated in full.
/// Throws the exceptions of predict_with_progress.
JobsResult run_jobs(const PreparedJobs& prepared, const engine::Options& options, ProgressMode mode);

/// Formats a line for each job, the links that messages waited for most, and notes; with `quiet` only the lines of
/// jobs.
std::string jobs_table(const PreparedJobs& prepared, const JobsResult& result, bool quiet = false);

/// Returns schema "warpfront.jobs/1". `command` is the command that reproduces the result.
nlohmann::ordered_json jobs_json(const PreparedJobs& prepared, const JobsResult& result, const std::string& command);

}  // namespace warpfront::tools
