// The variants of a study: named sets of changes to the scenario.
//
//   variants:
//     - name: as it is                                  one variant at most changes nothing: the scenario as it is
//     - name: twice the bandwidth
//       set: {platform.layers.network.G.bandwidth: 2x}  overrides by path, as `set` of the study
//
// They are the first axis of the study, named `variant`, with the names as the label of its values. A variant leaves
// the keys that only others set as the scenario and `set` of the study have them.
#pragma once

#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/scenario/overrides.hpp"
#include "tools/study/axis.hpp"

namespace warpfront::tools {

inline constexpr std::string_view kVariant = "variant";

/// Reads a mapping `set` of overrides by path. Diagnostics: wrong_yaml_type, bad_override for a path with an empty key,
/// conflicting_keys for two that set the same.
std::vector<scenario::Override> read_sets(const input::YamlNode* node, input::Diagnostics& faults);

/// Reads the list `variants`. Diagnostics: wrong_yaml_type, missing_key for a variant without a name or for variants
/// that change nothing, duplicate_key for a name that stands twice and for variants with the same changes, unknown_key,
/// and those of read_sets.
StudyAxis read_variants(const input::YamlNode& list, input::Diagnostics& faults);

}  // namespace warpfront::tools
