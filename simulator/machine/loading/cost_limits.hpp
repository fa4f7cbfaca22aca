// Costs that virtual time cannot hold: of a row's largest message while a hardware file is read, and of a program's
// messages once it is known how large they are.
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::machine {

/// False, and a fault (cost_too_large) at `place`, where a message of `size` takes longer than a cost may, at `gap` per
/// byte alone.
bool check_cost(Bytes size, Gap gap, const input::SourceRange& place, input::Diagnostics& faults);

/// The same for a message of `size` by the whole of `row`, its packets included.
bool check_row(const ProfileRow& row, Bytes size, const RowPlaces& places, input::Diagnostics& faults);

/// The same for the messages of a request: by the rows of the layers that its ranks send on, and by the bus and the NIC
/// that these rows hold. Of `machine` layers and placement must be known.
void check_messages(const HardwareFile& file, const Machine& machine, const Request& request,
                    input::Diagnostics& faults);

}  // namespace warpfront::machine
