// The layer `network: {like: smpi}`: rows from the keys of SMPI's users, by size, and refusals and notes.
//
// Not pinned here: that the rows take the same time as SMPI (tests/end_to_end/smpi_costs_test.cpp).
#include "tests/approx.hpp"
#include "tests/loading/hardware_text.hpp"
#include "tests/loading/platforms.hpp"

namespace warpfront::machine::smpi_costs_test {

namespace {

using Notes = std::vector<std::string>;

const std::string kLike = "links: {enabled: on}\nlayers:\n  network: {like: smpi}\n";
/// One factor and one overhead for all sizes, which are sent before they are received.
const std::string kPlain =
    R"(<prop id="smpi/lat-factor" value="0:3"/><prop id="smpi/bw-factor" value="0:0.5"/>)"
    R"(<prop id="smpi/os" value="0:5us:2e-9"/><prop id="smpi/ois" value="0:5us:2e-9"/>)"
    R"(<prop id="smpi/or" value="0:4e-6:1e-9"/><prop id="smpi/async-small-thresh" value="65536"/>)";
/// Four hosts behind a switch, 10 us apart, with links of 100 MB/s each way.
const std::string kStar = R"(<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="100MBps" lat="5us"/>)";

std::string configured(const std::string& props, const std::string& body = kStar) {
    return platform_xml("<config>\n" + props + "\n</config>\n" + body);
}

struct Files : Workspace {
    explicit Files(const std::string& xml, const std::string& rest = kLike) {
        write("p.xml", xml);
        hardware = write("m.yaml", "name: m\nplatform: p.xml\nsize: exact\n" + rest);
    }
    std::filesystem::path hardware;
};

Profile rows(const std::string& xml, const std::string& rest = kLike) {
    const Machine machine = build_without_ranks(Files(xml, rest).hardware);
    CHECK(machine.like_smpi);
    return machine.profile(machine.network());
}

Diagnostics refused(const std::string& xml, const std::string& rest = kLike) {
    const Files files(xml, rest);
    return faults_of([&] { build_without_ranks(files.hardware); });
}

/// Returns the notes without folders, except those on the speed of hosts, which SimGrid requires.
Notes notes(const std::string& xml, const std::string& rest = kLike) {
    const Files files(xml, rest);
    Notes all;
    for (std::string& note : notes_of_check(files.hardware)) {
        if (note.find(": `speed` of `<") == std::string::npos) all.push_back(std::move(note));
    }
    return all;
}

std::vector<std::int64_t> limits(const Profile& profile) {
    std::vector<std::int64_t> all;
    for (const ProfileRow& row : profile) all.push_back(row.up_to ? row.up_to->count : -1);
    return all;
}

double ns_per_byte(Gap gap) { return 1e9 * gap.seconds_per_byte; }

}  // namespace

TEST_CASE(
    "an eager message has SMPI's overheads, the latency of its route and its envelope, the bandwidth of its route") {
    const Profile profile = rows(configured(kPlain));
    REQUIRE(limits(profile) == std::vector<std::int64_t>{65535, -1});
    const ProfileRow& eager = profile[0];
    CHECK(eager.protocol == Protocol::eager);
    CHECK(eager.o_send == Time{5'000'000});
    CHECK(ns_per_byte(eager.G_send) == warpfront::test::approx(2));
    CHECK(eager.o_recv == Time{4'000'000});
    CHECK(ns_per_byte(eager.G_recv) == warpfront::test::approx(1));
    CHECK(ns_per_byte(eager.G) == warpfront::test::approx(20));  // half of 100 MB/s
    CHECK(eager.L == Time{30'320'000});                          // 3 * 10 us + 16 B * 20 ns/B
    CHECK(eager.holds_links);
    CHECK_FALSE(eager.latency_factor);
}

TEST_CASE("a rendezvous has no overheads, its latency once, and a sender that waits for all bytes") {
    const ProfileRow rendezvous = rows(configured(kPlain)).back();
    CHECK(rendezvous.protocol == Protocol::rendezvous);
    CHECK(rendezvous.sender_goes_on == SenderGoesOn::received);
    CHECK(rendezvous.o_send == Time{});
    CHECK(rendezvous.o_recv == Time{});
    CHECK(rendezvous.L == Time{});
    CHECK(rendezvous.o_ack == Time{30'320'000});
    CHECK(ns_per_byte(rendezvous.G) == warpfront::test::approx(20));
    CHECK(rendezvous.G_send == Gap{});
}

TEST_CASE("a section of an overhead holds above its size, one of a factor above the size less the envelope") {
    const Profile profile = rows(configured(
        R"(<prop id="smpi/lat-factor" value="1000:2;0:1"/><prop id="smpi/bw-factor" value="0:1"/>)"
        R"(<prop id="smpi/os" value="10:1e-6:0;500:2e-6:0"/><prop id="smpi/async-small-thresh" value="300"/>)"
        R"(<prop id="smpi/send-is-detached-thresh" value="2001"/>)"));
    // 500: os; 984 + 16 B: latency; 2000: rendezvous. Below 10 B the first os applies as well; 300 changes nothing
    // here.
    REQUIRE(limits(profile) == std::vector<std::int64_t>{500, 984, 2000, -1});
    CHECK(profile[0].o_send == Time{1'000'000});
    CHECK(profile[1].o_send == Time{2'000'000});
    CHECK(profile[0].L == Time{10'160'000});  // 10 us + 16 B at 10 ns/B
    CHECK(profile[2].L == Time{20'160'000});
}

TEST_CASE("without keys the factors are those of SimGrid 3.32") {
    const Profile profile = rows(platform_xml(kStar));
    REQUIRE(limits(profile) == std::vector<std::int64_t>{241, 716, 1410, 3468, 5760, 9360, 15408, 65456, 65535, -1});
    CHECK(1e-6 / profile[0].G.seconds_per_byte == warpfront::test::approx(81.2084));
    CHECK(1e-6 / profile[9].G.seconds_per_byte == warpfront::test::approx(94.0694));
    CHECK(seconds(profile[9].o_ack) == warpfront::test::approx(11.6436 * 10e-6 + 16 / 94.0694e6));
    CHECK(profile[0].o_send == Time{});
}

TEST_CASE("no message is faster than its slowest link, whatever the factor") {
    const std::string xml = configured(R"(<prop id="smpi/bw-factor" value="0:1.5"/>)");
    CHECK(ns_per_byte(rows(xml)[0].G) == warpfront::test::approx(10));
    CHECK(notes(xml).back() ==
          "p.xml:4:11: no message is faster than its slowest link: a factor of 1.5 has the effect of 1");
}

TEST_CASE("a link that both directions share carries 5 % of acknowledgements, unless crosstraffic is off") {
    const std::string shared =
        R"(<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="105MBps" lat="5us" )"
        R"(sharing_policy="SHARED"/>)";
    const std::string factor = R"(<prop id="smpi/bw-factor" value="0:1"/>)";
    CHECK(ns_per_byte(rows(configured(factor, shared))[0].G) == warpfront::test::approx(10));
    CHECK(ns_per_byte(rows(configured(factor + R"(<prop id="network/crosstraffic" value="no"/>)", shared))[0].G) ==
          warpfront::test::approx(1e3 / 105));
}

TEST_CASE("the window of TCP limits the bandwidth of a long route: gamma / (2 * latency)") {
    // 4,000 B / (2 * 10 us) = 200 MB/s of 1 GB/s, half of which is left
    const std::string fast = R"(<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="5us"/>)";
    CHECK(ns_per_byte(rows(configured(kPlain + R"(<prop id="network/TCP-gamma" value="4000"/>)", fast))[0].G) ==
          warpfront::test::approx(10));
}

TEST_CASE("a FATPIPE backbone limits messages by its bandwidth") {
    const std::string slow =
        R"(<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="100MBps" lat="5us" bb_bw="50MBps")"
        R"( bb_lat="1us" bb_sharing_policy="FATPIPE"/>)";
    CHECK(ns_per_byte(rows(configured(kPlain, slow))[0].G) == warpfront::test::approx(40));
}

TEST_CASE("if routes differ in latency, a factor applies to the latency of further links as well") {
    const std::string torus =
        R"(<cluster id="c" prefix="n" suffix="" radical="0-8" speed="1Gf" bw="100MBps" lat="5us" )"
        R"(topology="TORUS" topo_parameters="9"/>)";
    const Machine machine = build_without_ranks(Files(configured(kPlain, torus)).hardware);
    const ProfileRow& eager = machine.profile(machine.network())[0];
    CHECK(machine.routes.links_in_L == 1);
    CHECK(eager.L == Time{15'320'000});  // 3 * 5 us of neighbours, and the envelope
    CHECK(eager.latency_factor == 3.0);
    CHECK(machine.profile(machine.network()).back().o_ack == Time{15'320'000});
    // limiters have no latency
    const Machine limited = build_without_ranks(
        Files(configured(kPlain, torus.substr(0, torus.size() - 2) + R"( limiter_link="1GBps"/>)")).hardware);
    CHECK(limited.routes.links_in_L == 1);
    CHECK(limited.profile(limited.network())[0].L == Time{15'320'000});
}

TEST_CASE("routes of different bandwidths, none at all, or too many are refused at the word `smpi`") {
    const auto full = [](const std::string& second) {
        return platform_xml(
            R"(<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>)"
            R"(<host id="c" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1us"/>)"
            R"(<link id="m" bandwidth="2GBps" latency="1us"/>)"
            R"(<route src="a" dst="b"><link_ctn id="l"/></route><route src="a" dst="c"><link_ctn id=")" +
            second + R"("/></route></zone>)");
    };
    CHECK(summary_of(only(refused(full("m")), bad_link)) ==
          "m.yaml:6:19 bad_link [smpi] some routes have 9.52381e+08 B/s, others 1.90476e+09 B/s | expected routes of "
          "the same bandwidth, or rows in place of `like`");
    CHECK(only(refused(platform_xml(R"(<zone id="z" routing="Full"><host id="a" speed="1Gf"/></zone>)")), no_route)
              .message == "no two hosts of the platform have a route with links");
    std::string hosts;
    for (int k = 0; k < 257; ++k) hosts += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>", k);
    CHECK(
        only(refused(platform_xml("<zone id=\"z\" routing=\"Full\">" + hosts + "</zone>")), platform_limits).message ==
        "the routes between 257 hosts are too many to be compared");
}

