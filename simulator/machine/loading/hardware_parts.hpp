// The part of a hardware file that divides a node: `parts`, each kind with its number per node from the innermost out,
// as in `parts: {complex: 16, die: 8, socket: 2}`; or `chips: N`, short for `parts: {chip: N}`. Each kind has a layer
// of its name; the layers of every file, `node` and `network`, follow.
#pragma once

#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_file.hpp"

namespace warpfront::machine {

/// Takes the two keys from `reader`. Faults: both keys, a name that no layer can have, a count that is no multiple of
/// the next, too many kinds.
std::vector<Located<NodeParts>> read_parts(input::MappingReader& reader, input::Diagnostics& faults);

/// The names of the layers, by locality.
std::vector<std::string> layer_names(const std::vector<Located<NodeParts>>& parts);

/// Reports kinds of parts, buses and NICs whose number does not divide the cores of a host. False if a kind of parts
/// does not.
bool check_counts(const HardwareFile& file, std::uint32_t cores, input::Diagnostics& faults);

/// Reports each locality that two ranks may have and that has no layer.
void check_layers(const HardwareFile& file, std::uint32_t cores, input::Diagnostics& faults);

}  // namespace warpfront::machine
