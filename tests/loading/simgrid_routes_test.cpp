// The project's arithmetic for regular zones against SimGrid's routes: every pair's latency and links, link by link.
#include <type_traits>

#include "simulator/units/random.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

namespace {

struct BothWays {
    Routes ours;
    TableRoutes simgrids;
    std::vector<HostPair> pairs;
};

BothWays routed(const std::string& xml, const PairsWanted& wanted = every_pair) {
    const Workspace files;
    input::Diagnostics faults;
    const auto platform = load_platform(files.source("p.xml", xml), wanted, faults);
    faults.raise();
    REQUIRE(platform);
    REQUIRE(!platform->pairs.empty());
    BothWays both;
    both.pairs = platform->pairs;
    both.ours.links_in_L = 0;
    REQUIRE_FALSE(is_irregular(platform->zone));
    both.ours.zone = platform->zone;
    both.simgrids = platform->table;
    return both;
}

std::size_t differing_pairs(const std::string& xml, const PairsWanted& wanted = every_pair) {
    const BothWays both = routed(xml, wanted);
    std::size_t differing = 0;
    for (const auto [from, to] : both.pairs) {
        const TableRoutes::Entry& known = both.simgrids.at(from, to);
        if (both.ours.links(from, to) != known.links || both.ours.extra_latency(from, to) != known.latency) ++differing;
    }
    return differing;
}

/// Counts pairs whose route differs from SimGrid's. A link of this project must always be the same one of SimGrid's,
/// and the other way round, have its bandwidth, and a number below the count.
std::size_t pairs_over_other_links(const std::string& xml, const PairsWanted& wanted = every_pair) {
    const BothWays both = routed(xml, wanted);
    std::map<LinkId, LinkId> ours_to_simgrids;
    std::map<LinkId, LinkId> simgrids_to_ours;
    std::size_t differing = 0;
    for (const auto [from, to] : both.pairs) {
        std::vector<LinkId> ours;
        std::vector<LinkId> simgrids;
        both.ours.append_links(from, to, ours);
        both.simgrids.append_links(from, to, simgrids);
        bool same = ours.size() == simgrids.size();
        for (std::size_t k = 0; same && k < ours.size(); ++k) {
            same = ours_to_simgrids.emplace(ours[k], simgrids[k]).first->second == simgrids[k] &&
                   simgrids_to_ours.emplace(simgrids[k], ours[k]).first->second == ours[k] &&
                   both.ours.gap(ours[k]) == both.simgrids.gaps[simgrids[k].index] &&
                   ours[k].index < both.ours.link_count();
        }
        if (!same) ++differing;
    }
    return differing;
}

/// Returns twenty thousand pairs, selected by the counter-based generator.
std::vector<HostPair> sampled_pairs(const Platform& platform) {
    Random random(Seed{1}, Purpose::placement, 0, 0);
    std::vector<HostPair> pairs;
    while (pairs.size() < 20'000) {
        const HostPair pair{{static_cast<std::uint32_t>(random.below(platform.hosts))},
                            {static_cast<std::uint32_t>(random.below(platform.hosts))}};
        if (pair.from != pair.to) pairs.push_back(pair);
    }
    return pairs;
}

std::string cluster_of(const std::string& topology, const std::string& parameters, unsigned hosts,
                       const std::string& more) {
    return platform_xml(fmt::format(
        R"(<cluster id="c" prefix="n" suffix="" radical="0-{}" speed="1Gf" bw="6GBps" lat="50ns" topology="{}")"
        R"( topo_parameters="{}" {}/>)",
        hosts - 1, topology, parameters, more));
}

struct Shaped {
    std::string parameters;
    unsigned hosts;
    bool limitable = true;  // SimGrid gives two limiters one name if there are more switches than hosts
};
const std::vector<Shaped> kFatTrees{
    {"1;5;1;1", 5},         // one switch
    {"1;4;2;3", 4},         // two switches, three cables each
    {"2;4,4;1,2;1,2", 16},  // as in SimGrid's own example
    {"2;3,4;2,3;2,1", 12, false},
    {"2;4,3;2,2;3,2", 12},
    {"3;2,3,2;1,2,2;1,2,1", 12, false},
    {"3;3,2,4;2,3,2;2,1,3", 24, false},
    {"4;2,2,2,2;1,2,1,2;2,2,2,2", 16, false},
};
const std::vector<Shaped> kDragonflies{
    {"1,1;1,1;4,2;3", 12},  // one chassis
    {"1,1;3,2;2,1;2", 12},  // one group
    {"2,1;1,1;2,3;1", 4},  {"3,4;4,3;5,1;2", 120}, {"4,2;2,2;4,3;1", 32},
};
const std::vector<std::string> kLinks{
    R"(sharing_policy="SPLITDUPLEX")",
    R"(sharing_policy="SHARED")",
    R"(limiter_link="2GBps")",
    R"(sharing_policy="SHARED" limiter_link="2GBps" loopback_bw="1GBps" loopback_lat="1us")",
};

void check_all(const char* topology, const std::vector<Shaped>& shapes) {
    for (const Shaped& shape : shapes) {
        for (const std::string& links : kLinks) {
            INFO("shape.parameters ", shape.parameters, ", links ", links);
            if (!shape.limitable && links.find("limiter") != std::string::npos) continue;
            const std::string xml = cluster_of(topology, shape.parameters, shape.hosts, links);
            CHECK(differing_pairs(xml) == 0);
            CHECK(pairs_over_other_links(xml) == 0);
        }
    }
}

}  // namespace

