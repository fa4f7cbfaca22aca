// A network of switches as a file of its edges.
//   NAME.edges, or any other name   one edge per line: the names of two switches, then, in either order and each with
//                                   its unit, the bandwidth and the latency of its links; `#` begins a comment
//   NAME.dot, NAME.gv               an undirected Graphviz graph (read by Boost.Graph), of whose edges the attributes
//                                   `bandwidth` and `latency` are read
// Switches are numbered in the order of their first mention (in Graphviz files, as Boost.Graph numbers them). An edge
// is a link in each direction. Values that an edge does not state are those of the topology.
#pragma once

#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/routes/graph.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct EdgeFile {
    SwitchGraph graph;
    /// The values that edges state, by SwitchGraph::number; empty if no edge states any.
    struct Own {
        std::optional<Gap> gap;
        std::optional<Time> latency;
    };
    std::vector<Own> own;
};

/// Reads an edge file. Returns nothing if the file has errors, which are added: bad_edge (a line without two names, a
/// column that is neither a bandwidth nor a latency, or the second of its kind, a self-loop, a duplicate edge, too many
/// neighbours, invalid Graphviz), those of quantities, platform_limits (more than kMostSwitches), unreachable_switch.
std::optional<EdgeFile> read_edge_file(const input::SourceFilePtr& source, input::Diagnostics& faults);

}  // namespace warpfront::machine
