// What a scenario changes of a machine without editing its files: `--set platform.layers.network.L=0.5x`.
//
// HardwareOverrides are a tree in the form of the hardware file. A value replaces what stands there, `2x` or `0.5x`
// multiplies it: a time per byte (G, G_recv, G_dma) gets so many times as long, a bandwidth (injection, ejection,
// bandwidth) so many times as large, whichever of the two units the file has used. A change to a layer is made in all
// of its rows that have the key, or, a value where none has it, in all rows. Naming a `topology` with its `kind` puts
// it in place of the platform. Within `links`, a name with `bandwidth` or `latency` changes links of the platform by
// that name.
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
    input::YamlNode tree;          // a mapping; anything else changes nothing
    std::filesystem::path folder;  // where files that it names are found
};

/// The factor of `2x`; nothing where the text is of another form.
std::optional<double> factor_of(std::string_view text);

/// Makes the changes to the tree of a hardware file; those of links by name are returned. Diagnostics: unknown_key
/// (nothing stands where something is to be multiplied), wrong_yaml_type, out_of_range, and those of quantities.
std::vector<LinkOverride> apply_overrides(const input::YamlNode& changes, input::YamlNode& hardware,
                                          input::Diagnostics& faults);

/// Adds the keys of `own` to a tree, mapping by mapping, in place of those that are there. A `topology` that names its
/// kind, or a `platform`, replaces either.
void overlay(input::YamlNode& tree, input::YamlNode own);

}  // namespace warpfront::machine
