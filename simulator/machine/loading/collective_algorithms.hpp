// `collectives` of a hardware file: a library whose choices it takes, and by collective the name of an algorithm, or a
// list of rules `{up_to: 2KiB, ranks: 16, algorithm: NAME}` of which the first that applies counts.
#pragma once

#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::machine {

/// nullptr gives the defaults. Diagnostics: unknown_key, bad_choice, wrong_yaml_type, missing_key, rule_order (the last
/// rule has a limit, or another one none). `notes` gets what has no effect, and names that will be refused.
collectives::Algorithms read_collectives(const input::YamlNode* node, input::Diagnostics& faults,
                                         std::vector<std::string>& notes);

}  // namespace warpfront::machine
