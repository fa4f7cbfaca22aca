
#include "simulator/input/yaml.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::machine_test {

namespace {

const std::filesystem::path kPlatforms = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms";
const std::string kRow = "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}\n";
const std::string kChip = "  chip:\n" + kRow;
const std::string kNode = "  node:\n" + kRow;
const std::string kNetwork = "  network:\n" + kRow;

std::string hardware(const std::string& size, const std::string& layers, int chips = 1) {
    return fmt::format("name: m\nplatform: p.xml\nsize: {}\nchips: {}\nlayers:\n{}", size, chips, layers);
}

Machine built(const std::string& yaml, const std::string& xml, RankGrid grid, Patch patch = {1, 1}) {
    const Workspace files;
    files.write("p.xml", xml);
    return build(request_for(files.write("m.yaml", yaml), grid, patch)).machine;
}
Diagnostics refused(const std::string& yaml, const std::string& xml, RankGrid grid, Patch patch = {1, 1}) {
    return faults_of([&] { built(yaml, xml, grid, patch); });
}

/// Three hosts in a row; a and c are joined through b's links.
const std::string kChain = platform_xml(R"(<zone id="w" routing="Full"><host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
<link id="ab" bandwidth="1GBps" latency="1us"/><link id="bc" bandwidth="1GBps" latency="3us"/>
<route src="a" dst="b"><link_ctn id="ab"/></route><route src="b" dst="c"><link_ctn id="bc"/></route></zone>)");

}  // namespace

TEST_CASE("ranks on one chip, on one node and apart have three localities") {
    // 4 cores, 2 chips, patch 2 x 2: the upper two ranks share a chip, the lower two the other
    const Machine machine = built(hardware("fit", kChip + kNode + kNetwork, 2), star_xml(4), {4, 2}, {2, 2});
    const RankGrid grid = machine.placement.grid;
    CHECK(machine.locality(grid.at(1, 1), grid.at(2, 1)) == Locality{0});
    CHECK(machine.locality(grid.at(1, 1), grid.at(1, 2)) == Locality{1});
    CHECK(machine.locality(grid.at(2, 1), grid.at(3, 1)) == machine.network());
}

TEST_CASE("a node divides into as many kinds of parts as the file states, each a separate locality") {
    // 8 cores, 4 complexes of two cores, 2 dies of two complexes; a patch of 8 x 1, so core = column - 1
    const std::string parts = "cores: 8\nparts: {complex: 4, die: 2}\n";
    const std::string row = "{protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}";
    std::string layers;
    for (const char* name : {"complex", "die", "node"}) layers += fmt::format("  {}:\n    - {}\n", name, row);
    const std::string file =
        fmt::format("name: m\nplatform: p.xml\nsize: fit\n{}layers:\n{}{}", parts, layers, kNetwork);
    const Machine machine = built(file, star_xml(8), {16, 1}, {8, 1});
    const auto locality = [&](std::uint32_t a, std::uint32_t b) { return machine.locality({a}, {b}).index; };
    CHECK(locality(0, 1) == 0);  // one complex
    CHECK(locality(1, 2) == 1);  // one die
    CHECK(locality(3, 4) == 2);  // one node
    CHECK(locality(7, 8) == 3);  // the network
    CHECK(machine.network().index == 3);
}

TEST_CASE("on a torus, patches that are neighbours have no latency beyond L") {
    const Machine machine = built(hardware("exact", kChip + kNetwork), torus_xml("4,3,2", 24), {8, 3}, {2, 1});
    CHECK(machine.hosts == 24);
    CHECK(machine.extra_latency(machine.placement.grid.at(2, 1), machine.placement.grid.at(3, 1)) == Time{0});
    CHECK(machine.extra_latency(machine.placement.grid.at(2, 1), machine.placement.grid.at(2, 2)) == Time{0});
}

