// The part of a hardware file that describes messages: `layers`, each a list of rows by message size, what a row costs,
// which protocol it takes and which shared resources it holds.
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_resources.hpp"

namespace warpfront::machine {

/// Fills in the layers of `file`, whose names are known, from the value of `layers`, if there is one. Limits of rows
/// must ascend, and the last row has none.
void read_layers(const input::YamlNode* node, const Resources& resources, HardwareFile& file,
                 input::Diagnostics& faults);

}  // namespace warpfront::machine
