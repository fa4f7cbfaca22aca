// Recognition of platforms that are a single regular cluster, and of the cluster's shape. SimGrid has no interface for
// this after loading, so the same XML is read. Link speeds are not read here: they follow from one route by SimGrid.
//
// SimGrid builds every host and link in memory, and a fat tree in time proportional to hosts x switches. For a large
// cluster it therefore reads a small copy with the same text on the same lines, but few hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/machine/loading/xml_elements.hpp"

namespace warpfront::machine {

struct FlatShape {
    friend bool operator==(const FlatShape&, const FlatShape&) = default;
};
struct TorusShape {
    std::vector<std::uint32_t> dimensions;  // first dimension first
    friend bool operator==(const TorusShape&, const TorusShape&) = default;
};
struct FatTreeShape {
    std::vector<std::uint32_t> children, parents, cables;  // by level, as FatTreeRoutes
    friend bool operator==(const FatTreeShape&, const FatTreeShape&) = default;
};
struct DragonflyShape {
    /// The number of units of a level, and of the parallel links between two of them.
    struct Level {
        std::uint32_t count = 1;
        std::uint32_t links = 1;
        friend bool operator==(const Level&, const Level&) = default;
    };
    Level groups, chassis, blades;
    std::uint32_t nodes = 1;
    friend bool operator==(const DragonflyShape&, const DragonflyShape&) = default;
};
using Shape = std::variant<FlatShape, TorusShape, FatTreeShape, DragonflyShape>;

/// The one `<cluster>` that holds every host of a platform.
struct SingleCluster {
    std::string id;
    Shape shape;
    input::SourceRange topo_parameters;
    input::SourceRange radical;
    std::uint64_t radicals = 0;  // hosts that `radical` numbers
    std::uint64_t hosts = 0;     // of the shape; of a flat one, the radicals
    double links = 0.0;          // approximately
};

/// Returns nothing for any other platform: several clusters, other hosts, shapes unknown to SimGrid.
std::optional<SingleCluster> single_cluster(const PlatformXml& xml);

/// Returns the XML with a cluster of the same kind and levels, but few hosts.
std::string small_copy(const PlatformXml& xml, const SingleCluster& cluster);

}  // namespace warpfront::machine
