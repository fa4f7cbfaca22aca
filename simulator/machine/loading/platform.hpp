// A SimGrid platform as flat facts, as its XML describes it; its routes are found once it is known which are needed
// (platform_loader.hpp).
//
// Hosts are numbered zone by zone in file order, each zone's own hosts first, in SimGrid's netpoint order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/routes/regular_zone.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

struct HostPair {
    Node from;
    Node to;
    friend constexpr auto operator<=>(const HostPair&, const HostPair&) = default;
};

struct Platform {
    std::uint32_t hosts = 0;
    std::uint32_t cores = 1;       // that every host has
    std::uint32_t most_cores = 1;  // that some host has
    RegularZone zone;
    std::vector<std::string> notes;  // what SimGrid warns of, and numbers without a unit
};

/// Links of a platform that are to be others than its XML says, by name: of a link; of a cluster, for all its links but
/// limiters, backbone and loopbacks; of the kind of a lone cluster (flat, torus, fat_tree, dragonfly), for the same;
/// `limiter` or `backbone`, for those; `all`.
struct LinkOverride {
    struct Value {
        bool relative = false;  // a factor, else in B/s or seconds
        double number = 0.0;
    };
    std::string name;
    input::SourceRange range;
    std::optional<Value> bandwidth;
    std::optional<Value> latency;
    input::YamlNode as_written;  // the mapping with these keys
};

/// 64 million nodes: 64 times the largest machine this is made for, and 256 MiB of placement.
inline constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 26;

/// They are numbered by 32 bits.
inline constexpr double kMostLinks = 4e9;

}  // namespace warpfront::machine
