// Part of laying out a run: which ranks are on which node, and the layout of a node's hot state
// (layout.hpp).
#pragma once

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/layout_links.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::engine {

/// Throws std::length_error where a node holds too many ranks.
void lay_out_nodes(const machine::Machine& machine, Layout& layout);
void lay_out_memory(const machine::Machine& machine, Layout& layout);

/// By rank which of parallel links it takes, where the choice is deterministic.
void number_link_keys(const machine::Placement& placement, Layout& layout);

/// Hot states and all links, once it is known from the costs whether NICs are shared. Throws std::length_error where
/// there are too many servers.
void number_servers(const machine::Machine& machine, const LinkOwners& owners, Layout& layout);

}  // namespace warpfront::engine
