// Report on a learnt model and its accuracy: comparison of the runs with the model, and of each run with a model that
// was learnt from the others.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/from_code/learning/counted.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/sizes.hpp"

namespace warpfront::learning {

struct Report {
    Learnt learnt;
    /// By run: its agreement with a model learnt from the others, without ranks if these have no model. Empty for fewer
    /// than three runs.
    std::vector<Agreement> left_out;
    std::vector<Agreement> checked;  // runs that were not learnt from
    std::string iterations;          // in PSL; empty: the model has one iteration
    std::optional<CountedCheck> counted{};
    std::vector<SizeCheck> sizes{};  // process grids that the runs do not have
};

/// Returns whether the model runs on the ranks of all runs in `checked`, and explains at least one rank of each.
bool all_explained(const Report& report);

/// A kernel that replaces measured blocks, for a model that is written to `model`.
struct CountedRequest {
    KernelRequest kernel;
    std::optional<double> rate;  // of the recording's processor, in operations per second; nothing: the implied one
    std::filesystem::path model;
};

/// Learns a model from the runs and compares it with them. Throws BadInput if the kernel does not fit the runs.
Report report_on(const std::vector<const trace::RecordedRun*>& runs,
                 const std::vector<const trace::RecordedRun*>& checked,
                 const std::optional<CountedRequest>& counted = {});

/// Formats a scenario of the run with most ranks. `model` and `platform` are the paths written to the file. If `speed`
/// is given, the speed of the recording's processor as in a hardware file, the scenario names that processor and its
/// times, so that they scale to another processor (simulator/scenario/measured_times.hpp). With a counted kernel the
/// default speed is the rate that the kernel implies.
std::string scenario_text(const Report& report, const std::string& model, const std::string& platform,
                          const std::string& speed = {});

std::string table(const Report& report);
/// Converts the report to JSON, schema warpfront.learn/1.
nlohmann::ordered_json to_json(const Report& report, const std::string& model);

}  // namespace warpfront::learning
