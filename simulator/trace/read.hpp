// Recorded runs (read_run.hpp) and time-independent traces as a program. A list names the trace files in the order of
// ranks, one per line. The list is a file of any name (`smpirun -trace-ti` writes smpi_simgrid.txt) or `traces.txt` in
// a folder (written by `warpfront trace`). Names are relative to the folder of the list; if no such file exists there,
// to the nearest parent folder that has it, since SMPI writes them relative to the working directory of smpirun.
//
// Channels. If several requests of one (sender, receiver, tag) are open at a time, its messages are distributed over
// that many channels of the IR, so that each has at most one open request: message k uses channel k modulo their
// number. The first channel has the trace's tag; all others and those of collectives have tags below 0.
//
// Sites. A site is a line number and an action. Equal ranks share a class regardless of the names of their files, so
// the file of a site is `FOLDER/*`, the folder of the first trace. After 65,000 sites all further lines share one.
//
// The program has one iteration. Computation costs FLOPS / speed, or the recorded time. Collectives are the messages of
// the machine's algorithms (collectives/algorithms.hpp) among the ranks of their communicators (communicators.hpp). The
// program's notes list the algorithms, and the number of collectives that are assumed to be over all ranks since no
// communicator is given.
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
    input::SourceRange mentioned_at;  // in the scenario
    RankGrid grid;
    input::SourceRange grid_range;
    Costs costs;
    std::filesystem::path communicators{};  // the file of communicators; empty: all collectives are over all ranks
    input::SourceRange communicators_mentioned_at{};
    Arrivals arrivals = Arrivals::first;  // recorded: for a recorded run only
    input::SourceRange arrivals_mentioned_at{};
};

struct Loaded {
    program::Program program;
    /// The list, the traces by rank, the file of communicators if there is one.
    std::vector<input::SourceFilePtr> sources;
};

/// Reads traces. Throws BadInput: unreadable_file; trace_ranks if the number of traces differs from the grid's ranks;
/// trace_too_large; the errors of all traces (action.hpp, expanded_trace.hpp) and those of the communicators' file;
/// unmatched_messages and unmatched_collectives; for a recorded run those of its format, unread_call for calls that
/// cannot be replayed, conflicting_keys for a file of communicators beside it, or for recorded sources of other traces.
Loaded read(const TraceRequest& request);

}  // namespace warpfront::trace
