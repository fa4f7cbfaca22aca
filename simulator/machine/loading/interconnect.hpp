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
#include "simulator/machine/routes/graph.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct Interconnect {
    Zone zone;  // shape and routes of a regular network; a graph has no routes yet
    Routing routing = Routing::minimal;
    SourceRange routing_range;  // place of the value of `routing`
    NicCabling cabling = NicCabling::per_nic;
    std::vector<SourceFilePtr> sources;  // the file of a graph
};

/// Reads a file that the text at `range` names. Throws BadInput.
using ReadNamedFile = std::function<SourceFilePtr(const std::string& name, const SourceRange& range)>;

/// Reads the value of `topology`. The overrides of links are already applied to `bandwidth` and `latency` of `node`;
/// this function applies them to the values of an edge file. Returns nothing after an error. Diagnostics: those of
/// keys, quantities and edge files, bad_topology for impossible sizes, platform_limits for sizes that are too large.
std::optional<Interconnect> read_interconnect(const YamlNode& node, const std::vector<LinkOverride>& overrides,
                                              const ReadNamedFile& read_file, Diagnostics& faults);

/// Returns the number of hosts of a regular zone; 0 for an irregular platform.
std::uint64_t hosts_of(const Zone& zone);

/// Returns the cabling of hosts with `nics` NICs, for a zone without `add_ends`.
Cabling cabling_of(const Zone& zone, NicCabling wanted, std::uint32_t nics);

/// Extends a zone whose routes lead from host to host so that its routes lead from cable to cable, if each NIC has a
/// cable of its own in one plane (routes/routes.hpp). Otherwise does not change the zone.
void add_ends(Zone& zone, const Cabling& cabling);

/// Returns the number of links, in all planes, that a zone will have after `add_ends`.
double links_of(const Zone& zone, const Cabling& cabling);

// A network of switches as a file of its edges.
//   NAME.edges, or any other name   one edge per line: the names of two switches, then, in either order and each with
//                                   its unit, the bandwidth and the latency of its links; `#` begins a comment
//   NAME.dot, NAME.gv               an undirected Graphviz graph (read by Boost.Graph); the attributes of its edges
//                                   `bandwidth` and `latency` are read
// Switches are numbered in the order of their first mention (in Graphviz files, as Boost.Graph numbers them). An edge
// is a link in each direction. Values that an edge does not state are those of the topology.

struct EdgeFile {
    SwitchGraph graph;
    /// The values that edges state, by SwitchGraph::number; empty if no edge states any.
    struct Own {
        std::optional<Gap> gap;
        std::optional<Time> latency;
    };
    std::vector<Own> own;
};

/// Reads an edge file. Returns nothing after an error. Diagnostics: those of quantities; bad_edge for a line without
/// two names, a wrong or a second column of a kind, a self-loop, a duplicate edge, too many neighbours, and for invalid
/// Graphviz; platform_limits for more than kMostSwitches; unreachable_switch.
std::optional<EdgeFile> read_edge_file(const SourceFilePtr& source, Diagnostics& faults);

}  // namespace warpfront::machine
