// A hardware file's YAML with everything that it takes from others: `like: xt4.yaml` begins with the tree of that file,
// which this file's own keys then change. Of two mappings the keys are joined, one by one; anything else is replaced.
// Every node keeps its place, so a fault points into the file in which it stands.
#pragma once

#include <filesystem>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::machine {

struct HardwareTree {
    input::YamlNode root;
    std::vector<input::SourceFilePtr> sources;  // the file itself, then what it is like, nearest first
};

/// Throws BadInput if one of the files cannot be read or parsed; a `like` that leads back to a file (like_itself) or is
/// no name is added to `faults`.
HardwareTree read_hardware_tree(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                                input::Diagnostics& faults);

/// The path without detours, so that two paths of one file compare equal.
std::filesystem::path plain(const std::filesystem::path& path);

}  // namespace warpfront::machine
