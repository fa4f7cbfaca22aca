#include "tools/notes.hpp"

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

using Notes = std::vector<std::string>;

void note_idle_cores(const Experiment& prepared, Notes& notes) {
    const std::uint32_t cores = prepared.machine.cores;
    if (prepared.scenario.has_node || cores == 1 || prepared.program.grid.ranks() == 1) return;
    notes.push_back(fmt::format("1 rank on each node of {} cores, since the scenario has no `node`", cores));
}

}  // namespace

std::vector<std::string> notes_of(const Experiment& prepared) {
    Notes notes = prepared.program.notes;
    notes.insert(notes.end(), prepared.machine.notes.begin(), prepared.machine.notes.end());
    note_idle_cores(prepared, notes);
    if (prepared.times_note) notes.push_back(*prepared.times_note);
    if (prepared.calibrated) notes.push_back(prepared.calibrated->note);
    return notes;
}

}  // namespace warpfront::tools
