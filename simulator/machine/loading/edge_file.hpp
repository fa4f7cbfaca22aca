// A network of switches as a file: what is joined to what.
//   NAME.edges, or any other name   an edge a line, the names of two switches; `#` begins a comment
//   NAME.dot, NAME.gv               an undirected Graphviz graph (read by Boost.Graph)
// Switches are numbered in the order in which they are first named (of Graphviz, as Boost.Graph numbers them).
#pragma once

#include <optional>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/routes/graph.hpp"

namespace warpfront::machine {

/// Nothing where the file has faults, which are added: bad_edge (a line of other than two names, a switch joined to
/// itself, two switches joined twice, too many neighbours, no Graphviz), platform_limits (more than kMostSwitches),
/// unreachable_switch.
std::optional<SwitchGraph> read_edge_file(const input::SourceFilePtr& source, input::Diagnostics& faults);

}  // namespace warpfront::machine
