// Names of links in reports: the ends that a link joins, since users do not know link numbers.
#pragma once

#include <string>

#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

/// "(3, 0, 1) to (4, 0, 1)" of a torus, "host 5 up" of a star, "level 1 switch 3, port 2 up" of a fat tree; for stored
/// routes, the platform's name. Where each NIC has a cable, "host 5 NIC 2 up", or with rails "plane 2, host 5 up".
/// `append_links` must be able to return the link.
std::string link_name(const Routes& routes, LinkId link);

}  // namespace warpfront::machine
