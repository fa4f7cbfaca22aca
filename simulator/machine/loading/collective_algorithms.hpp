// The key `collectives` of a hardware file: a library whose choices are used, and for each collective the name of an
// algorithm, or a list of rules `{up_to: 2KiB, ranks: 16, algorithm: NAME}` of which the first that applies is used.
#pragma once

#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::machine {

/// Reads the key; nullptr gives the defaults. Diagnostics: unknown_key, bad_choice, wrong_yaml_type, missing_key,
/// rule_order (the last rule has a limit, or another one none). Adds to `notes` keys without effect, and names that
/// will be refused.
collectives::Algorithms read_collectives(const input::YamlNode* node, input::Diagnostics& faults,
                                         std::vector<std::string>& notes);

}  // namespace warpfront::machine
