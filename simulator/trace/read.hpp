// A folder of time-independent traces as a program: `traces.txt` lists the files in the order of ranks, one per line,
// relative to the folder (what `warpfront trace` writes, and `smpirun -trace-ti` once its list is called so).
//
// Channels. Where more than one request of a (sender, receiver, tag) is open at a time, its messages take turns on as
// many channels of the IR, so that each has at most one: message k goes on channel k modulo their number. The first
// has the trace's tag, all others and those of collectives have tags below 0.
//
// Sites. A site is a line number and an action: ranks that do the same share a class whatever their files are called,
// so its file is `FOLDER/*`. After 65,000 of them lines share one more.
//
// The program has one iteration. Computing is charged FLOPS / speed.
#pragma once

#include <filesystem>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/rate.hpp"

namespace warpfront::trace {

struct Request {
    std::filesystem::path folder;
    input::Place mentioned_at;  // where a scenario names it
    RankGrid grid;
    input::Place grid_place;
    FlopRate speed;
};

struct Loaded {
    program::Program program;
    std::vector<input::SourcePtr> sources;  // the list, then the traces by rank
};

/// Throws BadInput with the faults of all traces (action.hpp, script.hpp), trace_ranks where there are more or fewer
/// than the grid has, unmatched_messages and unmatched_collectives.
Loaded read(const Request& request);

}  // namespace warpfront::trace
