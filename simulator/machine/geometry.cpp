#include "simulator/machine/geometry.hpp"

#include <variant>

namespace warpfront::machine {

namespace {

LongestRoute longest(const Irregular&) {
    return {};
}

LongestRoute longest(const TorusRoutes& torus) {
    std::uint64_t links = 0;
    for (const std::uint32_t length : torus.dimensions) links += length / 2;
    return {links, torus.link_latency};
}

/// SimGrid tells the latency of the whole route.
LongestRoute longest(const StarRoutes& star) {
    return {1, star.route_latency};
}

LongestRoute longest(const FatTreeRoutes& tree) {
    return {2 * tree.children.size(), tree.link_latency};
}

/// Host, green, black, blue, green, black, host.
LongestRoute longest(const DragonflyRoutes& it) {
    const std::uint64_t in_group = (it.blades > 1 ? 1U : 0U) + (it.chassis > 1 ? 1U : 0U);
    return {it.groups > 1 ? 2 + 1 + 2 * in_group : 2 + in_group, it.link_latency};
}

LongestRoute longest(const HyperXRoutes& it) {
    std::uint64_t links = 2;
    for (const std::uint32_t length : it.dimensions) links += length > 1 ? 1U : 0U;
    return {links, it.link_latency};
}

LongestRoute longest(const GraphRoutes& graph) {
    return {2 + std::uint64_t{graph.diameter}, graph.link_latency};
}

}  // namespace

LongestRoute longest_route(const RegularZone& zone) {
    return std::visit([](const auto& routes) { return longest(routes); }, zone);
}

}  // namespace warpfront::machine
