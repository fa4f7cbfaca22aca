// The EPYC cluster that ships: its nodes core by core, its fat tree link by link, against arithmetic written out here.
#include <doctest/doctest.h>

#include <filesystem>

#include "simulator/machine/loading/build.hpp"

namespace warpfront::machine {

namespace {

constexpr std::uint32_t kHosts = 800;
constexpr std::uint32_t kLeafHosts = 20;

/// Two nodes in a row, a rank on each of their 64 cores.
Machine epyc() {
    MachineRequest request;
    request.hardware_file = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms" / "epyc.yaml";
    request.grid = {128, 1};
    request.patch = {64, 1};
    request.pairs = [](const std::function<void(Rank, Rank)>&) {};
    return build(request).machine;
}

/// Links are numbered from the hosts up: 800 of hosts, then 20 of each leaf; twice that, and one more downwards.
std::uint32_t up_of_host(std::uint32_t host) { return 2 * host; }
std::uint32_t up_of_leaf(std::uint32_t leaf, std::uint32_t port) { return 2 * (kHosts + leaf * kLeafHosts + port); }

/// To another leaf by the switch above that the destination selects: D-mod-k.
std::vector<LinkId> route(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t from_leaf = from / kLeafHosts;
    const std::uint32_t to_leaf = to / kLeafHosts;
    if (from_leaf == to_leaf) return {{up_of_host(from)}, {up_of_host(to) + 1}};
    const std::uint32_t above = to % kLeafHosts;
    return {{up_of_host(from)}, {up_of_leaf(from_leaf, above)}, {up_of_leaf(to_leaf, above) + 1}, {up_of_host(to) + 1}};
}

}  // namespace

TEST_SUITE("EPYC cluster") {
    TEST_CASE("four cores share a complex, eight a die, 32 a socket, 64 a node") {
        const Machine machine = epyc();
        const auto locality = [&](std::uint32_t a, std::uint32_t b) { return machine.locality({a}, {b}).index; };
        for (std::uint32_t core = 1; core < 128; ++core) {
            const unsigned expected = core < 4 ? 0 : core < 8 ? 1 : core < 32 ? 2 : core < 64 ? 3 : 4;
            CAPTURE(core);
            CHECK(locality(0, core) == expected);
        }
        CHECK(locality(3, 4) == 1);
        CHECK(locality(7, 8) == 2);
        CHECK(locality(31, 32) == 3);
    }

    TEST_CASE("a node has 16 memory channels, one NIC, and memory bandwidth that is not shared unless wanted") {
        const Machine machine = epyc();
        CHECK(machine.cores == 64);
        CHECK(machine.bus.value().count == 16);
        CHECK(cost_of(Bytes{25'600}, machine.bus->G_dma) == Time{1'000'000});  // 25.6 GB/s
        CHECK(machine.nic.value().count == 1);
        CHECK_FALSE(machine.memory);
    }

    TEST_CASE("every route crosses the links that D-mod-k says, and adds 130 ns for each link beyond two") {
        const Machine machine = epyc();
        REQUIRE(machine.routes.link_count() == 2 * 2 * kHosts);
        std::vector<LinkId> links;
        std::uint64_t wrong = 0;
        for (std::uint32_t from = 0; from < kHosts; ++from) {
            for (std::uint32_t to = 0; to < kHosts; ++to) {
                if (from == to) continue;
                links.clear();
                machine.routes.append_links(Host{from}, Host{to}, links);
                const bool same_leaf = from / kLeafHosts == to / kLeafHosts;
                const Time beyond{same_leaf ? 0 : 2 * 130'000};
                if (links != route(from, to) || machine.routes.extra_latency(Host{from}, Host{to}) != beyond) ++wrong;
            }
        }
        CHECK(wrong == 0);
    }

    TEST_CASE("every link carries 25 GB/s each way") {
        const Machine machine = epyc();
        for (std::uint32_t link = 0; link < machine.routes.link_count(); ++link) {
            REQUIRE(cost_of(Bytes{25'000}, machine.routes.gap({link})) == Time{1'000'000});
        }
    }
}

}  // namespace warpfront::machine
