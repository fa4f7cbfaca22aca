// Costs that virtual time cannot represent: those of the largest message of a profile row, checked while a hardware
// file is read, and those of a program's messages, checked once their sizes are known.
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::machine {

/// False, and a fault (cost_too_large) at `range`, if `size` * `gap` exceeds kLongestCost.
bool check_cost(Bytes size, Gap gap, const input::SourceRange& range, input::Diagnostics& faults);

/// Checks the whole cost of a message of `size` by `row`, its packets included.
bool check_row(const ProfileRow& row, Bytes size, const RowPlaces& places, input::Diagnostics& faults);

/// Checks the messages of a request: by the profile rows of the localities that its ranks use, and by the bus and
/// the NIC that these rows hold. `machine` must have its profiles and its placement.
void check_messages(const HardwareFile& file, const Machine& machine, const MachineRequest& request,
                    input::Diagnostics& faults);

}  // namespace warpfront::machine
