// The output of `warpfront check`: the faults of a file, the costs of a model's work, the description of a machine, the
// contents of a recorded run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "psl/specialising/costs.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/topology_metrics.hpp"
#include "simulator/trace/read_run.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

/// Checks a file by its kind: a model, a scenario with all files that it names, a hardware file, a study, jobs, a list
/// of comparisons, a calibration or its plan. Returns the notes on a good file. `sets` are overrides (`--set`) of a
/// scenario, a study or jobs; other files accept none. Throws BadInput with all faults of the file.
std::vector<std::string> check_file(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

/// Formats the costs of the work of a scenario's model. Throws BadInput for a scenario of a trace, which has no model.
std::string costs_text(const Experiment& prepared);

/// Formats the machine as lines of a name and a value. `distances` are given if a scenario places its ranks on the
/// machine; `notes` come last.
std::string description(const machine::Machine& machine, const std::optional<machine::Distances>& distances,
                        const std::vector<std::string>& notes);

/// Formats the contents of a recorded run: calls with counts, bytes and sizes by communicator, computing, the cost of
/// recording, incomplete ranks, calls that are left out or refused, and the places of the calls in the code. The text
/// ends with a line break.
std::string contents_text(const trace::RecordedRun& run);

struct RecordedContents {
    std::string text;
    std::uint64_t lost = 0;  // calls lost because buffers were full
    std::uint32_t ranks = 0;
};
/// Reads a recorded run, rank by rank, and returns its contents. Throws BadInput as trace::read_recorded_run does.
RecordedContents contents_of(const trace::RunFiles& files);

}  // namespace warpfront::tools
