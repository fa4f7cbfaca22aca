// Recognises platforms that are a single regular cluster, and the cluster's shape. SimGrid offers no function for this
// after loading, so this code reads the XML a second time. It does not read the speeds of links, since SimGrid returns
// them as the rates of a route.
//
// SimGrid stores every host and link, and the time to build a fat tree is proportional to hosts x switches. So SimGrid
// reads a small copy of a large cluster: the same text on the same lines, but with few hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

/// A `<cluster>` that contains all hosts of a platform.
struct SingleCluster {
    std::string id;
    Zone shape;  // shape without latencies and bandwidths; a flat cluster has no hosts here
    std::uint32_t blue = 1, black = 1, green = 1;  // parallel links of a dragonfly
    SourceRange topo_parameters;
    SourceRange radical;
    std::uint64_t radicals = 0;  // number of hosts in `radical`
    std::uint64_t hosts = 0;     // number of hosts of the shape; for a flat cluster, `radicals`
    double links = 0.0;          // approximate number of links
};

/// Returns the single cluster of a platform. Returns nothing for any other platform: several clusters, other hosts, or
/// a shape that SimGrid does not have.
std::optional<SingleCluster> single_cluster(const PlatformXml& xml);

/// Returns the XML with a cluster of the same kind and number of levels, but with few hosts.
std::string small_copy(const PlatformXml& xml, const SingleCluster& cluster);

}  // namespace warpfront::machine