TEST_CASE("values that SMPI cannot read are faults at their places") {
    const auto fault = [](const std::string& key, const std::string& value) {
        return only(refused(configured(fmt::format("<prop id=\"{}\" value=\"{}\"/>", key, value))), bad_xml_number);
    };
    CHECK(summary_of(fault("smpi/os", "0:1e-6:0;1420:fast:0")) ==
          "p.xml:4:36 bad_xml_number [1420:fast:0] `1420:fast:0` does not have the form of one section of this key | "
          "expected a size in bytes, a time and a time per byte, such as `1420:1.4e-05:2.9e-10`");
    CHECK(marked(fault("smpi/or", "0:1e-6")) == "0:1e-6");
    CHECK(fault("smpi/bw-factor", "0:1;1k:0.5").expected ==
          "expected a size in bytes and a factor, such as `1426:0.608902`");
    CHECK(marked(fault("smpi/lat-factor", "0")) == "0");
    CHECK(fault("smpi/async-small-thresh", "70000").message ==
          "`smpi/async-small-thresh` of 70000 is above `smpi/send-is-detached-thresh` of 65536");
    CHECK(only(refused(configured(R"(<prop id="smpi/os" value="0:1e9:0"/>)")), cost_too_large).message ==
          "SMPI's keys state a cost of 1000000000 s");
}

