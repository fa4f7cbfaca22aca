// What a link is called in a report: by what it joins, since its number means nothing to anybody.
#pragma once

#include <string>

#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

/// "(3, 0, 1) to (4, 0, 1)" of a torus, "host 5 up" of a switch, "level 1 node 3, up port 2" of a fat tree; of stored
/// routes, what the platform calls it. The link is one that `append_links` may name.
std::string link_name(const Zone& zone, LinkId link);

}  // namespace warpfront::machine
