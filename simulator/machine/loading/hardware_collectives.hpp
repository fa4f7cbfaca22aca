// The key `collectives` of a hardware file: the algorithms of collectives.
#pragma once

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::machine {

/// Reads the mapping `collectives`: by collective the name of an algorithm, or a list of rules `{up_to: 2KiB, ranks:
/// 16, algorithm: NAME}` of which the first that applies counts; nullptr gives the defaults. Diagnostics: unknown_key,
/// bad_choice, wrong_yaml_type, missing_key, rule_order
/// (the last rule has a limit, or another one none).
collectives::Algorithms read_collectives(const input::YamlNode* node, input::Diagnostics& faults);

}  // namespace warpfront::machine
