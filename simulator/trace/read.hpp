// Time-independent traces as a program. A list names their files in the order of ranks, one per line: a file of any
// name (`smpirun -trace-ti` calls it smpi_simgrid.txt), or `traces.txt` in a folder (`warpfront trace` calls it so).
// Names are relative to the folder of the list or, where there is no such file, to the nearest folder above it that has
// it: SMPI writes them relative to the folder in which smpirun ran.
//
// Channels. Where more than one request of a (sender, receiver, tag) is open at a time, its messages take turns on as
// many channels of the IR, so that each has at most one: message k goes on channel k modulo their number. The first
// has the trace's tag, all others and those of collectives have tags below 0.
//
// Sites. A site is a line number and an action: ranks that do the same share a class whatever their files are called,
// so its file is `FOLDER/*`, the folder of the first trace. After 65,000 of them lines share one more.
//
// The program has one iteration. Computing is charged FLOPS / speed. Collectives are the messages of the machine's
// algorithms (collectives.hpp); the program's notes name them.
#pragma once

#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/program/program.hpp"
#include "simulator/trace/request.hpp"

namespace warpfront::trace {

struct Loaded {
    program::Program program;
    std::vector<input::SourceFilePtr> sources;  // the list, then the traces by rank
};

/// Throws BadInput with the faults of all traces (action.hpp, expanded_trace.hpp), trace_ranks where there are more or
/// fewer than the grid has, unmatched_messages and unmatched_collectives.
Loaded read(const Request& request);

}  // namespace warpfront::trace
