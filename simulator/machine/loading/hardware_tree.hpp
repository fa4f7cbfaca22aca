// The YAML tree of a hardware file: its bases by `like`, then the overrides of a scenario.
//
// `like: xt4.yaml` begins with the tree of that file, and the keys of this file override it. Two mappings are joined
// key by key; any other value is replaced. Every YAML node keeps its range, so an error points into the file that
// contains it.
//
// Overrides (`--set platform.layers.network.L=0.5x`) are a tree in the form of the hardware file. A value replaces that
// of the file; `2x` or `0.5x` multiplies it. G, G_send, G_recv, G_dma, injection and ejection may be written as a
// bandwidth or as a time per byte, so a factor states which of the two it multiplies, independently of the unit in the
// file: `G: {bandwidth: 2x}` or `G: {gap: 2x}`. An override within a layer applies to all of its rows that have the
// key; a value for a key that no row has applies to all rows. `network[up_to=1KiB]` is the row of `network` with this
// `up_to`, `network[last]` its last row, which has none; overrides of single rows come after those of all rows. A
// `topology` with its `kind` replaces the platform. Within `links`, a name with `bandwidth` or `latency` overrides the
// links of the platform by that name.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/platform.hpp"

namespace warpfront::machine {

struct HardwareTree {
    input::YamlNode root;
    std::vector<input::SourceFilePtr> sources;  // the file itself, then its bases, nearest first
};

/// Reads the tree. Throws BadInput if one of the files cannot be read or parsed. Adds a `like` that forms a cycle
/// (like_itself) or is no name to `faults`.
HardwareTree read_hardware_tree(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                                input::Diagnostics& faults);

/// Returns the canonical path, so that two paths of one file compare equal.
std::filesystem::path plain(const std::filesystem::path& path);

struct HardwareOverrides {
    input::YamlNode tree;           // a mapping; anything else overrides nothing
    std::filesystem::path folder;   // the base of relative file names in it
    input::YamlNode calibration{};  // in the form of `tree`, applied before it: terms fitted to measured runs
};

/// Returns the factor of `2x`; nothing for a text of another form.
std::optional<double> factor_of(std::string_view text);

/// Returns the name under which the keys of one row compare equal: `network[up_to=1024B]` for `network[up_to=1KiB]`.
/// Other keys are unchanged.
std::string canonical_key(std::string_view key);

/// Applies the overrides to the tree of a hardware file and returns those of links by name. Diagnostics: unknown_key
/// (there is no value to multiply), duplicate_key (a row under two names), bad_override (no such row, a row of a value
/// that is no list of rows, or a factor that may multiply two quantities), wrong_yaml_type, out_of_range, and those of
/// quantities.
std::vector<LinkOverride> apply_overrides(const input::YamlNode& overrides, input::YamlNode& hardware,
                                          input::Diagnostics& faults);

/// Adds the keys of `own` to a tree, mapping by mapping; they replace those of the tree. A `platform` removes the
/// `topology` of the tree and vice versa; a `topology` with its kind replaces that of the tree as a whole.
void overlay(input::YamlNode& tree, input::YamlNode own);

}  // namespace warpfront::machine
