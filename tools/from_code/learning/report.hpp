// A report on a learnt model and its accuracy. It compares the runs with the model, and each run with a model that was
// learnt from the other runs.
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
    /// For each run, its agreement with a model learnt from the other runs. An entry has no ranks if the other runs
    /// have no model. Empty if there are fewer than three runs.
    std::vector<Agreement> left_out;
    std::vector<Agreement> checked;  // runs that were not used for learning
    std::string iterations;          // number of iterations in PSL; empty if the model has one iteration
    std::optional<CountedCheck> counted{};
    std::vector<SizeCheck> sizes{};  // results for process grids that the runs do not have
};

/// Returns true if the model runs on the ranks of all runs in `checked`, and explains at least one rank of each.
bool all_explained(const Report& report);

/// A kernel that replaces measured blocks of a model. The model will be written to `model`.
struct CountedRequest {
    KernelRequest kernel;
    /// rate of the recording's processor, in operations per second; if empty, the implied rate is used
    std::optional<double> rate;
    std::filesystem::path model;
};

/// Learns a model from the runs and compares the model with them. Throws BadInput if the kernel does not fit the runs.
Report report_on(const std::vector<const trace::RecordedRun*>& runs,
                 const std::vector<const trace::RecordedRun*>& checked,
                 const std::optional<CountedRequest>& counted = {});

/// Formats a scenario for the run with the most ranks. `model` and `platform` are written to the scenario as paths.
/// `speed` is the speed of the recording's processor as in a hardware file. If it is given, the scenario names this
/// processor and its times, so that they scale to another processor (simulator/scenario/measured_times.hpp). With a
/// counted kernel, the default speed is the rate that the kernel implies.
std::string scenario_text(const Report& report, const std::string& model, const std::string& platform,
                          const std::string& speed = {});

std::string table(const Report& report);
/// Converts the report to JSON, schema warpfront.learn/1.
nlohmann::ordered_json to_json(const Report& report, const std::string& model);

}  // namespace warpfront::learning
