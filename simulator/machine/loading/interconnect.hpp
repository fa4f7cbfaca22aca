// A network that the hardware file describes itself, by rule and size, in place of naming a SimGrid platform: the key
// `topology` (platforms/README.md). Every host has the same cores; links are two-way pairs.
//
// Routes go by the zone's rule where it has one (torus, fat tree, dragonfly: as SimGrid's, except that dragonflies keep
// to their chassis; HyperX), else along shortest paths (graph.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/platform.hpp"

namespace warpfront::machine {

struct Interconnect {
    RegularZone zone;                           // never irregular; a graph has no routes yet
    std::vector<input::SourceFilePtr> sources;  // the file of a graph
};

/// Where a file stands that is named at a place.
using FindFile = std::function<std::filesystem::path(const std::string& name, const input::SourceRange& place)>;

/// Reads the value of `topology`. Nothing where it has faults, which are added: those of keys and quantities, of sizes
/// that no such network has (bad_topology), of sizes too large (platform_limits), of an edge file.
std::optional<Interconnect> read_interconnect(const input::YamlNode& node, const FindFile& find,
                                              input::Diagnostics& faults);

/// Of any zone but an irregular one.
std::uint64_t hosts_of(const RegularZone& zone);

}  // namespace warpfront::machine
