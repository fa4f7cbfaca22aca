// Platforms that SimGrid accepts become flat facts; platforms that it refuses, aborts on or crashes on become faults.
#include "simulator/machine/loading/xml_meanings.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

using namespace warpfront::machine;

namespace warpfront::machine::platform_test {

namespace {

RoutedPlatform loaded(const std::string& xml, const PairsWanted& wanted = no_pairs) {
    const Workspace files;
    Diagnostics faults;
    auto platform = load_platform(files.source("p.xml", xml), wanted, faults);
    faults.raise();
    return platform.value();
}

Diagnostics refused(const std::string& xml, const PairsWanted& wanted = no_pairs, const process::Limits& limits = {}) {
    const Workspace files;
    Diagnostics faults;
    CHECK_FALSE(load_platform(files.source("p.xml", xml), wanted, faults, {{}, limits}));
    return faults;
}

/// Returns hosts a, b and c, of which only a and b are joined.
std::string torn_zone(const std::string& routing) {
    return platform_xml(fmt::format(R"(<zone id="w" routing="{}">
<host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/>
<host id="c" speed="1Gf"/>
<link id="l" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route></zone>)",
                                    routing));
}

constexpr auto a_to_c = [](const Platform&) { return std::vector<HostPair>{{{0}, {2}}}; };

}  // namespace

