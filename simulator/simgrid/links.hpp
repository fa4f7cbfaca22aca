// SimGrid's links by name, and overrides of them, applied before routes are found.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/simgrid_loader.hpp"
#include "simulator/machine/loading/xml_cluster.hpp"
#include "simulator/simgrid/s4u.hpp"

namespace warpfront::machine {

/// SimGrid names the kinds of links of a cluster by endings.
bool is_named(const simgrid::s4u::Link* link, std::string_view ending);

/// Applies the overrides, in their order, to all links that each names (platform.hpp); `cluster` is the platform's, if
/// it is a single one. Returns the overrides that name no link.
UnknownLinks override_links(const simgrid::s4u::Engine& engine, const std::vector<LinkOverride>& overrides,
                            const std::optional<SingleCluster>& cluster);

}  // namespace warpfront::machine