TEST_CASE("keys of the hardware file that contradict SMPI's costs are faults") {
    const std::string xml = configured(kPlain);
    const auto fault = [&](const std::string& rest, DiagnosticKind kind) { return only(refused(xml, rest), kind); };
    CHECK(fault("links_in_L: 1\n" + kLike, conflicting_keys).message == "both `links_in_L` and `like: smpi` are given");
    CHECK(fault("cluster_memory: {latency: network}\n" + kLike, conflicting_keys).expected ==
          "expected a time in place of `network`: SMPI's costs follow from the platform");
    CHECK(fault("layers:\n  network: {like: ompi}\n", bad_choice).expected == "did you mean `smpi`?");
    CHECK(fault("layers:\n  network: {like: smpi, L: 1us}\n", unknown_key).expected ==
          "expected `like` alone; to change single costs, copy the rows that `check --platform` prints");
    CHECK(fault("cores: 2\nlayers:\n  chip: {like: smpi}\n" + kLike.substr(kLike.find("  network")), bad_choice)
              .message == "layer `chip` cannot have `like: smpi`");
    const Workspace files;
    const auto topology = files.write("t.yaml",
                                      "name: m\nsize: exact\ncores: 1\n"
                                      "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 1us}\n" +
                                          kLike);
    CHECK(only(faults_of([&] { check(topology); }), conflicting_keys).message ==
          "both `like: smpi` and `topology` are given");
}

