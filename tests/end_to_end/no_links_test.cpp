// Platforms without links that a message could wait for, with hardware files whose messages occupy links.
#include "tests/end_to_end/program.hpp"

namespace {

/// Platforms of two hosts joined by a link, of one host, of hosts joined by coordinates, and with a FATPIPE.
const std::string kFull = R"(<zone id="z" routing="Full"><host id="a" speed="1Gf" core="4"/>
    <host id="b" speed="1Gf" core="4"/><link id="l" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route></zone>)";
const std::string kOneHost =
    R"(<cluster id="c" prefix="n" suffix="" radical="0-0" speed="1Gf" core="4" bw="1GBps" lat="1us"/>)";
const std::string kVivaldi = R"(<zone id="z" routing="Vivaldi"><host id="a" speed="1Gf" coordinates="0 0 0"/>
    <host id="b" speed="1Gf" coordinates="3 4 0"/></zone>)";
const std::string kFatpipe = R"(<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" latency="1us" sharing_policy="FATPIPE"/>
    <route src="a" dst="b"><link_ctn id="l"/></route></zone>)";

/// Writes a scenario of a message of 1000 B from rank 0 to rank 1, which share a node if `node` has two columns.
std::filesystem::path scenario(const Scratch& scratch, const std::string& body, const std::string& node,
                               const std::string& more) {
    scratch.file("p.xml", platform_xml(body));
    scratch.file("h.yaml",
                 "name: m\nplatform: p.xml\nsize: exact\n" + more +
                     "links: {enabled: on}\nlayers:\n"
                     "  chip: [{protocol: eager, o_send: 1us, o_recv: 2us, L: 0us, G: 1ns/B}]\n"
                     "  network: [{protocol: eager, o_send: 1us, o_recv: 2us, L: 3us, G: 1ns/B, holds: [links]}]\n");
    scratch.file("m.psl", "application one { iteration { recv from west  send 1000B to east } }\n");
    return scratch.file("s.yaml", "model: m.psl\nplatform: h.yaml\nranks: {columns: 2, rows: 1}\nnode: " + node + "\n");
}

/// Returns the time in nanoseconds; options that choose how links are served change nothing.
double nanoseconds(const std::string& body, const std::string& node, const std::string& more = "") {
    const Scratch scratch;
    const std::string file = quoted(scenario(scratch, body, node, more));
    const double once = time_of("run " + file);
    CHECK(time_of("run " + file + " --replay full --threads 2 --set platform.links.parallel=2 " +
                  "--set platform.links.packet=100B") == once);
    CHECK(invoke("estimate " + file).status == 0);
    CHECK(invoke("check " + file).status == 0);
    return once * 1e9;
}

}  // namespace

TEST_CASE("ranks of one node meet no link, though the platform has one, nor has a cluster of one host any") {
    // o_send 1000 + L 0 + 1000 B * 1 ns/B + o_recv 2000
    CHECK(nanoseconds(kFull, "{columns: 2, rows: 1}") == approx(4000));
    CHECK(nanoseconds(kOneHost, "{columns: 2, rows: 1}") == approx(4000));
}

TEST_CASE("on a FATPIPE no message waits, and hosts of a Vivaldi zone have routes without links") {
    // o_send 1000 + L 3000, which contains the link's latency, + 1000 B * 1 ns/B + o_recv 2000
    CHECK(nanoseconds(kFatpipe, "{columns: 1, rows: 1}") == approx(7000));
    CHECK(nanoseconds(kVivaldi, "{columns: 1, rows: 1}") == approx(7000));
    // L contains no latency of the route: coordinates are milliseconds, sqrt(3^2 + 4^2) = 5 ms more
    CHECK(nanoseconds(kVivaldi, "{columns: 1, rows: 1}", "links_in_L: 0\n") == approx(5'007'000));
}