TEST_CASE("linear placement puts patch k on host k") {
    const Workspace files;
    files.write("p.xml", torus_xml("4,3,2", 24));
    MachineRequest wanted = request_for(files.write("m.yaml", hardware("exact", kChip + kNetwork)), {6, 4});
    wanted.placement.rule = PlacementRule::linear;
    const Machine machine = build(wanted).machine;
    CHECK(machine.placement.host_of[7] == Host{7});
    // rank (1,1) on host 0, (1,2) on host 6 = 2 + 4*1: 2 + 1 links, one of them within L
    CHECK(machine.extra_latency(machine.placement.grid.at(1, 1), machine.placement.grid.at(1, 2)) == Time{2 * 50'000});
}

TEST_CASE("machines on the same hardware, also with other overrides, read its files once") {
    const Workspace files;
    files.write("base.yaml", hardware("exact", kNetwork));
    const auto edges = files.write("net.edges", "a b\nb c\n");
    const auto file = files.write(
        "m.yaml",
        "like: base.yaml\ncores: 1\ntopology: {kind: graph, file: net.edges, bandwidth: 1GBps, latency: 1us}\n");
    const HardwareTree tree = read_hardware_tree(file);
    Hardware published(tree);
    const MachineRequest request = request_for(file, {3, 1});
    CHECK(place(published, request).machine.hosts == 3);
    for (const auto& each : {file, file.parent_path() / "base.yaml", edges}) std::filesystem::remove(each);
    CHECK(place(published, request).machine.hosts == 3);
    HardwareOverrides overrides;
    Diagnostics none;
    overrides.tree = input::parse_yaml(files.source("o.yaml", "name: changed\n"), none);
    Hardware changed(tree, overrides);
    const BuiltMachine built = place(changed, request);
    CHECK(built.machine.name == "changed");
    CHECK(built.sources.size() == 3);
}

TEST_CASE("on any other platform SimGrid's routes are tabulated") {
    const Machine machine = built(hardware("exact", kNetwork), kChain, {3, 1});
    CHECK(machine.routes.links(Host{1}, Host{2}) == 1);
    CHECK(std::get<TableRoutes>(machine.routes.zone).at(Host{2}, Host{1}).latency == Time{3'000'000});
}

TEST_CASE("a torus too small grows if permitted, with a note") {
    const Machine machine = built(hardware("fit", kChip + kNetwork), torus_xml("4,3,2", 24), {16, 16});
    CHECK(machine.hosts_before_growth == 24);
    CHECK(machine.hosts >= 256);
    REQUIRE(machine.notes.size() == 1);
    CHECK(machine.notes[0].find("the torus 4 x 3 x 2 of 24 nodes was grown to ") == 0);
    CHECK(machine.notes[0].find("for 256 nodes in use") != std::string::npos);
}

TEST_CASE("a flat cluster grows by hosts") {
    const Machine machine = built(hardware("fit", kChip + kNetwork), star_xml(4), {10, 10});
    CHECK(machine.hosts == 100);
    CHECK(machine.hosts_before_growth == 4);
    CHECK(machine.placement.host_of.back() == Host{99});
}

TEST_CASE("a fat tree grows by subtrees of its top switches") {
    // 4 x 4 hosts; 100 nodes need 25 subtrees of 4
    const Machine machine = built(hardware("fit", kChip + kNetwork), fat_tree_xml("2;4,4;1,2;1,2", 16), {10, 10});
    CHECK(machine.hosts == 100);
    CHECK(std::get<FatTreeRoutes>(machine.routes.zone).children == std::vector<std::uint32_t>{4, 25});
    CHECK(machine.notes == std::vector<std::string>{"the fat tree 4 x 4 of 16 nodes was grown to 4 x 25 of 100"});
}

TEST_CASE("a dragonfly grows by groups while a chassis has blades for them, then by chassis") {
    const auto grown = [](RankGrid grid) {
        return built(hardware("fit", kChip + kNetwork), dragonfly_xml("3,4;4,3;5,1;2", 120), grid).notes.at(0);
    };
    // a group has 4 * 5 * 2 = 40 hosts, a chassis 10
    CHECK(grown({130, 1}) ==
          "the dragonfly 3 groups x 4 chassis x 5 blades x 2 of 120 nodes was grown to "
          "4 groups x 4 chassis x 5 blades x 2 of 160");
    CHECK(grown({201, 1}) ==
          "the dragonfly 3 groups x 4 chassis x 5 blades x 2 of 120 nodes was grown to "
          "5 groups x 5 chassis x 5 blades x 2 of 250");
}

TEST_CASE("growth to more links than can be numbered is a fault") {
    // each of 2^26 hosts has 64 links, up and down
    const std::string xml = fat_tree_xml("1;64;64;1", 64);
    CHECK(only(refused(hardware("fit", kChip + kNetwork), xml, {8192, 8192}), too_many_nodes).message ==
          "a network that is large enough for these ranks has 8589934592 links");
}

TEST_CASE("patches that do not divide the ranks are noted") {
    const Machine machine = built(hardware("fit", kChip + kNetwork), star_xml(4), {5, 1}, {2, 1});
    REQUIRE(machine.notes.size() == 1);
    CHECK(machine.notes[0].find("patches of 2 x 1 do not divide the process grid of 5 x 1") == 0);
}

TEST_CASE("the files read are listed, for the result's context") {
    const auto sources = build(request_for_shipped("xt4.yaml", {2, 2})).sources;
    REQUIRE(sources.size() == 2);
    CHECK(sources[0]->name().ends_with("xt4.yaml"));
    CHECK(sources[1]->name().ends_with("xt4.xml"));
}

TEST_CASE("ranks that do not fit an exact machine are a fault") {
    const Diagnostics faults = refused(hardware("exact", kChip + kNetwork), star_xml(4), {10, 1}, {2, 1});
    const Diagnostic fault = only(faults, too_few_hosts);
    CHECK(fault.message == "10 x 1 ranks in patches of 2 x 1 need 5 nodes, but `m` has 4");
}

TEST_CASE("a platform that is no single cluster cannot grow") {
    const Diagnostic fault = only(refused(hardware("fit", kNetwork), kChain, {4, 1}), cannot_grow);
    CHECK(marked(fault) == "fit");
}

TEST_CASE("a patch of one rank more than a node has cores is a fault") {
    const Diagnostics faults = refused(hardware("fit", kChip + kNetwork), star_xml(4), {10, 8}, {5, 1});
    CHECK(only(faults, patch_too_large).message == "a patch of 5 x 1 ranks needs 5 cores, but a node has 4");
}

TEST_CASE("a patch of more ranks than a number holds is a fault") {
    const Diagnostics faults = refused(hardware("fit", kChip + kNetwork), star_xml(4), {8, 8}, {65536, 65536});
    CHECK(only(faults, patch_too_large).message ==
          "a patch of 65536 x 65536 ranks needs 4294967296 cores, but a node has 4");
}

TEST_CASE("more nodes than can be numbered are a fault before anything is stored") {
    const Diagnostics faults = refused(hardware("fit", kChip + kNetwork), star_xml(4), {65536, 65535});
    CHECK(only(faults, too_many_nodes).message == "these ranks need 4294901760 nodes");
}

TEST_CASE("cores that chips cannot share evenly are a fault") {
    const Diagnostics faults = refused(hardware("fit", kChip + kNode + kNetwork, 3), star_xml(4), {2, 2});
    CHECK(summary_of(only(faults, uneven_chips)) ==
          "m.yaml:4:8 uneven_chips [3] 4 cores cannot be divided evenly among 3 parts `chip` | expected a divisor of "
          "the cores of a host");
}

TEST_CASE("each locality that two ranks can have must be described") {
    const auto message = [](const std::string& layers, int chips) {
        return only(refused(hardware("fit", layers, chips), star_xml(4), {2, 2}), missing_key).message;
    };
    CHECK(message(kNetwork, 1) == "`layers` has no `chip`");
    CHECK(message(kChip + kNetwork, 2) == "`layers` has no `node`");
    CHECK(message(kChip, 1) == "`layers` has no `network`");
    CHECK(refused(hardware("fit", kNode + kNetwork, 4), star_xml(4), {2, 2}).empty());  // one core a chip
}

TEST_CASE("hosts in use without a route are a fault; other hosts need none") {
    // a and c have no route; ranks on a and b alone are fine
    const std::string torn = platform_xml(R"(<zone id="w" routing="Floyd"><host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/><host id="c" speed="1Gf"/><link id="ab" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="ab"/></route></zone>)");
    CHECK(refused(hardware("exact", kNetwork), torn, {2, 1}).empty());
    const Diagnostics both_ways = refused(hardware("exact", kNetwork), torn, {3, 1});
    REQUIRE(both_ways.count() == 2);
    CHECK(both_ways.all()[0].kind == no_route);
    CHECK(both_ways.all()[0].message == "no route from `b` to `c`");
    CHECK(both_ways.all()[1].message == "no route from `c` to `b`");
}

TEST_CASE("routes longer than a cost may be are a fault, also when only the grown torus has them") {
    // a ring of 4 has routes of 2 links, 4 s; one of 1,000,000 has 500,000 links, 11.6 days, and 6.7 are the limit
    const std::string xml = platform_xml(R"(<cluster id="t" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps"
lat="2s" topology="TORUS" topo_parameters="4"/>)");
    CHECK(refused(hardware("fit", kNetwork), xml, {4, 1}).empty());
    CHECK(only(refused(hardware("fit", kNetwork), xml, {1'000'000, 1}), cost_too_large).message ==
          "the longest route has 500000 links of 2 s each");
}

TEST_CASE("faults of the hardware file and of its platform are reported together") {
    const Diagnostics faults = refused(hardware("fits", kChip + kNetwork), platform_xml("<nonsense/>"), {2, 2});
    CHECK(only(faults, bad_choice).expected == "did you mean `fit`?");
    CHECK(line_of(only(faults, platform_error)) == 3);
}

TEST_CASE("a platform that does not exist is a fault in the hardware file") {
    const Workspace files;
    const auto yaml = files.write("m.yaml", hardware("fit", kNetwork));
    const Diagnostic fault = only(faults_of([&] { check(yaml); }), unreadable_file);
    CHECK(line_of(fault) == 2);
    CHECK(marked(fault) == "p.xml");
}

TEST_CASE("the XT4 as published") {
    const Machine xt4 = build(request_for_shipped("xt4.yaml", {128, 64}, {2, 1})).machine;
    CHECK(xt4.hosts == 6300);
    CHECK(xt4.cores == 2);
    const ProfileRow& large = row_for(xt4.profile(xt4.network()), Bytes{1025});
    CHECK(large.protocol == Protocol::rendezvous);
    CHECK(large.o_send == Time{3'850'000});
    CHECK(large.L == Time{360'000});
    CHECK(large.holds_bus);
    CHECK(cost_of(Bytes{10'000}, large.G) == Time{4'000'000});  // 10,000 B at 0.0004 us/B
    const ProfileRow& dma = row_for(xt4.profile({0}), Bytes{1025});
    // Total = o + S G_dma + o_copy = 3.77 + 0.91 + 1.98 us at 10,000 B
    CHECK(dma.o_send + *cost_of(Bytes{10'000}, dma.G_recv) + dma.o_recv == Time{3'770'000 + 910'000 + 1'980'000});
    REQUIRE(xt4.bus);
    CHECK(xt4.bus->o_dma == Time{3'770'000 - 1'980'000});
}

TEST_CASE("the InfiniBand cluster as published") {
    const Machine cluster = build(request_for_shipped("infiniband.yaml", {8, 8}, {2, 2})).machine;
    CHECK(cluster.hosts == 240);
    CHECK_FALSE(cluster.bus);
    const ProfileRow& small = row_for(cluster.profile(cluster.network()), Bytes{2047});
    CHECK(small.o_send == Time{2'640'000});
    CHECK(cost_of(Bytes{460}, small.G_recv) == Time{1'000'000});  // 460 B at 0.46 GB/s
    CHECK(row_for(cluster.profile(cluster.network()), Bytes{2048}).o_send == Time{3'630'000});
    CHECK(cluster.extra_latency(Rank{0}, Rank{2}) == Time{0});
}

TEST_CASE("the XT4 grown to 65,536 nodes keeps neighbours within four links") {
    const Machine xt4 = build(request_for_shipped("xt4.yaml", {512, 256}, {2, 1})).machine;
    CHECK(xt4.hosts == 65536);
    CHECK(xt4.hosts_before_growth == 6300);
    Time longest;
    for (std::uint32_t row = 1; row < 256; ++row) {
        for (std::uint32_t column = 2; column < 512; column += 2) {
            const RankGrid grid = xt4.placement.grid;
            longest = std::max({longest, xt4.extra_latency(grid.at(column, row), grid.at(column + 1, row)),
                                xt4.extra_latency(grid.at(column, row), grid.at(column, row + 1))});
        }
    }
    CHECK(longest <= Time{3 * 50'000});  // four links, one of them within L
}

}  // namespace warpfront::machine::machine_test