TEST_CASE("torus routes are SimGrid's for every pair, link by link, also with both directions equally long") {
    check_all("TORUS", {{"4,3,2", 24}, {"8", 8}, {"5,5", 25}, {"6,4", 24}, {"2,1,3", 6}, {"3,2,4,2", 48}});
}

TEST_CASE("star routes are SimGrid's for every pair, link by link, over a backbone unless it has no contention") {
    const std::string backbone = R"(bb_bw="10GBps" bb_lat="30ns" )";
    std::vector<std::string> stars{star_xml(2), star_xml(7), star_xml(7, backbone + R"(bb_sharing_policy="FATPIPE")")};
    for (const std::string& links : kLinks) {
        stars.push_back(star_xml(7, links));
        stars.push_back(star_xml(7, backbone + links));
    }
    for (const std::string& xml : stars) {
        CAPTURE(xml);
        CHECK(pairs_over_other_links(xml) == 0);
        CHECK(differing_pairs(xml) == 0);
    }
}

TEST_CASE("fat-tree routes are SimGrid's for every pair, link by link") { check_all("FAT_TREE", kFatTrees); }

TEST_CASE("dragonfly routes are SimGrid's for every pair, link by link") { check_all("DRAGONFLY", kDragonflies); }

TEST_CASE("routes of middling fat trees and dragonflies are SimGrid's for sampled pairs") {
    for (const std::string& xml : {cluster_of("FAT_TREE", "3;16,12,10;8,6,3;2,1,2", 1920, kLinks[0]),
                                   cluster_of("FAT_TREE", "2;32,64;16,8;1,2", 2048, kLinks[2]),
                                   cluster_of("DRAGONFLY", "8,3;6,2;10,4;4", 1920, kLinks[0]),
                                   cluster_of("DRAGONFLY", "9,3;4,2;12,1;4", 1728, kLinks[2])}) {
        CHECK(differing_pairs(xml, sampled_pairs) == 0);
        CHECK(pairs_over_other_links(xml, sampled_pairs) == 0);
    }
}

// Platforms similar to SimGrid's own examples, one for each feature of an XML: each of them is a machine.

namespace {

struct Expected {
    const char* name;
    std::uint32_t hosts;
    std::uint32_t cores;
    std::uint32_t links;  // from the first host to the last
    Time latency;
};

constexpr Time us(std::int64_t count) { return {count * 1'000'000}; }

// the latency of a route is the sum over its links, limiters having none
const std::vector<Expected> kPlatforms{
    {"flat_backbone", 16, 1, 5, us(50 + 500 + 50)},  // limiter, up, backbone, down, limiter
    {"torus", 12, 1, 3, us(3 * 50)},                 // one step in each dimension
    {"fat_tree", 16, 1, 4, us(4 * 50)},
    // host, green to blade 2, blue, green to blade 4, black to chassis 2, host: 6 links and a limiter for each of 7
    {"dragonfly", 90, 2, 13, us(6 * 50)},
    {"full", 3, 4, 3, us(1 + 1 + 100)},
    {"floyd", 5, 1, 1, us(5)},
    {"dijkstra", 5, 1, 1, us(5)},
    {"dijkstracache", 5, 1, 1, us(5)},
    {"routers", 3, 1, 3, us(1 + 10 + 1)},
    {"nested", 16, 1, 8, us(4 + 1000 + 10 + 2)},  // through the tree, country, campus, backbone and down
    {"three_clusters", 12, 1, 4, us(1 + 10 + 20 + 1)},
    {"bypass", 3, 1, 1, us(7)},
    {"uneven", 2, 2, 1, us(1)},
};

std::filesystem::path file_of(const std::string& name) {
    return std::filesystem::path(WARPFRONT_SOURCE_DIR) / "tests/loading/platforms" / (name + ".xml");
}

}  // namespace

TEST_CASE("for every XML, hosts, cores, links and latencies are SimGrid's") {
    const PairsWanted ends = [](const Platform& platform) {
        return std::vector<HostPair>{{{0}, {platform.hosts - 1}}};
    };
    for (const Expected& expected : kPlatforms) {
        CAPTURE(expected.name);
        input::Diagnostics faults;
        const auto platform = load_platform(input::read_file(file_of(expected.name)), ends, faults);
        REQUIRE(faults.render() == "");
        CHECK(platform->hosts == expected.hosts);
        CHECK(platform->cores == expected.cores);
        REQUIRE(platform->pairs.size() == 1);
        CHECK(platform->route(0).links == expected.links);
        CHECK(platform->route(0).latency == expected.latency);
    }
}

TEST_CASE("every such platform is a machine for as many ranks as it has hosts") {
    const Workspace files;
    for (const auto& entry : std::filesystem::directory_iterator(file_of("").parent_path())) {
        CAPTURE(entry.path().string());
        const std::string row = "{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B";
        const auto yaml =
            files.write("m.yaml", fmt::format("name: m\nplatform: {}\nsize: exact\nlinks: {{}}\n"
                                              "layers:\n  chip: [{}}}]\n  network: [{}, holds: [links]}}]",
                                              entry.path().string(), row, row));
        const auto hosts = [&] {
            input::Diagnostics faults;
            return load_platform(input::read_file(entry.path()), no_pairs, faults).value().hosts;
        }();
        const MachineRequest request = request_for(yaml, {hosts, 1});
        const input::Diagnostics faults = faults_of([&] { CHECK(build(request).machine.hosts == hosts); });
        CHECK(faults.render() == "");
    }
}

}  // namespace warpfront::machine
