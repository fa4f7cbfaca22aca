// Recorded runs (read_run.hpp) as a program.
//
// Channels. If N requests of one (sender, receiver, tag) are open at a time, their messages are distributed over N
// channels of the IR, so that each has at most one open request: message k uses channel k modulo N. The first channel
// has the tag of the trace; the other channels and those of collectives have negative tags.
//
// Sites. A site is a line number and an action. Equal ranks share a class although their files have different names, so
// the file of a site is `FOLDER/*`, where FOLDER is that of the first trace. After 65,000 sites all further lines share
// one.
//
// The program has one iteration. Computing takes FLOPS / speed, or the recorded time. Collectives are the messages of
// the machine's algorithms (collectives/algorithms.hpp) among the ranks of their communicators.
#pragma once

#include <filesystem>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/program/program.hpp"
#include "simulator/trace/expanded_trace.hpp"
#include "simulator/trace/read_run.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::trace {

struct TraceRequest {
    RunFiles files;
    input::SourceRange mentioned_at{};  // place in the scenario
    RankGrid grid{};
    input::SourceRange grid_range{};
    Costs costs{};
    std::filesystem::path communicators{};  // the file of communicators; empty: all collectives are over all ranks
    input::SourceRange communicators_mentioned_at{};
    Arrivals arrivals = Arrivals::first;  // recorded: for a recorded run only
    input::SourceRange arrivals_mentioned_at{};
};

struct Loaded {
    program::Program program;
    /// The files that were read: the list, the traces by rank, the file of communicators if there is one.
    std::vector<input::SourceFilePtr> sources;
};

/// Reads a run. Throws BadInput: trace_ranks if the number of its ranks differs from the grid's; the errors of its
/// format and those of expanded_trace.hpp; unread_call for calls that cannot be replayed; unmatched_messages and
/// unmatched_collectives; conflicting_keys for recorded sources of traces that do not have them.
Loaded read(const TraceRequest& request);

}  // namespace warpfront::trace
