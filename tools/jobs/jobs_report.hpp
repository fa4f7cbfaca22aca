// The result of jobs side by side as a table and as JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tools/jobs/jobs.hpp"

namespace warpfront::tools {

/// A line for each job, the links that messages waited for most, and notes; `quiet`: the lines alone.
std::string jobs_table(const PreparedJobs& prepared, const JobsResult& result, bool quiet = false);

/// Schema "warpfront.jobs/1". `command` makes the result again.
nlohmann::ordered_json jobs_json(const PreparedJobs& prepared, const JobsResult& result, const std::string& command);

}  // namespace warpfront::tools
