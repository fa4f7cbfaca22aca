// The result of jobs side by side as a table and as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tools/answer/jobs/jobs.hpp"

namespace warpfront::tools {

/// Formats a line for each job, the links that messages waited for most, and notes; with `quiet` only the lines of
/// jobs.
std::string jobs_table(const PreparedJobs& prepared, const JobsResult& result, bool quiet = false);

/// Returns schema "warpfront.jobs/1". `command` is the command that reproduces the result.
nlohmann::ordered_json jobs_json(const PreparedJobs& prepared, const JobsResult& result, const std::string& command);

}  // namespace warpfront::tools
