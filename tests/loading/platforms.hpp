// Platforms for tests: XML of one cluster, and loaded platforms with routes between their hosts.
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/platform_loader.hpp"
#include "tests/texts.hpp"

namespace warpfront::machine {

using test::platform_xml;

inline std::string torus_xml(const std::string& dimensions, unsigned hosts) {
    return platform_xml(
        fmt::format(R"(<cluster id="t" prefix="n" suffix="" radical="0-{}" speed="1Gf" core="2" bw="6GBps" lat="50ns")"
                    R"( topology="TORUS" topo_parameters="{}"/>)",
                    hosts - 1, dimensions));
}
inline std::string star_xml(unsigned hosts, const std::string& more = "") {
    return platform_xml(fmt::format(
        R"(<cluster id="s" prefix="n" suffix="" radical="0-{}" speed="1Gf" core="4" bw="1GBps" lat="100ns" {}/>)",
        hosts - 1, more));
}

inline std::string fat_tree_xml(const std::string& parameters, unsigned hosts, const std::string& more = "") {
    return platform_xml(
        fmt::format(R"(<cluster id="f" prefix="n" suffix="" radical="0-{}" speed="1Gf" core="2" bw="6GBps" lat="50ns")"
                    R"( topology="FAT_TREE" topo_parameters="{}" {}/>)",
                    hosts - 1, parameters, more));
}
inline std::string dragonfly_xml(const std::string& parameters, unsigned hosts, const std::string& more = "") {
    return platform_xml(
        fmt::format(R"(<cluster id="d" prefix="n" suffix="" radical="0-{}" speed="1Gf" core="2" bw="6GBps" lat="50ns")"
                    R"( topology="DRAGONFLY" topo_parameters="{}" {}/>)",
                    hosts - 1, parameters, more));
}

/// A platform and the routes between pairs of its hosts.
struct RoutedPlatform : Platform {
    std::vector<HostPair> pairs;
    TableRoutes table;

    const TableRoutes::Entry& route(std::size_t pair) const { return table.at(pairs[pair].from, pairs[pair].to); }
};

using PairsWanted = std::function<std::vector<HostPair>(const Platform&)>;

inline std::optional<RoutedPlatform> load_platform(const input::SourceFilePtr& xml, const PairsWanted& wanted,
                                                   input::Diagnostics& faults, const LoadingOptions& options = {}) {
    PlatformLoader loader(xml, options);
    const auto loaded = loader.load(faults);
    if (!loaded) return std::nullopt;
    RoutedPlatform platform{*loaded, wanted(*loaded), {}};
    const auto table = loader.route(platform.pairs, faults);
    if (!table) return std::nullopt;
    platform.table = *table;
    return platform;
}

inline std::vector<HostPair> no_pairs(const Platform&) { return {}; }
inline std::vector<HostPair> every_pair(const Platform& platform) {
    std::vector<HostPair> pairs;
    for (std::uint32_t from = 0; from < platform.hosts; ++from) {
        for (std::uint32_t to = 0; to < platform.hosts; ++to) {
            if (from != to) pairs.push_back({{from}, {to}});
        }
    }
    return pairs;
}

}  // namespace warpfront::machine
