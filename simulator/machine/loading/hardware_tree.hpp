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
    std::vector<SourceFilePtr> sources;           // the file itself, then its bases, nearest first
    std::shared_ptr<input::FilesReadOnce> files;  // files of `sources` and of the network
    Diagnostics faults;                           // faults of `like` (a cycle, or not a file name) and of keys
};

/// Reads the tree. Throws BadInput if one of the files cannot be read or parsed. Files that another tree has read are
/// taken from `files`.
HardwareTree read_hardware_tree(const std::filesystem::path& path, const SourceRange& mentioned_at = {},
                                std::shared_ptr<input::FilesReadOnce> files = std::make_shared<input::FilesReadOnce>());

/// Returns the canonical path. It is equal for all paths of one file.
std::filesystem::path plain(const std::filesystem::path& path);

/// Returns the canonical path of the last file in the chain of `like`. Machines with the same origin have the same
/// processors.
std::filesystem::path origin_of(const HardwareTree& hardware);

/// Adds the keys of `own` to a tree, mapping by mapping; they replace those of the tree. A `platform` removes the
/// `topology` of the tree and vice versa; a `topology` with its kind replaces that of the tree as a whole.
void overlay(YamlNode& tree, YamlNode own);

}  // namespace warpfront::machine
