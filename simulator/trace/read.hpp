// Conversion of recorded runs (read_run.hpp) to rank programs.
//
// Channels. If N requests of one (sender, receiver, tag) are open at the same time, their messages are distributed over
// N channels of the IR, since a channel may have only one open request: message k uses channel k modulo N. The first
// channel has the tag of the trace; the other channels and those of collectives have negative tags.
//
// Sites. A site is a line number and an action. Equal ranks share a class although their files have different names, so
// the file of a site is `FOLDER/*`, where FOLDER is that of the first trace. After 65,000 sites, all further lines
// share one site.
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
    SourceRange mentioned_at{};  // place of the trace's name in the scenario
    RankGrid grid{};
    SourceRange grid_range{};
    Costs costs{};
    std::filesystem::path communicators{};  // file of communicators; empty if all collectives are over all ranks
    SourceRange communicators_mentioned_at{};
    Arrivals arrivals = Arrivals::first;  // order of arrivals; `recorded` only for a recorded run
    SourceRange arrivals_mentioned_at{};
};

struct Loaded {
    program::Program program;
    /// The files that were read: the list, the traces by rank, the file of communicators if there is one.
    std::vector<SourceFilePtr> sources;
};

/// Reads a run. Throws BadInput: trace_ranks if the number of its ranks differs from the grid's; the errors of its
/// format and those of expanded_trace.hpp; unread_call for calls that cannot be replayed; unmatched_messages and
/// unmatched_collectives; conflicting_keys if recorded sources are requested of traces that do not contain sources.
Loaded read(const TraceRequest& request);

}  // namespace warpfront::trace
