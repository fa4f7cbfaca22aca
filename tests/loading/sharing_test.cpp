// Shared resources of a machine (groups of cores, NICs, links), and placements that the user selects.
#include "simulator/machine/placement/rules.hpp"
#include "simulator/machine/topology_metrics.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::sharing_test {

namespace {

const std::filesystem::path kPlatforms = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms";
const std::string kRow = "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";

std::string hardware(const std::string& size, const std::string& more = "") {
    return fmt::format("name: m\nplatform: p.xml\nsize: {}\n{}layers:\n  chip:\n{}  network:\n{}", size, more, kRow,
                       kRow);
}

struct Asked {
    RankGrid grid;
    PlacementRequest placement{};
    std::string ranks{};  // of a rank file
};

/// Builds a machine whose ranks exchange messages with their east neighbours.
Machine built(const std::string& yaml, const std::string& xml, const Asked& asked) {
    const Workspace files;
    files.write("p.xml", xml);
    MachineRequest request = request_for(files.write("m.yaml", yaml), asked.grid);
    request.placement = asked.placement;
    if (asked.placement.rule == PlacementRule::file) request.placement.rank_file = files.write("r.txt", asked.ranks);
    return build(request).machine;
}
Diagnostics refused(const std::string& yaml, const std::string& xml, const Asked& asked) {
    return faults_of([&] { built(yaml, xml, asked); });
}

PlacementRequest placed(PlacementRule rule, Seed seed = {}, Share share = {}) {
    return {.rule = rule, .seed = seed, .fragmentation = share, .rank_file = {}, .range = {}};
}

Machine shipped_square(const std::string& name) { return build(request_for_shipped(name, {16, 16})).machine; }

/// Returns five hosts in a row, with a link between neighbours.
std::string chain() {
    std::string body = "<zone id=\"w\" routing=\"Floyd\">";
    for (int k = 0; k < 5; ++k) body += fmt::format("<host id=\"h{}\" speed=\"1Gf\" core=\"2\"/>", k);
    for (int k = 0; k < 4; ++k) {
        body += fmt::format("<link id=\"l{}\" bandwidth=\"{}GBps\" latency=\"1us\"{}/>", k, k + 1,
                            k == 2 ? " sharing_policy=\"FATPIPE\"" : "");
    }
    for (int k = 0; k < 4; ++k) {
        body += fmt::format("<route src=\"h{}\" dst=\"h{}\"><link_ctn id=\"l{}\"/></route>", k, k + 1, k);
    }
    return platform_xml(body + "</zone>");
}

}  // namespace

TEST_CASE("a torus' links have the bandwidth of its platform") {
    const Machine machine = built(hardware("exact", "links: {enabled: on}\n"), torus_xml("4,3,2", 24), {{4, 3}});
    REQUIRE(machine.links);
    CHECK(machine.routes.link_count() == 24 * 6);
    CHECK(cost_of(Bytes{6000}, machine.routes.gap(LinkId{0})) == Time{1'000'000});  // 6000 B / 6 GB/s
}

TEST_CASE("links grow with their machine") {
    const Machine star = built(hardware("fit"), star_xml(4), {{10, 10}});
    CHECK(star.routes.link_count() == 2 * 100);
    const Machine torus = built(hardware("fit"), torus_xml("4,3,2", 24), {{16, 16}});
    CHECK(torus.routes.link_count() == 6 * torus.hosts);
}

TEST_CASE("on any other platform messages wait for the links in use that have contention, and a FATPIPE limits them") {
    const Machine machine = built(hardware("exact"), chain(), {{5, 1}});
    CHECK(topology_metrics(machine).links == 3);  // l2 is a FATPIPE
    CHECK(link_name(machine.routes, *machine.routes.slowest_link(Host{2}, Host{3})) == "l2");
    std::vector<LinkId> links;
    machine.routes.append_links(Host{1}, Host{2}, links);
    REQUIRE(links.size() == 1);
    CHECK(cost_of(Bytes{2000}, machine.routes.gap(links[0])) == Time{1'000'000});  // l1: 2 GB/s
    machine.routes.append_links(Host{2}, Host{3}, links);
    CHECK(links.size() == 1);
    CHECK(machine.routes.links(Host{2}, Host{3}) == 1);
}

