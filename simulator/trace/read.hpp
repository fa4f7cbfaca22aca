// Recorded runs (read_run.hpp) and time-independent traces as a program. A list names the trace files in the order of
// ranks, one per line. The list is a file of any name (`smpirun -trace-ti` writes smpi_simgrid.txt) or `traces.txt` in
// a folder (written by `warpfront trace`). Names are relative to the folder of the list; if no such file exists there,
// to the nearest parent folder that has it, since SMPI writes them relative to the folder in which smpirun ran.
//
// Channels. If several requests of one (sender, receiver, tag) are open at a time, its messages are distributed over
// that many channels of the IR, so that each has at most one open request: message k uses channel k modulo their
// number. The first channel has the trace's tag; all others and those of collectives have tags below 0.
//
// Sites. A site is a line number and an action. Equal ranks share a class whatever the names of their files, so the
// file of a site is `FOLDER/*`, the folder of the first trace. After 65,000 sites all further lines share one.
//
// The program has one iteration. Computation costs FLOPS / speed, or as long as it took when recorded. Collectives are
// the messages of the machine's algorithms (collectives/algorithms.hpp) among the ranks of their communicators
// (communicators.hpp); the program's notes name the algorithms, and say how many collectives are taken to be of all
// ranks since nothing names their communicators.
#pragma once

#include <filesystem>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/program/program.hpp"
#include "simulator/trace/expanded_trace.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::trace {

struct TraceRequest {
    std::filesystem::path list;       // or its folder
    input::SourceRange mentioned_at;  // where a scenario names it
    RankGrid grid;
    input::SourceRange grid_range;
    Costs costs;
    std::filesystem::path communicators{};  // their file; empty: all collectives are of all ranks
    input::SourceRange communicators_mentioned_at{};
};

struct Loaded {
    program::Program program;
    /// The list, the traces by rank, the file of communicators if there is one.
    std::vector<input::SourceFilePtr> sources;
};

/// Throws BadInput: unreadable_file; trace_ranks if the number of traces differs from the grid's ranks;
/// trace_too_large; the faults of all traces (action.hpp, expanded_trace.hpp) and those of the communicators' file;
/// unmatched_messages and unmatched_collectives; of a recorded run those of its format, unread_call for calls that
/// cannot be replayed, conflicting_keys for a file of communicators beside it.
Loaded read(const TraceRequest& request);

}  // namespace warpfront::trace
