// A network of switches as a file of its edges.
//   NAME.edges, or any other name   one edge per line, the names of two switches; `#` begins a comment
//   NAME.dot, NAME.gv               an undirected Graphviz graph (read by Boost.Graph)
// Switches are numbered in the order of their first mention (in Graphviz files, as Boost.Graph numbers them).
#pragma once

#include <optional>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/routes/graph.hpp"

namespace warpfront::machine {

/// Nothing if the file has faults, which are added: bad_edge (a line without exactly two names, a self-loop, a
/// duplicate edge, too many neighbours, invalid Graphviz), platform_limits (more than kMostSwitches),
/// unreachable_switch.
std::optional<SwitchGraph> read_edge_file(const input::SourceFilePtr& source, input::Diagnostics& faults);

}  // namespace warpfront::machine
