// Where every rank's time went, after a run. Computing and overheads follow from the programs alone, loops multiplied;
// waits for resources were added up while stepping; what is left of a rank's time it has waited for messages, posts and
// partners.
#pragma once

#include <vector>

#include "simulator/engine/parallel/simulation.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"

namespace warpfront::engine {

/// By rank; the parts of each add up to its entry of `finish`. `measured`: blocks did not take what their programs say, so
/// computing was added up while stepping.
std::vector<record::Breakdown> breakdowns(const program::Program& program, Simulation& simulation, bool measured,
                                          const std::vector<WideTime>& finish);

}  // namespace warpfront::engine
