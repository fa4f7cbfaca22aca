// The YAML tree of a hardware file with its bases by `like`, before the overrides of a scenario.
//
// The keys of a file override those of the file that it names with `like: xt4.yaml`. Two mappings are joined key by
// key; any other value is replaced. Every YAML node keeps its range, so an error points into the file that contains it.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::machine {

struct HardwareTree {
    YamlNode root;
    std::vector<SourceFilePtr> sources;           // the file itself, then the files that it is based on, nearest first
    std::shared_ptr<input::FilesReadOnce> files;  // files of `sources` and of the network
    Diagnostics faults;                           // errors in `like` (a cycle, or not a file name) and in keys
};

/// Reads the tree. Throws BadInput if a file cannot be read or parsed. `files` contains files that another tree has
/// already read.
HardwareTree read_hardware_tree(const std::filesystem::path& path, const SourceRange& mentioned_at = {},
                                std::shared_ptr<input::FilesReadOnce> files = std::make_shared<input::FilesReadOnce>());

/// Returns the canonical path. It is equal for all paths of one file.
std::filesystem::path plain(const std::filesystem::path& path);

/// Returns the canonical path of the last file in the chain of `like`. Machines with the same origin have the same
/// processors.
std::filesystem::path origin_of(const HardwareTree& hardware);

/// Adds the keys of `own` to a tree. Mappings are joined, and other values are replaced. A `platform` removes the
/// `topology` of the tree and vice versa. A `topology` that states its kind replaces the whole `topology` of the tree.
void overlay(YamlNode& tree, YamlNode own);

}  // namespace warpfront::machine
