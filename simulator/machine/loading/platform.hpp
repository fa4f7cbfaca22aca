// A SimGrid platform as flat data, from its XML. Routes of an irregular platform are found later, for the pairs of
// hosts that need them (platform_loader.hpp).
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

/// The values of a route in SimGrid's network models, without their factors.
struct RouteRates {
    double latency = 0.0;    // seconds
    double bandwidth = 0.0;  // lowest bandwidth of the route's links, in bytes per second
    /// The rate of a single flow whose acknowledgements take 5 % of its rate on the links back
    /// (`network/crosstraffic`): the lowest of bandwidth / (1 + 0.05) of a link that both directions cross, bandwidth
    /// of one out, bandwidth / 0.05 of one back.
    double with_crosstraffic = 0.0;
    friend bool operator==(const RouteRates&, const RouteRates&) = default;
};

/// The disks of one name, each in another host.
struct PlatformDisk {
    std::string name;
    Bandwidth read;   // rate of the first disk
    Bandwidth write;  // rate of the first disk
    std::uint32_t count = 1;
    bool alike = true;  // all disks have the same rates
};

/// The largest number of hosts of an irregular platform for which the routes between all pairs are found.
inline constexpr std::uint32_t kMostHostsPaired = 256;

struct Platform {
    std::uint32_t hosts = 0;
    std::uint32_t cores = 1;          // cores of a host that are used
    std::uint32_t most_cores = 1;     // the most cores of any host
    Zone zone = TableRoutes{};        // shape of the network, without routes
    std::vector<PlatformDisk> disks;  // in the order of their first mention
    std::vector<std::string> notes;   // notes: warnings of SimGrid, numbers without a unit, differences to SimGrid
};

/// Overrides links of a platform by name. The name is that of a link; `limiter` or `backbone`; or `all`. The name of a
/// cluster, or the kind of a single cluster (flat, torus, fat_tree, dragonfly), stands for all its links except
/// limiters, backbone and loopbacks.
struct LinkOverride {
    struct Value {
        bool relative = false;  // true if `number` is a factor; otherwise it is in B/s or seconds
        double number = 0.0;
    };
    std::string name;
    SourceRange range;
    std::optional<Value> bandwidth;
    std::optional<Value> latency;
    YamlNode as_written;  // the mapping with these keys
};

/// The largest number of nodes, 64 million: 64 times the largest design size; their placement takes 256 MiB.
inline constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 26;

/// The limit of link numbers, which have 32 bits.
inline constexpr double kMostLinks = 4e9;

}  // namespace warpfront::machine
