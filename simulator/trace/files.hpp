// The files that a list of traces names (search rule: read.hpp).
#pragma once

#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/trace/request.hpp"

namespace warpfront::trace {

/// The list, then the traces by rank. Throws BadInput: unreadable_file, trace_ranks, trace_too_large.
std::vector<input::SourceFilePtr> read_files(const TraceRequest& request);

}  // namespace warpfront::trace
