// What building the machine of a scenario needs to be known: its hardware file with overrides, the array of ranks and its
// nodes, and, of the program, who sends to whom and the sizes of messages.
#pragma once

#include <functional>

#include "simulator/machine/loading/build.hpp"
#include "simulator/program/program.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::tools {

/// A null program gives no routes: enough for closed forms, which know profiles and nodes alone. The request refers
/// to the program.
machine::MachineRequest machine_request(const scenario::Scenario& scenario, const program::Program* program);

/// Calls `visit` with the sender and the receiver of every channel of the program.
void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit);

}  // namespace warpfront::tools
