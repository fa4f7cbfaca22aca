// A network that the hardware file itself describes, with the key `topology`, instead of a SimGrid platform
// (platforms/README.md). All hosts have the same number of cores. The two directions of a cable are separate links.
//
// Tori, fat trees, dragonflies and HyperX networks route by a rule. The rule is that of SimGrid, except that
// dragonflies prefer to stay in the chassis (routes/dragonfly.hpp). Graphs route along shortest paths
// (routes/graph.hpp). `routing` selects other routings that the zone offers (routes/routing.hpp), and `cabling` how the
// NICs of a host are connected (routes/routes.hpp).
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
    Zone zone;  // regular network with its routes; a graph has no routes yet
    Routing routing = Routing::minimal;
    SourceRange routing_range;  // range of the value of `routing`
    NicCabling cabling = NicCabling::per_nic;
    std::vector<SourceFilePtr> sources;  // the edge file of a graph
};

/// Reads a file whose name is the text at `range`. Throws BadInput.
using ReadNamedFile = std::function<SourceFilePtr(const std::string& name, const SourceRange& range)>;

/// Reads the value of `topology`. In `node`, `bandwidth` and `latency` already contain the overrides of links; this
/// function applies the overrides to an edge file. Returns nothing after an error. Diagnostics: those of keys,
/// quantities and edge files; bad_topology for impossible sizes; platform_limits for sizes that are too large.
std::optional<Interconnect> read_interconnect(const YamlNode& node, const std::vector<LinkOverride>& overrides,
                                              const ReadNamedFile& read_file, Diagnostics& faults);

/// Returns the number of hosts of a regular zone; 0 for an irregular platform.
std::uint64_t hosts_of(const Zone& zone);

/// Returns the cabling of hosts with `nics` NICs in a zone to which `add_ends` has not been applied.
Cabling cabling_of(const Zone& zone, NicCabling wanted, std::uint32_t nics);

/// Changes the routes of a zone from host to host into routes from cable to cable, if each NIC has its own cable to one
/// plane (routes/routes.hpp). Otherwise does nothing.
void add_ends(Zone& zone, const Cabling& cabling);

/// Returns the number of links in all planes after `add_ends`.
double links_of(const Zone& zone, const Cabling& cabling);

// A network of switches, read from a file of its edges.
//   NAME.edges, or any other name   one edge per line: the names of two switches, then the bandwidth and the latency of
//                                   its links, in any order and with units; `#` begins a comment
//   NAME.dot, NAME.gv               an undirected Graphviz graph (read by Boost.Graph), with the attributes `bandwidth`
//                                   and `latency` of edges
// Switches are numbered in the order in which the file first mentions them (in Graphviz files, as Boost.Graph numbers
// them). An edge has a link in each direction. Values that an edge does not state are those of the topology.

struct EdgeFile {
    SwitchGraph graph;
    /// The values that edges state, by SwitchGraph::number. Empty if no edge states a value.
    struct Own {
        std::optional<Gap> gap;
        std::optional<Time> latency;
    };
    std::vector<Own> own;
};

/// Reads an edge file. Returns nothing after an error. Diagnostics: those of quantities; bad_edge for a line without
/// two names, a wrong column, two columns of one kind, a self-loop, a duplicate edge, too many neighbours, and invalid
/// Graphviz; platform_limits for more than kMostSwitches; unreachable_switch.
std::optional<EdgeFile> read_edge_file(const SourceFilePtr& source, Diagnostics& faults);

}  // namespace warpfront::machine
