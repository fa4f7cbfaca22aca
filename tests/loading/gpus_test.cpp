// The GPU cluster that ships: its cables, fat tree and bisection, link by link, against arithmetic written out here.
#include <doctest/doctest.h>

#include <filesystem>

#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/topology_metrics.hpp"

namespace warpfront::machine {

namespace {

constexpr std::uint32_t kNodes = 2048;
constexpr std::uint32_t kGpus = 4;               // of a node, with a NIC each
constexpr std::uint32_t kLeafNics = 16 * kGpus;  // 16 nodes to a leaf
constexpr std::uint32_t kSpines = 32;            // half as many cables up

/// A rank on every GPU, four to a node.
Machine gpus() {
    MachineRequest request;
    request.hardware_file = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms" / "gpus.yaml";
    request.grid = {128, 64};
    request.patch = {2, 2};
    request.placement.rule = PlacementRule::linear;
    request.pairs = [](const std::function<void(Rank, Rank)>&) {};
    return build(request).machine;
}

/// Links are numbered from the hosts up: cables of 8,192 NICs, then 32 of each leaf; twice that, one more downwards.
std::uint32_t up_of_nic(std::uint32_t nic) { return 2 * nic; }
std::uint32_t up_of_gpu_leaf(std::uint32_t leaf, std::uint32_t spine) {
    return 2 * (kNodes * kGpus + leaf * kSpines + spine);
}

/// To another leaf over the spine that the destination's NIC selects: D-mod-k.
std::vector<LinkId> expected(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t from_leaf = from / kLeafNics;
    const std::uint32_t to_leaf = to / kLeafNics;
    if (from_leaf == to_leaf) return {{up_of_nic(from)}, {up_of_nic(to) + 1}};
    const std::uint32_t spine = to % kSpines;
    return {{up_of_nic(from)},
            {up_of_gpu_leaf(from_leaf, spine)},
            {up_of_gpu_leaf(to_leaf, spine) + 1},
            {up_of_nic(to) + 1}};
}

}  // namespace

TEST_SUITE("GPU cluster") {
    TEST_CASE("each of the four ranks of a node has a GPU, a NIC and a cable of 25 GB/s") {
        const Machine machine = gpus();
        CHECK(machine.hosts == kNodes);
        CHECK(machine.nic.value().count == kGpus);
        // ranks 0 and 1 are in the upper row of the first patch, 128 and 129 in the lower
        for (const auto& [rank, nic] : {std::pair{0U, 0U}, {1U, 1U}, {128U, 2U}, {129U, 3U}}) {
            CHECK(machine.nic_of({rank}).host == Host{0});
            CHECK(machine.nic_of({rank}).nic == nic);
        }
        CHECK(machine.locality({0}, {129}).index == 1);  // GPUs of one node
        CHECK(host_cables(machine)->count == kGpus);
        CHECK(host_cables(machine)->together.bytes_per_second == doctest::Approx(100e9));
    }

    TEST_CASE("every route crosses the links that D-mod-k says, and adds 200 ns for each link beyond two") {
        const Machine machine = gpus();
        std::vector<LinkId> links;
        std::uint64_t wrong = 0;
        for (std::uint32_t from = 0; from < kNodes * kGpus; from += 61) {
            for (std::uint32_t to = 0; to < kNodes * kGpus; ++to) {
                if (from / kGpus == to / kGpus) continue;
                const HostNic a{Host{from / kGpus}, from % kGpus};
                const HostNic b{Host{to / kGpus}, to % kGpus};
                links.clear();
                machine.routes.append_links(a, b, links);
                const Time beyond{from / kLeafNics == to / kLeafNics ? 0 : 2 * 200'000};
                if (links != expected(from, to) || machine.routes.extra_latency(a, b) != beyond) ++wrong;
            }
        }
        CHECK(wrong == 0);
    }

    TEST_CASE("half of the links lead up at the leaves: 4,096 of 25 GB/s, 51.2 TB/s between two halves") {
        const Machine machine = gpus();
        REQUIRE(machine.routes.link_count() == 2 * (8192 + 4096));
        for (std::uint32_t link = 0; link < machine.routes.link_count(); ++link) {
            REQUIRE(cost_of(Bytes{25'000}, machine.routes.gap({link})) == Time{1'000'000});
        }
        const TopologyMetrics metrics = topology_metrics(machine);
        CHECK(metrics.links == 2 * (8192 + 4096));
        CHECK(metrics.bisection.value().kind == Bisection::Kind::exact);
        CHECK(metrics.bisection->bandwidth.bytes_per_second == doctest::Approx(4096 / 2 * 25e9));
    }
}

}  // namespace warpfront::machine
