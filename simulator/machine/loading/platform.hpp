// A SimGrid platform as flat data. The routes of an irregular platform are found later, for the pairs of hosts that
// need them (platform_loader.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/routes/routes.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

struct HostPair {
    Host from;
    Host to;
    friend constexpr auto operator<=>(const HostPair&, const HostPair&) = default;
};

/// The latency and bandwidth of a route in SimGrid's network models, without the models' factors.
struct RouteRates {
    double latency = 0.0;    // seconds
    double bandwidth = 0.0;  // lowest bandwidth of the route's links, in bytes per second
    /// The rate of a single flow with `network/crosstraffic`. Its acknowledgements take 5 % of its rate on the links
    /// back. So the rate is the lowest of three: bandwidth / (1 + 0.05) of links that both directions cross, bandwidth
    /// of links out, bandwidth / 0.05 of links back.
    double with_crosstraffic = 0.0;
    friend bool operator==(const RouteRates&, const RouteRates&) = default;
};

/// The disks with the same name, at most one per host.
struct PlatformDisk {
    std::string name;
    Bandwidth read;   // rate of the first disk
    Bandwidth write;  // rate of the first disk
    std::uint32_t count = 1;
    bool alike = true;  // true if all disks have the same rates
};

/// The largest number of hosts of an irregular platform for which the routes between all pairs are found.
inline constexpr std::uint32_t kMostHostsPaired = 256;

struct Platform {
    std::uint32_t hosts = 0;
    std::uint32_t cores = 1;          // number of cores of a host that are used
    std::uint32_t most_cores = 1;     // largest number of cores of any host
    Zone zone = TableRoutes{};        // shape of the network, without routes
    std::vector<PlatformDisk> disks;  // in the order in which the file first mentions them
    std::vector<std::string> notes;   // warnings of SimGrid, numbers without a unit, differences from SimGrid
};

/// An override of a platform's links by name. The name is that of a link, `limiter`, `backbone` or `all`. The name of a
/// cluster selects all its links except limiters, backbone and loopbacks. If there is a single cluster, its kind (flat,
/// torus, fat_tree, dragonfly) selects these links too.
struct LinkOverride {
    struct Value {
        bool relative = false;  // true if `number` is a factor; false if it is in B/s or seconds
        double number = 0.0;
    };
    std::string name;
    SourceRange range;
    std::optional<Value> bandwidth;
    std::optional<Value> latency;
    YamlNode as_written;  // the mapping with these keys, as the user wrote it
};

/// The largest number of nodes, 64 million. This is 64 times the largest size of the design, and its placement takes
/// 256 MiB.
inline constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 26;

/// The limit of link numbers, which have 32 bits.
inline constexpr double kMostLinks = 4e9;

}  // namespace warpfront::machine