TEST_CASE("the hardware file may state the number of cores of a node, and a note reports it") {
    const Machine machine = built(hardware("fit", "cores: 16\ngroups: 4\n"), torus_xml("4,3,2", 24), {{4, 3}});
    CHECK(machine.cores == 16);
    CHECK(machine.notes ==
          std::vector<std::string>{"a node has 16 cores, which the hardware file states; the platform states 2"});
}

TEST_CASE("cores that groups or buses cannot share evenly are a fault") {
    CHECK(summary_of(only(refused(hardware("fit", "groups: 3\n"), star_xml(4), {{2, 2}}), uneven_groups)) ==
          "m.yaml:4:9 uneven_groups [3] 4 cores cannot be divided evenly among 3 groups | expected a divisor of the "
          "cores of a host");
    CHECK(only(refused(hardware("fit", "bus: {o_dma: 1us, G_dma: 1ns/B, count: 3}\n"), star_xml(4), {{2, 2}}),
               uneven_groups)
              .message == "4 cores cannot be divided evenly among 3 buses");
}

TEST_CASE("a random placement is noted") {
    const Machine machine =
        built(hardware("fit"), torus_xml("4,3,2", 24), {{4, 3}, placed(PlacementRule::random, {7})});
    std::vector<Host> order = random_order(24, {7}, Purpose::placement);
    order.resize(12);
    CHECK(machine.placement.host_of == order);
    CHECK(machine.notes == std::vector<std::string>{"the nodes are placed on hosts in a random order (seed 7)"});
}

TEST_CASE("a fragmented torus grows until its free hosts suffice") {
    const Machine machine =
        built(hardware("fit"), torus_xml("4,3,2", 24), {{6, 4}, placed(PlacementRule::block, {1}, {0.25})});
    CHECK(count_free_hosts(machine.hosts, {0.25}) >= 24);
    const std::vector<bool> taken = taken_hosts(machine.hosts, {0.25}, {1});
    CHECK(std::none_of(machine.placement.host_of.begin(), machine.placement.host_of.end(),
                       [&](Host host) { return taken[host.index]; }));
    REQUIRE(machine.notes.size() >= 2);
    CHECK(machine.notes[1] == fmt::format("other jobs occupy {} of {} hosts (fragmentation 0.25, seed 1)",
                                          machine.hosts / 4, machine.hosts));
}

TEST_CASE("a fragmented cluster grows by hosts: 10 free ones beside as many taken are 20") {
    CHECK(built(hardware("fit"), star_xml(4), {{10, 1}, placed(PlacementRule::linear, {1}, {0.5})}).hosts == 20);
}

TEST_CASE("a fragmented machine that may not grow has too few hosts") {
    const Diagnostics faults =
        refused(hardware("exact"), star_xml(12), {{10, 1}, placed(PlacementRule::linear, {1}, {0.5})});
    CHECK(only(faults, too_few_hosts).message ==
          "10 x 1 ranks in patches of 1 x 1 need 10 nodes, but `m` has 6 free of 12");
}

TEST_CASE("a share that leaves next to nothing free is a fault before anything grows") {
    const Diagnostics faults =
        refused(hardware("fit"), star_xml(4), {{10, 1}, placed(PlacementRule::linear, {1}, {0.9999999999999999})});
    CHECK(only(faults, too_many_nodes).message ==
          "a machine with 10 free nodes has more than 67108864 nodes, which is the limit");
}

TEST_CASE("nodes are placed as in a rank file") {
    const Machine machine = built(hardware("exact"), star_xml(6), {{3, 1}, placed(PlacementRule::file), "5\n3\n4\n"});
    CHECK(machine.placement.host_of == std::vector<Host>{{5}, {3}, {4}});
    REQUIRE(machine.notes.size() == 1);
    CHECK(machine.notes[0].find("r.txt` lists") != std::string::npos);
}

TEST_CASE("faults of a rank file are reported with those of the machine") {
    const Diagnostics faults =
        refused(hardware("exact", "groups: 3\n"), star_xml(6), {{3, 1}, placed(PlacementRule::file), "x\n"});
    CHECK(only(faults, uneven_groups).range.source->name().ends_with("m.yaml"));
    CHECK(only(faults, bad_number).range.source->name().ends_with("r.txt"));
    const Diagnostics twice =
        refused(hardware("exact"), star_xml(6), {{3, 1}, placed(PlacementRule::file), "1\n1\n2\n"});
    CHECK(only(twice, host_taken_twice).range.source->name().ends_with("r.txt"));
}

