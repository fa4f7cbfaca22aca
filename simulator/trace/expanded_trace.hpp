// The operations of one rank's trace, message by message: collectives expanded, requests numbered, waits assigned to
// requests.
//
// Messages of one (sender, receiver, tag) are numbered from 0 in the order of their beginning, on both sides: MPI
// matches the k-th send with the k-th receive. Which requests a wait completes open_requests.hpp says. Messages from
// any source, or of any tag, are a wildcard's: their senders are known once all traces are read (matching.hpp).
#pragma once

#include <cstdint>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/trace/action.hpp"
#include "simulator/trace/operations.hpp"
#include "simulator/units/rate.hpp"

namespace warpfront::trace {

/// The machine's costs for a trace.
struct Costs {
    FlopRate speed;
    collectives::Algorithms collectives;
};

/// Reads a rank's trace. Adds the faults of its lines, trace_truncated, unknown_request, unwaited_request and
/// cost_too_large, and unmatched_collectives where the communicators' file names more or fewer collectives. A trace
/// of more than `most` operations is a fault trace_too_large, and the result is cut.
ExpandedTrace expand_trace(const input::SourceFilePtr& source, const Reading& reading, const Costs& costs,
                           std::uint64_t most, input::Diagnostics& faults);

}  // namespace warpfront::trace