TEST_CASE("a single torus cluster has its dimensions and the latency of a link") {
    const RoutedPlatform platform = loaded(torus_xml("4,3,2", 24));
    CHECK(platform.hosts == 24);
    CHECK(platform.cores == 2);
    const auto& torus = std::get<TorusRoutes>(platform.zone);
    CHECK(torus.dimensions == std::vector<std::uint32_t>{4, 3, 2});
    CHECK(torus.link_latency == Time{50'000});
}

TEST_CASE("a single flat cluster is a star of two links a route") {
    const auto star = std::get<StarRoutes>(loaded(star_xml(7)).zone);
    CHECK(star.links_per_route == 2);
    CHECK(star.latency({}, {}) == Time{200'000});
}

TEST_CASE("hosts are numbered zone by zone, not alphabetically") {
    const std::string xml = platform_xml(R"(<zone id="w" routing="Full">
<cluster id="late" prefix="z" suffix="" radical="0-11" speed="1Gf" bw="1GBps" lat="1us"/>
<cluster id="early" prefix="a" suffix="" radical="0-11" speed="1Gf" bw="1GBps" lat="3us"/></zone>)");
    const PairsWanted first_of_each = [](const Platform&) { return std::vector<HostPair>{{{0}, {11}}, {{12}, {23}}}; };
    const RoutedPlatform platform = loaded(xml, first_of_each);
    CHECK(is_irregular(platform.zone));
    REQUIRE(platform.pairs.size() == 2);
    CHECK(platform.route(0).latency == Time{2'000'000});
    CHECK(platform.route(1).latency == Time{6'000'000});
}

TEST_CASE("a platform that is not a single cluster gets its routes pair by pair") {
    const RoutedPlatform platform = loaded(torn_zone("Full"), [](const Platform&) {
        return std::vector<HostPair>{{{0}, {1}}};
    });
    CHECK(is_irregular(platform.zone));
    REQUIRE(platform.pairs.size() == 1);
    CHECK(platform.route(0).links == 1);
    CHECK(platform.route(0).latency == Time{1'000'000});
}

TEST_CASE("a single fat tree or dragonfly has its shape and its links") {
    const auto tree = std::get<FatTreeRoutes>(loaded(fat_tree_xml("2;4,4;1,2;1,2", 16)).zone);
    CHECK(tree.children == std::vector<std::uint32_t>{4, 4});
    CHECK(tree.parents == std::vector<std::uint32_t>{1, 2});
    CHECK(tree.cables == std::vector<std::uint32_t>{1, 2});
    CHECK(tree.link_latency == Time{50'000});
    const auto dragonfly = std::get<DragonflyRoutes>(loaded(dragonfly_xml("3,4;4,3;5,1;2", 120)).zone);
    CHECK(dragonfly.hosts() == 120);
    CHECK(dragonfly.blue == Gap{1 / 24e9});  // four links of 6 GB/s
    CHECK(dragonfly.black == Gap{1 / 18e9});
    CHECK(dragonfly.green == Gap{1 / 6e9});
}

TEST_CASE("of a large cluster SimGrid checks a small copy, which has the same result") {
    const auto reported = [](const std::string& xml, std::uint64_t most_built) {
        const Workspace files;
        Diagnostics faults;
        const auto platform = load_platform(files.source("p.xml", xml), no_pairs, faults, {{}, {}, most_built});
        faults.raise();
        return platform.value();
    };
    const std::string limited = R"(limiter_link="2GBps" sharing_policy="SHARED")";
    for (const std::string& xml : {fat_tree_xml("3;4,3,2;2,3,2;1,2,1", 24), dragonfly_xml("3,4;4,3;5,1;2", 120),
                                   fat_tree_xml("2;4,8;1,2;1,2", 32, limited), torus_xml("5,1,4", 20), star_xml(12),
                                   star_xml(12, R"(bb_bw="10GBps" bb_lat="30ns" limiter_link="2GBps")")}) {
        const Platform whole = reported(xml, 1000);
        const Platform small = reported(xml, 10);
        CHECK(small.hosts == whole.hosts);
        CHECK(small.cores == whole.cores);
        CHECK(small.zone == whole.zone);
    }
}

TEST_CASE("SimGrid missing is a fault of the platform that needs it") {
    const Workspace files;
    Diagnostics faults;
    const LoadingOptions options{.module = "no_such_module"};
    CHECK_FALSE(load_platform(files.source("p.xml", star_xml(12)), no_pairs, faults, options).has_value());
    const Diagnostic fault = only(faults, missing_module);
    CHECK(line_of(fault) == 2);
    CHECK(fault.message.starts_with("simgrid, which reads platforms, cannot be loaded: no_such_module.so: "));
}

TEST_CASE("faults of a large cluster are reported at their positions, although SimGrid reads a small copy") {
    const Diagnostic fault =
        only(refused(fat_tree_xml("2;256,256;1,16;1,1", 65536, R"(speeed="1Gf")")), platform_error);
    CHECK(line_of(fault) == 3);
    CHECK(marked(fault) == "speeed");
}

TEST_CASE("a large cluster of too few radicals is a fault") {
    CHECK(only(refused(fat_tree_xml("2;256,256;1,16;1,1", 65000)), platform_error)
              .message.find("Insufficient number of radicals") != std::string::npos);
}

TEST_CASE("fat trees and dragonflies of 131,072 hosts are loaded quickly") {
    // SimGrid takes 87 s to build such a fat tree
    CHECK(loaded(fat_tree_xml("3;64,64,32;8,8,8;1,1,1", 131072)).hosts == 131072);
    CHECK(loaded(dragonfly_xml("32,4;32,2;32,1;4", 131072)).hosts == 131072);
}

TEST_CASE("a dragonfly of more groups than a chassis has blades is a fault, since SimGrid crashes on its routes") {
    CHECK(summary_of(only(refused(dragonfly_xml("4,4;1,3;3,2;3", 36)), platform_error)) ==
          "p.xml:3:134 platform_error [4,4;1,3;3,2;3] there are 4 groups, but a chassis has only 3 blades | expected "
          "no more groups than blades, since blade k of chassis 0 has the link to group k");
}

TEST_CASE("a network of more links than can be numbered is a fault") {
    const Diagnostic fault = only(refused(fat_tree_xml("1;5000;100000;100", 5000)), platform_limits);
    CHECK(fault.message ==
          "the cluster has about 1e+11 links");  // 5,000 hosts, 100,000 parents, 100 cables, up and down
}

TEST_CASE("warnings of SimGrid are kept") {
    const std::string xml = platform_xml(R"(<cluster id="c" prefix="n" suffix="" radical="0-2" speed="1Gf" bw="6GBps")"
                                         R"( lat="1us" sharing_policy="FULLDUPLEX"/>)");
    const RoutedPlatform platform = loaded(xml);
    REQUIRE(platform.notes.size() == 1);
    CHECK(platform.notes[0].find("simgrid warns: FULLDUPLEX is now deprecated") == 0);
}

TEST_CASE("a unit unknown to SimGrid is marked") {
    const std::string xml = platform_xml(R"(<cluster id="c" prefix="n" suffix="" radical="0-2" speed="1Gf" bw="6Gbits")"
                                         R"( lat="1us"/>)");
    CHECK(summary_of(only(refused(xml), platform_error)) ==
          "p.xml:3:69 platform_error [Gbits] simgrid refuses this platform: unknown unit: Gbits | expected a unit of "
          "SimGrid, such as `GBps`, `Gbps`, `us` or `Gf`");
}

TEST_CASE("an invalid number is reported at its position, before SimGrid reads it") {
    CHECK(summary_of(only(refused(torus_xml("4,99999999999", 24)), bad_xml_number)) ==
          "p.xml:3:132 bad_xml_number [99999999999] `99999999999` is out of range in `topo_parameters` | "
          "expected whole numbers from 1 to 2147483647");
}

TEST_CASE("if SimGrid names the function that failed, the fault reports that a value is no number") {
    const std::string xml = platform_xml(R"(<zone id="z" routing="Vivaldi">)"
                                         R"(<host id="a" speed="1Gf" coordinates="x y z"/>)"
                                         R"(<host id="b" speed="1Gf" coordinates="0 0 0"/></zone>)");
    CHECK(only(refused(xml), platform_error).message ==
          "simgrid refuses this platform: Invalid coordinate, which is not a number");
}

TEST_CASE("a platform that SimGrid cannot parse is reported with SimGrid's line") {
    const Diagnostic fault = only(refused(platform_xml("<cluster id=\"c\"\n  speeed=\"1Gf\"/>")), platform_error);
    CHECK(line_of(fault) == 4);
    CHECK(marked(fault) == "speeed");
}

TEST_CASE("a platform of an unknown version is a fault that names the known ones") {
    const Diagnostic fault = only(refused(platform_xml("", "3")), platform_error);
    CHECK(line_of(fault) == 2);
    CHECK(fault.message.find("v:3") != std::string::npos);
    CHECK(fault.expected == "expected version=\"4\" or version=\"4.1\"");
}

TEST_CASE("every text that is no platform is a fault") {
    CHECK(only(refused(""), platform_error).message.find("simgrid refuses") == 0);
    CHECK(only(refused("<hello/>"), platform_error).message.find("simgrid refuses") == 0);
    CHECK(only(refused(std::string(1000, '\0')), platform_error).message.find("simgrid refuses") == 0);
    CHECK(only(refused(platform_xml("<host id=\"a")), platform_error).message.find("simgrid refuses") == 0);
}

TEST_CASE("a file that does not end in .xml is not passed to SimGrid, which would run a shared library") {
    const Workspace files;
    Diagnostics faults;
    CHECK_FALSE(load_platform(files.source("p.so", star_xml(3)), no_pairs, faults));
    CHECK(only(faults, platform_error).expected == "expected a file whose name ends in `.xml`");
}

TEST_CASE("if SimGrid aborts, its last message is the fault, at the element it names") {
    const Diagnostic fault = only(refused(torus_xml("4,3,2", 7)), platform_error);  // 7 hosts are not 24
    CHECK(fault.message.find("Insufficient number of radicals") != std::string::npos);
    CHECK(marked(fault) == "t");
}

TEST_CASE("entities that multiply are not expanded") {
    std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE platform [<!ENTITY e0 \"boom\">";
    for (int k = 1; k < 30; ++k) bomb += fmt::format("<!ENTITY e{} \"&e{};&e{};\">", k, k - 1, k - 1);
    bomb += "]>\n<platform version=\"4.1\"><zone id=\"&e29;\" routing=\"Full\"/></platform>";
    CHECK(refused(bomb).count() == 1);
}

TEST_CASE("zones nested without end are a fault, not a crash") {
    std::string deep;
    for (int k = 0; k < 100'000; ++k) deep += fmt::format("<zone id=\"z{}\" routing=\"Full\">", k);
    CHECK(refused(platform_xml(deep)).count() == 1);
}

TEST_CASE("a platform that exceeds its memory is reported as such" * doctest::skip(!process::kMemoryIsLimited)) {
    const process::Limits limits{std::uint64_t{256} << 20, std::chrono::seconds(60)};
    const Diagnostic fault = only(refused(star_xml(2'000'000'000), no_pairs, limits), platform_limits);
    CHECK(fault.message == "simgrid needs more than 256 MiB for this platform");
}

TEST_CASE("a platform that exceeds its time is reported as such") {
    process::Limits limits;
    limits.time = std::chrono::milliseconds(1);
    std::string hosts;
    for (int k = 0; k < 10'000; ++k) hosts += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>", k);
    const std::string many = platform_xml("<zone id=\"w\" routing=\"Full\">" + hosts + "</zone>");
    CHECK(only(refused(many, no_pairs, limits), platform_limits).message ==
          "simgrid needs more than 0.001 s for this platform");
}

TEST_CASE("a platform without hosts, or without anything, is a fault") {
    CHECK(only(refused(platform_xml("<zone id=\"w\" routing=\"Full\"/>")), no_hosts).message ==
          "this platform has no hosts");
    CHECK(refused("<platform version=\"4.1\">\n</platform>\n").count() == 1);
}

TEST_CASE("hosts that differ in cores have the least of them") {
    const RoutedPlatform platform = loaded(platform_xml(R"(<zone id="w" routing="Full">
<host id="a" speed="1Gf" core="2"/>
<host id="b" speed="1Gf" core="4"/></zone>)"));
    CHECK(platform.cores == 2);
    CHECK(platform.most_cores == 4);
}

TEST_CASE("links without bandwidth, of negative latency or of one that virtual time cannot represent are faults") {
    const auto cluster = [](const std::string& links) {
        return platform_xml(R"(<cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" )" + links + "/>");
    };
    CHECK(marked(only(refused(cluster(R"(bw="0Bps" lat="50ns")")), bad_link)) == "c");
    CHECK(only(refused(cluster(R"(bw="1GBps" lat="1e9s")")), cost_too_large).message ==
          "a route from `n0` has a latency of 2000000000 s");
    const std::string back = platform_xml(R"(<zone id="w" routing="Full"><host id="a" speed="1Gf"/>
<link id="back" bandwidth="1GBps" latency="-1us"/></zone>)");
    CHECK(only(refused(back), bad_link).message == "link `back` has a latency of -1e-06 s");
}

TEST_CASE("a missing route is a fault in every kind of zone") {
    for (const std::string routing : {"Full", "Floyd", "Dijkstra"}) {  // no message, an exception, a crash
        CAPTURE(routing);
        CHECK(summary_of(only(refused(torn_zone(routing), a_to_c), no_route)) ==
              "p.xml:4:11 no_route [a] no route from `a` to `c` | expected a route, since ranks on these hosts "
              "exchange messages");
    }
}

}  // namespace warpfront::machine::platform_test

// Platforms are loaded once: the same machine comes from memory, another one after the file has changed.

namespace {

std::string cluster_of(int hosts) {
    return platform_xml(fmt::format(
        R"(<cluster id="c" prefix="n" suffix="" radical="0-{}" speed="1Gf" bw="1GBps" lat="1us"/>)", hosts - 1));
}

std::optional<Platform> platform_in(const std::filesystem::path& file,
                                    const std::vector<LinkOverride>& overrides = {}) {
    input::Diagnostics faults;
    const input::SourceFilePtr xml = input::read_file(file);
    PlatformLoader loader(xml, LoadingOptions{overrides});
    return load_once(loader, xml, overrides, faults);
}

}  // namespace

TEST_CASE("a platform is loaded once, and again when its file has changed") {
    const test::Scratch scratch;
    const auto file = scratch.file("c.xml", cluster_of(4));
    for (int time = 0; time < 2; ++time) {
        const auto platform = platform_in(file);
        REQUIRE(platform);
        CHECK(platform->hosts == 4);
    }
    scratch.file("c.xml", cluster_of(6));
    CHECK(platform_in(file)->hosts == 6);
}

TEST_CASE("a platform with changed links is not kept, nor taken for the one without") {
    const test::Scratch scratch;
    const auto file = scratch.file("c.xml", cluster_of(4));
    LinkOverride unknown;
    unknown.name = "nothing_of_this_name";
    CHECK(platform_in(file));
    CHECK_FALSE(platform_in(file, {unknown}));
    CHECK(platform_in(file));
}

// Numbers of an XML that SimGrid accepts silently.

namespace warpfront::machine {

namespace {

/// Returns a valid cluster, with `attributes` in place of those of the same name.
std::string cluster(const std::string& attributes) {
    std::string text = R"(<cluster id="c" prefix="n" suffix="")";
    for (const auto& [name, value] :
         {std::pair{"radical", "0-3"}, {"speed", "1Gf"}, {"core", "4"}, {"bw", "1GBps"}, {"lat", "1us"}}) {
        if (attributes.find(std::string(name) + "=") == std::string::npos) {
            text += fmt::format(R"( {}="{}")", name, value);
        }
    }
    return platform_xml(text + " " + attributes + "/>");
}

Diagnostics faults_in(const std::string& xml) {
    Diagnostics faults;
    check_numbers(PlatformXml(std::make_shared<const input::SourceFile>("p.xml", xml)), faults);
    return faults;
}
Diagnostic fault_in(const std::string& attributes) { return only(faults_in(cluster(attributes)), bad_xml_number); }

std::vector<std::string> notes_on(const std::string& xml) {
    Diagnostics faults;
    auto notes = check_numbers(PlatformXml(std::make_shared<const input::SourceFile>("p.xml", xml)), faults);
    CHECK(faults.render() == "");
    return notes;
}

}  // namespace

TEST_CASE("numbers that are none, negative, not whole or out of range are faults at their positions") {
    CHECK(summary_of(fault_in(R"(speed="-1Gf")")) ==
          "p.xml:3:89 bad_xml_number [-1Gf] `-1Gf` is negative in `speed` | expected 0 or more");
    CHECK(fault_in(R"(bw="fast")").message == "`fast` is not a number in `bw`");
    CHECK(fault_in(R"(core="4.5")").message == "`4.5` is not a whole number in `core`");
    CHECK(fault_in(R"(core="0")").message == "`0` is out of range in `core`");
    CHECK(fault_in(R"(core="-4")").message == "`-4` is out of range in `core`");
    CHECK(fault_in(R"(core="99999999999")").expected == "expected whole numbers from 1 to 2147483647");
    for (const auto& [attributes, number] : std::initializer_list<std::pair<const char*, const char*>>{
             {R"(speed="2Gf, -1Gf")", "-1Gf"},        // of a host that can run at two speeds
             {R"(limiter_link="-5GBps")", "-5GBps"},  // which SimGrid omits
             {R"(bw="fast")", "fast"},
             {R"(radical="a-3")", "a"},
             {R"(radical="0-")", "0-"},
             {R"(topology="TORUS" topo_parameters="2,x")", "x"},
             {R"(topology="TORUS" topo_parameters="2,2.5")", "2.5"},
             {R"(topology="FAT_TREE" topo_parameters="2;2,2;1,99999999999;1,1")", "99999999999"}}) {
        CAPTURE(attributes);
        CHECK(marked(fault_in(attributes)) == number);
    }
    CHECK(faults_in(cluster(R"(topology="TORUS" topo_parameters="-2,-2")")).count() == 2);
    CHECK(faults_in(cluster(R"(topology="TORUS" topo_parameters="2, 2")")).empty());
    CHECK(faults_in(cluster(R"(topology="FLAT" topo_parameters="")")).empty());  // SimGrid does not read them
}

TEST_CASE("a number without a unit is noted with the unit that SimGrid assumes") {
    CHECK(notes_on(cluster(R"(bw="6")")) ==
          std::vector<std::string>{"p.xml:3:87: `6` has no unit in `bw`: SimGrid reads it as bytes per second"});
    CHECK(
        notes_on(cluster(R"(lat="2e-6")")).at(0).ends_with("`2e-6` has no unit in `lat`: SimGrid reads it as seconds"));
    CHECK(notes_on(cluster(R"(speed="1")")).at(0).ends_with("SimGrid reads it as flop per second"));
    CHECK(notes_on(cluster(R"(lat="0")")).empty());  // nothing is nothing in any unit
    CHECK(notes_on(cluster("")).empty());
}

TEST_CASE("of many numbers without a unit five are noted, with the number of the others") {
    std::string links;
    for (int k = 0; k < 8; ++k) links += fmt::format(R"(<link id="l{}" bandwidth="1e9" latency="1us"/>)", k);
    const auto notes = notes_on(platform_xml("<zone id=\"z\" routing=\"Full\">" + links + "</zone>"));
    REQUIRE(notes.size() == 6);
    CHECK(notes[5] == "3 more numbers of the platform have no unit");
}

TEST_CASE("comments, and text that is no XML, are for SimGrid to check") {
    CHECK(notes_on(platform_xml(R"(<!-- <cluster core="x" bw="6"/> -->)")).empty());
    for (const std::string text : {"", "<", "<cluster", "<cluster bw", "<cluster bw=", "<cluster bw=\"6", "< =\"x\">",
                                   "<!--", "<cluster bw=6/>", "<cluster =\"6\"/>"}) {
        CAPTURE(text);
        CHECK(notes_on(text).empty());
    }
}

}  // namespace warpfront::machine
