// What was learnt, and how far it may be believed: the runs beside the model, and each run beside a model that was
// learnt from the others.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/learning/counted.hpp"
#include "tools/learning/learn.hpp"
#include "tools/learning/sizes.hpp"

namespace warpfront::learning {

struct Report {
    Learnt learnt;
    /// By run; a run that the others alone cannot be learnt without has no ranks. Empty for fewer than three runs.
    std::vector<Agreement> left_out;
    std::vector<Agreement> checked;  // runs that were not learnt from
    std::string iterations;          // in PSL; empty: the model has one iteration
    std::optional<CountedCheck> counted{};
    std::vector<SizeCheck> sizes{};  // arrays of ranks that the runs do not have
};

/// Whether the model runs on the ranks of all runs that it is compared with, and explains a rank of each.
bool all_explained(const Report& report);

/// A kernel in place of measured blocks, for a model that is written to `model`.
struct CountedRequest {
    KernelRequest kernel;
    std::optional<double> rate;  // of the recording's processor, in operations per second; nothing: the implied one
    std::filesystem::path model;
};

/// Throws BadInput where the kernel does not go with the runs.
Report report_on(const std::vector<const trace::RecordedRun*>& runs,
                 const std::vector<const trace::RecordedRun*>& checked,
                 const std::optional<CountedRequest>& counted = {});

/// The scenario of the run with most ranks. `model` and `platform` are as the file names them. With the `speed` of the
/// processor that made the recording, as a hardware file has it, the scenario names that processor and its times, so
/// that they scale to another (simulator/scenario/measured_times.hpp). With a counted kernel the speed is that which
/// the kernel implies, unless it is given.
std::string scenario_text(const Report& report, const std::string& model, const std::string& platform,
                          const std::string& speed = {});

std::string table(const Report& report);
/// schema warpfront.learn/1
nlohmann::ordered_json to_json(const Report& report, const std::string& model);

}  // namespace warpfront::learning
