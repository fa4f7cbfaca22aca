// A network whose routes follow from a rule: what a platform or a hardware file describes before it is a machine.
#pragma once

#include <variant>

#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

/// Where a platform is no regular cluster, its routes are known only pair by pair.
struct Irregular {
    friend bool operator==(const Irregular&, const Irregular&) = default;
};

/// Those of a HyperX and of a graph no XML tells, but a hardware file does (interconnect.hpp).
using RegularZone =
    std::variant<Irregular, TorusRoutes, StarRoutes, FatTreeRoutes, DragonflyRoutes, HyperXRoutes, GraphRoutes>;

}  // namespace warpfront::machine