TEST_CASE("routes are SimGrid's between the hosts on which the ranks are placed") {
    // ranks 0, 1, 2 on hosts 4, 0, 2: routes of 4 and 2 links of 1 us, 1 within L
    const Machine listed = built(hardware("exact"), chain(), {{3, 1}, placed(PlacementRule::file), "4\n0\n2\n"});
    CHECK(listed.extra_latency(Rank{0}, Rank{1}) == Time{3'000'000});
    CHECK(listed.extra_latency(Rank{1}, Rank{2}) == Time{1'000'000});
    const Machine random = built(hardware("exact"), chain(), {{4, 1}, placed(PlacementRule::random, {2}, {0.2})});
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        const auto a = static_cast<std::int64_t>(random.host_of(Rank{rank}).index);
        const auto b = static_cast<std::int64_t>(random.host_of(Rank{rank + 1}).index);
        CHECK(random.extra_latency(Rank{rank}, Rank{rank + 1}) == Time{1'000'000} * (std::abs(a - b) - 1));
    }
}

TEST_CASE("the Cray machines share bus, NIC and links, all of a link's sustained bandwidth") {
    for (const auto& [name, bytes] : {std::pair{"xt4.yaml", 6000}, {"xt3.yaml", 4000}}) {
        CAPTURE(name);
        const Machine machine = shipped_square(name);
        const ProfileRow& row = row_for(machine.profile(machine.network()), Bytes{1});
        CHECK(row.holds_bus);
        CHECK(row.holds_nic);
        CHECK(row.holds_links);
        REQUIRE(machine.nic);
        REQUIRE(machine.links);
        CHECK(cost_of(Bytes{bytes}, machine.nic->injection) == Time{1'000'000});
        CHECK(cost_of(Bytes{bytes}, machine.nic->ejection) == Time{1'000'000});
        CHECK(cost_of(Bytes{bytes}, machine.routes.gap(LinkId{0})) == Time{1'000'000});
    }
}

TEST_CASE("the InfiniBand cluster shares NICs of 1 GB/s and nothing else") {
    const Machine cluster = shipped_square("infiniband.yaml");
    const ProfileRow& row = row_for(cluster.profile(cluster.network()), Bytes{1});
    CHECK(row.holds_nic);
    CHECK_FALSE(row.holds_bus);
    CHECK_FALSE(row.holds_links);
    CHECK(cost_of(Bytes{1000}, cluster.nic.value().injection) == Time{1'000'000});
}

TEST_CASE("the XT4s with more cores differ from the XT4 in cores and groups alone") {
    const Machine xt4 = shipped_square("xt4.yaml");
    struct Variant {
        const char* name;
        std::uint32_t cores;
        std::uint32_t groups;
    };
    for (const Variant& variant : {Variant{"xt4-quad.yaml", 4, 1},
                                   {"xt4-8core.yaml", 8, 1},
                                   {"xt4-16core.yaml", 16, 1},
                                   {"xt4-16core-grouped.yaml", 16, 4}}) {
        CAPTURE(variant.name);
        const Machine machine = shipped_square(variant.name);
        CHECK(machine.cores == variant.cores);
        CHECK(machine.bus.value().count == variant.groups);
        CHECK(machine.nic.value().count == variant.groups);
        CHECK(machine.bus.value().o_dma == xt4.bus.value().o_dma);
        CHECK(machine.hosts == xt4.hosts);
    }
}

TEST_CASE("sixteen cores in four groups: each has a patch of 2 x 2 ranks on its own bus, as a node of four cores has") {
    const Machine grouped = build(request_for_shipped("xt4-16core-grouped.yaml", {8, 8}, {4, 4})).machine;
    CHECK(grouped.placement.cores == std::vector<std::uint32_t>{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
    CHECK(grouped.placement.core_of(Rank{2}) / grouped.cores_of_each(grouped.bus.value().count) == 1);
}

}  // namespace warpfront::machine::sharing_test
