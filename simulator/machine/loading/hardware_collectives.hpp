// The key `collectives` of a hardware file: the algorithms of collectives.
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/collectives.hpp"

namespace warpfront::machine {

/// Reads the mapping `collectives`; nullptr gives the defaults. Diagnostics: unknown_key, bad_choice, wrong_yaml_type.
Collectives read_collectives(const input::YamlNode* node, input::Diagnostics& faults);

}  // namespace warpfront::machine
