// A hardware file's YAML with its bases: `like: xt4.yaml` starts from the tree of that file, and the keys of this file
// override it. Two mappings are joined key by key; any other value is replaced. Every YAML node keeps its range, so a
// fault points into the file that contains it.
#pragma once

#include <filesystem>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::machine {

struct HardwareTree {
    input::YamlNode root;
    std::vector<input::SourceFilePtr> sources;  // the file itself, then its bases, nearest first
};

/// Throws BadInput if one of the files cannot be read or parsed. Adds a `like` that forms a cycle (like_itself) or is
/// no name to `faults`.
HardwareTree read_hardware_tree(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                                input::Diagnostics& faults);

/// The canonical path, so that two paths of one file compare equal.
std::filesystem::path plain(const std::filesystem::path& path);

}  // namespace warpfront::machine
