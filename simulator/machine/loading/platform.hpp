// A SimGrid platform as flat facts. SimGrid reads, checks and routes the XML in a child process (child.hpp), so that
// no platform can end this one; nothing of SimGrid is visible here. Of a lone regular cluster of more than
// `kMostHostsBuilt` hosts SimGrid checks a small copy (topology.hpp), and the rest is this room's arithmetic.
//
// Hosts are numbered zone by zone in file order, each zone's own hosts first, in SimGrid's netpoint order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/process/worker_process.hpp"
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
    std::uint32_t cores = 1;                 // that every host has
    std::uint32_t most_cores = 1;            // that some host has
    RegularZone zone;
    std::vector<HostPair> pairs;             // those asked for
    std::vector<TableRoutes::Entry> routes;  // SimGrid's own, one for each pair
    std::vector<LinkId> contended;           // of these routes, one after another
    std::vector<Gap> gaps;                   // of the links they use, numbered in the order of their first use
    std::vector<std::string> link_names;     // of the same
    std::vector<std::string> notes;          // what SimGrid warns of, and numbers without a unit
};

/// Links of a platform that are to be others than its XML says, by name: of a link; of a cluster, for all its links but
/// limiters, backbone and loopbacks; of the kind of a lone cluster (flat, torus, fat_tree, dragonfly), for the same;
/// `limiter` or `backbone`, for those; `all`.
struct LinkChange {
    struct Value {
        bool relative = false;  // a factor, else in B/s or seconds
        double number = 0.0;
    };
    std::string name;
    input::Place place;
    std::optional<Value> bandwidth;
    std::optional<Value> latency;
    input::YamlNode as_written;  // the mapping with these keys
};

/// Which pairs of hosts SimGrid shall route. Called in the child process once all but `pairs` and `routes` is known.
using PairsWanted = std::function<std::vector<HostPair>(const Platform&)>;

/// 64 million nodes: 64 times the largest machine this is made for, and 256 MiB of placement.
inline constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 26;

/// They are numbered by 32 bits.
inline constexpr double kMostLinks = 4e9;

/// SimGrid builds a fat tree of so many hosts in a tenth of a second.
inline constexpr std::uint64_t kMostHostsBuilt = 4096;

/// How to load: with which changes, within which limits. `most_built` is for tests, which see the same either way.
struct Loading {
    std::vector<LinkChange> changes{};
    process::Limits limits{};
    std::uint64_t most_built = kMostHostsBuilt;
};

/// Loads `xml`; nothing where it has faults (platform_error with SimGrid's line, platform_limits, no_hosts,
/// bad_link, bad_xml_number, cost_too_large, no_route), or a change names no link (unknown_link); they are added to
/// `faults`.
std::optional<Platform> load_platform(const input::SourcePtr& xml, const PairsWanted& wanted, input::Faults& faults,
                                      const Loading& loading = {});

}  // namespace warpfront::machine
