// Recognition of platforms that are a single regular cluster, and of the cluster's shape. SimGrid has no interface for
// this after loading, so this code reads the XML a second time. Link speeds are not read here, since SimGrid's rates of
// one route contain them.
//
// SimGrid builds every host and link in memory, and a fat tree in time proportional to hosts x switches. For a large
// cluster it therefore reads a small copy with the same text on the same lines, but few hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/machine/routes/routes.hpp"

namespace warpfront::machine {

/// The one `<cluster>` that holds every host of a platform.
struct SingleCluster {
    std::string id;
    Zone shape;  // shape without latencies and bandwidths; for a flat cluster, also without hosts
    std::uint32_t blue = 1, black = 1, green = 1;  // parallel links of a dragonfly
    SourceRange topo_parameters;
    SourceRange radical;
    std::uint64_t radicals = 0;  // number of hosts in `radical`
    std::uint64_t hosts = 0;     // number of hosts of the shape; for a flat cluster, `radicals`
    double links = 0.0;          // approximate number of links
};

/// Returns nothing for any other platform: several clusters, other hosts, shapes unknown to SimGrid.
std::optional<SingleCluster> single_cluster(const PlatformXml& xml);

/// Returns the XML with a cluster of the same kind and levels, but few hosts.
std::string small_copy(const PlatformXml& xml, const SingleCluster& cluster);

}  // namespace warpfront::machine
