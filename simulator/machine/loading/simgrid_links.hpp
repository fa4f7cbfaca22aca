// SimGrid's links by name: telling those of a cluster apart, and changing them before anything is routed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/xml_cluster.hpp"
#include "simulator/simgrid/s4u.hpp"

namespace warpfront::machine {

/// By change of links that names nothing here, which it is and what it may have meant.
using UnknownLinks = std::vector<std::pair<std::size_t, std::string>>;

/// The links of a cluster are told apart by how SimGrid names them.
bool is_named(const simgrid::s4u::Link* link, std::string_view ending);

/// Makes the changes, in their order, to all links that each means (platform.hpp says which); `cluster` is the
/// platform's, if it is a lone one. Says which changes mean no link.
UnknownLinks override_links(const simgrid::s4u::Engine& engine, const std::vector<LinkOverride>& changes,
                            const std::optional<SingleCluster>& cluster);

}  // namespace warpfront::machine
