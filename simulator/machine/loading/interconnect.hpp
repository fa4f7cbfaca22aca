// The network that a hardware file describes by rule and size instead of naming a SimGrid platform: the key `topology`
// (platforms/README.md). All hosts have the same number of cores; the two directions have separate links.
//
// Torus, fat tree, dragonfly and HyperX route by the zone's rule (as SimGrid, except that dragonflies keep the chassis,
// routes/dragonfly.hpp); graphs route along shortest paths (routes/graph.hpp). `routing` selects another routing if the
// zone has one (routes/routing.hpp), `cabling` selects how the NICs of a host are joined to it (routes/routes.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/platform.hpp"

namespace warpfront::machine {

struct Interconnect {
    RegularZone zone;  // never irregular; a graph has no routes yet
    Routing routing = Routing::minimal;
    input::SourceRange routing_range;  // place of the value
    NicCabling cabling = NicCabling::per_nic;
    std::vector<input::SourceFilePtr> sources;  // the file of a graph
};

/// Reads a file that the text at `range` names. Throws BadInput.
using ReadNamedFile = std::function<input::SourceFilePtr(const std::string& name, const input::SourceRange& range)>;

/// Reads the value of `topology`. The overrides of its links have been applied to its `bandwidth` and `latency`; they
/// apply to the values in an edge file too. Returns nothing if it has errors, which are added: those of keys and
/// quantities, impossible sizes (bad_topology), sizes too large (platform_limits), those of an edge file.
std::optional<Interconnect> read_interconnect(const input::YamlNode& node, const std::vector<LinkOverride>& overrides,
                                              const ReadNamedFile& read_file, input::Diagnostics& faults);

/// Returns the number of hosts of a zone, which must not be irregular.
std::uint64_t hosts_of(const RegularZone& zone);

/// Returns the cabling of hosts with `nics` NICs into a zone, which has an end for each host.
Cabling cabling_of(const RegularZone& zone, NicCabling wanted, std::uint32_t nics);

/// Gives the zone the ends of its cabling.
void add_ends(RegularZone& zone, const Cabling& cabling);

/// Returns the number of links, in all planes, of such a zone once cabled.
double links_of(const RegularZone& zone, const Cabling& cabling);

}  // namespace warpfront::machine
