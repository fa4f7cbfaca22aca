// The Slingshot dragonfly that ships: its figures against each other, its routes against arithmetic written out here.
#include <doctest/doctest.h>

#include <filesystem>

#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/topology_metrics.hpp"

namespace warpfront::machine {

namespace {

constexpr std::uint32_t kGroupHosts = 32 * 16;

/// So many nodes, a rank on each.
Machine slingshot(std::uint32_t nodes) {
    MachineRequest request;
    request.hardware_file = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms" / "slingshot.yaml";
    request.grid = {nodes, 1};
    request.pairs = [](const std::function<void(Rank, Rank)>&) {};
    return build(request).machine;
}

}  // namespace

TEST_SUITE("Slingshot dragonfly") {
    TEST_CASE("a switch has 64 ports: 16 to hosts, 31 within the group, 17 to other groups") {
        const Machine machine = slingshot(16);
        const auto& dragonfly = std::get<DragonflyRoutes>(machine.routes.zone);
        CHECK(dragonfly.nodes + (dragonfly.blades - 1) + dragonfly.global == 64);
        CHECK(machine.routes.routing == Routing::adaptive);
        CHECK(machine.hosts == 8 * kGroupHosts);
    }

    TEST_CASE("eight groups use 539 of the 544 ports of each") {
        // 544 / 7 = 77 links between two groups, 539 in all; 7 * 77 * 8 / 2 both ways
        const Machine machine = slingshot(16);
        CHECK(std::get<DragonflyRoutes>(machine.routes.zone).blue_per_pair() == 77);
        CHECK(topology_metrics(machine).links == 8 * (2 * kGroupHosts + 32 * 31 + 539));
        CHECK(topology_metrics(machine).diameter == 5);
    }

    TEST_CASE("it grows to 545 groups of one link each pair, 279,040 hosts; beyond, by chassis") {
        const Machine largest = slingshot(545 * kGroupHosts);
        CHECK(largest.hosts == 279'040);
        CHECK(std::get<DragonflyRoutes>(largest.routes.zone).blue_per_pair() == 1);
        CHECK(std::get<DragonflyRoutes>(slingshot(545 * kGroupHosts + 1).routes.zone).chassis == 2);
    }

    TEST_CASE("between groups a route adds the latency of up to three links to that of the hosts' links, in L") {
        const Machine machine = slingshot(16);
        // switch 0 of group 0 has ports 0 to 16, which lead to groups 1 to 7, twice around and to 1, 2, 3: its own
        // links. Port 0 enters group 1 at port (8 - 1) - 1 = 6: switch 0
        CHECK(machine.routes.extra_latency(Host{0}, Host{15}) == Time{0});
        CHECK(machine.routes.extra_latency(Host{0}, Host{16}) == Time{350'000});
        CHECK(machine.routes.extra_latency(Host{0}, Host{kGroupHosts}) == Time{350'000});
        CHECK(machine.routes.extra_latency(Host{0}, Host{kGroupHosts + 16 * 31}) == Time{2 * 350'000});
    }
}

}  // namespace warpfront::machine
