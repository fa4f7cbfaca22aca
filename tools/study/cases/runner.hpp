// Runs cases, several at a time. A case is an experiment with one or more engines and one or more seeds. The results
// depend neither on the number of parallel runs nor on the results that the store already contains.
//
// Cases begin in their order; each case and seed is prepared and run on its own thread (tools/answer/runs/runs.hpp).
//
// With a store, finished cases are stored, and several processes may run the same cases. Each process runs those that
// no other process has claimed (point_store.hpp). At the end, `run_cases` waits for cases that other processes have
// claimed. If such a process has died, it runs the case itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/study/cases/point_store.hpp"

namespace warpfront::tools {

/// A case that is ready to run.
struct PreparedCase {
    std::shared_ptr<const Experiment> experiment;
    std::vector<Engine> engines;
    std::vector<std::string> notes{};  // notes beyond those of the experiment
};

struct CaseRuns {
    std::size_t cases = 0;
    /// Prepares the case with this number, on the thread that runs it. Throws BadInput.
    std::function<PreparedCase(std::size_t number)> prepare;
    std::uint32_t seeds = 1;  // number of seeds of a case that depends on the seed, beginning with the scenario's seed
    bool with_path = false;   // true if the event engine follows the critical path
    std::optional<std::uint64_t> most_messages{};  // a case with more messages is not run by the event engine
    unsigned threads = 1;                          // number of threads for all runs together
    unsigned processes = 1;                        // number of processes that share the memory of this host
    const PointStore* store = nullptr;
    /// If true, a failed run leaves its error in the result, which is not stored, and the other runs continue. If
    /// false, the first failure is thrown.
    bool keeps_failures = false;
    std::string_view unit = "run";  // noun for a case in messages
    std::function<bool()> stop{};   // returns true to stop all runs; called by all threads
    ProgressMode mode = ProgressMode::nothing;
};

struct CaseResults {
    std::vector<PointResult> all;  // results in the order of cases
    std::size_t taken_from_store = 0;
};

/// Throws BadInput (nothing_random) if several seeds are requested, but no case depends on the seed. Equal results
/// would suggest that the predictions are certain.
void require_random(const CaseRuns& runs);

/// Runs all cases. Throws RunFailed, engine::Interrupted, or BadInput for the first case with an error. Cases that have
/// been finished before are in the store.
CaseResults run_cases(const CaseRuns& runs);

/// Runs the cases that no other process has claimed, and stores their results. Cases that fail are left to the process
/// that calls `run_cases`.
void run_unclaimed_cases(const CaseRuns& runs);

}  // namespace warpfront::tools
