// A network whose routes follow from a rule, as a platform or a hardware file describes it before a machine is built.
#pragma once

#include <variant>

#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

/// A platform that is no single regular cluster: its routes are known only pair by pair.
struct Irregular {
    friend bool operator==(const Irregular&, const Irregular&) = default;
};

/// HyperX and graphs come only from the `topology` of a hardware file (interconnect.hpp).
using RegularZone =
    std::variant<Irregular, TorusRoutes, StarRoutes, FatTreeRoutes, DragonflyRoutes, HyperXRoutes, GraphRoutes>;

}  // namespace warpfront::machine