TEST_CASE("differences to SMPI are noted, and nothing if there are none") {
    CHECK(notes(configured(kPlain)) == Notes{"p.xml:4:131: nonblocking sends take the overhead of blocking sends; in "
                                             "SMPI, they take the overhead of `smpi/ois`"});
    const std::string same =
        R"(<prop id="smpi/bw-factor" value="0:0.5"/><prop id="smpi/async-small-thresh" value="65536"/>)";
    CHECK(notes(configured(same)) == Notes{});
    CHECK(notes(configured(
              R"(<prop id="smpi/bw-factor" value="0:0.5"/><prop id="smpi/async-small-thresh" value="100"/>)")) ==
          Notes{"p.xml:4:52: messages of 100 to 65535 B travel as soon as they are sent; SMPI also waits for their "
                "receive, since `smpi/async-small-thresh` is 100"});
    CHECK(
        notes(configured(same + R"(<prop id="network/latency-factor" value="13"/>)")) ==
        Notes{"p.xml:4:102: `network/latency-factor` has no effect: the network model of SMPI uses `smpi/lat-factor`"});
    const std::string own_host =
        R"(<zone id="z" routing="Full"><host id="a" speed="1Gf"><prop id="smpi/or" value="0:1e-6:0"/></host>)"
        R"(<host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1us"/>)"
        R"(<route src="a" dst="b"><link_ctn id="l"/></route></zone>)";
    CHECK(notes(configured(same + R"(<prop id="network/crosstraffic" value="no"/>)", own_host)) ==
          Notes{"p.xml:6:64: `smpi/or` of a `<host>` has no effect: all hosts use the value in `<config>`",
                "p.xml:6:55: `<prop>` has no effect: only plugins of SimGrid and simulated programs read properties"});
}

TEST_CASE("rows of SMPI hold links if the hardware file shares them, in its packets") {
    const std::string xml = configured(kPlain);
    CHECK_FALSE(rows(xml, "layers:\n  network: {like: smpi}\n")[0].holds_links);
    CHECK_FALSE(rows(xml, "links: {enabled: off}\nlayers:\n  network: {like: smpi}\n")[0].holds_links);
    CHECK(rows(xml, "links: {packet: 1KiB}\nlayers:\n  network: {like: smpi}\n")[0].packet.size == Bytes{1024});
}

}  // namespace warpfront::machine::smpi_costs_test
