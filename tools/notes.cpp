#include "tools/notes.hpp"

#include "simulator/machine/loading/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::tools {

namespace {

using Notes = std::vector<std::string>;

void note_idle_cores(const Experiment& prepared, Notes& notes) {
    const std::uint32_t cores = prepared.machine.cores;
    if (prepared.scenario.has_node || cores == 1 || prepared.program.grid.ranks() == 1) return;
    notes.push_back(fmt::format("1 rank on each node of {} cores, since the scenario has no `node`", cores));
}

/// Times were measured on the platform that the scenario's file names, or on one with the same processors.
void note_times_from_elsewhere(const scenario::Scenario& scenario, Notes& notes) {
    const scenario::MeasuredKeys& measured = scenario.measured;
    if (measured.names.empty()) return;
    if (machine::origin_of(measured.platform) == machine::origin_of(scenario.platform)) return;
    notes.push_back(fmt::format("`{}` as `{}` gives for `{}`, but the platform is `{}`",
                                fmt::join(measured.names, "`, `"), scenario.file.string(),
                                measured.platform.filename().string(), scenario.platform.filename().string()));
}

}  // namespace

std::vector<std::string> notes_of(const Experiment& prepared) {
    Notes notes = prepared.program.notes;
    notes.insert(notes.end(), prepared.machine.notes.begin(), prepared.machine.notes.end());
    note_idle_cores(prepared, notes);
    note_times_from_elsewhere(prepared.scenario, notes);
    return notes;
}

}  // namespace warpfront::tools
