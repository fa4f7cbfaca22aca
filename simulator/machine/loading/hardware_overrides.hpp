// The overrides of a scenario, such as `--set platform.layers.network.L=0.5x`. They are a tree with the same keys as a
// hardware file, and are applied to the tree of that file. platforms/README.md describes them.
//
// A value replaces the value in the file, and a factor multiplies it. If the value may be a bandwidth or a time per
// byte, the factor must state which of the two it multiplies: `G: {bandwidth: 2x}` or `G: {gap: 2x}`. An override
// within a layer applies to all of its rows that have the key. A value for a key that no row has applies to all rows.
// Overrides of single rows, such as `network[up_to=1KiB]` or `network[last]`, are applied last.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/platform.hpp"

namespace warpfront::machine {

struct HardwareOverrides {
    YamlNode tree;                 // a mapping; any other node has no effect
    std::filesystem::path folder;  // folder to which file names in the tree are relative
    /// terms fitted to measured runs, as a tree with the same keys; applied before `tree`
    YamlNode calibration{};
};

/// Returns the factor of a text such as `2x`; nothing for any other text.
std::optional<double> factor_of(std::string_view text);

/// Returns a key in a form that is equal for all keys of one row: `network[up_to=1024B]` for `network[up_to=1KiB]`.
/// Other keys do not change.
std::string canonical_key(std::string_view key);

/// Applies the overrides to the tree of a hardware file. Returns the overrides that name links. Diagnostics:
/// unknown_key if there is no value to multiply; duplicate_key for a row under two names; bad_override for an absent
/// row, for a row of a value that is not a list, and for a factor that may multiply two quantities; wrong_yaml_type;
/// out_of_range; those of quantities.
std::vector<LinkOverride> apply_overrides(const YamlNode& overrides, YamlNode& hardware, Diagnostics& faults);

}  // namespace warpfront::machine
