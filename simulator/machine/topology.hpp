// What SimGrid cannot tell back of a platform it has loaded: whether all of it is one regular cluster, and of which
// shape. Read from the same XML, after SimGrid has accepted it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpfront::machine {

/// The one `<cluster>` that holds every host of a platform.
struct LoneCluster {
    std::string id;
    /// Of topology="TORUS", first dimension first; empty for a flat cluster.
    std::vector<std::uint32_t> torus;
};

/// Nothing for any other platform: several clusters, hosts of their own, other topologies, a torus with limiter links.
std::optional<LoneCluster> lone_cluster(const std::string& xml);

}  // namespace warpfront::machine
