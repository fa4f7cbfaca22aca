// What SimGrid cannot tell back of a platform it has loaded: whether all of it is one regular cluster, and of which
// shape. Read from the same XML. What the shape says of the links' speed is left out: SimGrid measures one route.
//
// SimGrid builds a fat tree in a time that grows with hosts x switches, and any cluster in memory. Of a large one it is
// therefore handed a small copy to check: the same text on the same lines, but few hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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
    /// Two figures each: how many of them, and how many links join two of them in one.
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
    std::string topo_parameters;  // as written
    std::string radical;
    std::uint64_t radicals = 0;  // numbers that `radical` names
    std::uint64_t hosts = 0;     // that the shape has; of a flat one, the radicals
    double links = 0.0;          // and about so many links
};

/// Nothing for any other platform: several clusters, hosts of their own, shapes that SimGrid does not know either.
std::optional<SingleCluster> single_cluster(const std::string& xml);

/// The XML with a cluster of the same kind and levels, but few hosts; nothing where the text to change is not there
/// exactly once.
std::optional<std::string> small_copy(const std::string& xml, const SingleCluster& cluster);

}  // namespace warpfront::machine
