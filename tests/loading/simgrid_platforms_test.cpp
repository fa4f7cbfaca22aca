// Platforms in the spirit of SimGrid's own examples, one for each thing that an XML can say: every one is a machine.
#include <doctest/doctest.h>

#include "simulator/input/read_file.hpp"
#include "simulator/machine/loading/build.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

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
        MachineRequest request;
        request.hardware_file = yaml;
        request.grid = {hosts, 1};
        request.pairs = [&](const std::function<void(Rank, Rank)>& say) {
            for (std::uint32_t rank = 0; rank + 1 < hosts; ++rank) say({rank}, {rank + 1});
        };
        const input::Diagnostics faults = faults_of([&] { CHECK(build(request).machine.hosts == hosts); });
        CHECK(faults.render() == "");
    }
}

}  // namespace warpfront::machine
