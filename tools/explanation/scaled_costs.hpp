// An experiment with one kind of cost multiplied: what a critical path says of a change, tried.
#pragma once

#include "simulator/record/record.hpp"
#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

/// The kinds of cost that can be multiplied: computing, overhead, latency, bandwidth, bus and NIC. Latencies and
/// bandwidths are those of message costs; those of the platform's routes and links stay as they are.
bool can_scale(const record::PathPart& part);

/// `factor` times as much of it; picoseconds are rounded.
Experiment scaled(Experiment experiment, const record::PathPart& part, double factor);

}  // namespace warpfront::tools
