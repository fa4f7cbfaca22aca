// Two laws of messages that platforms/README.md states. The arithmetic is by hand.
#include <doctest/doctest.h>

#include "tests/approx.hpp"
#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using warpfront::test::approx;

namespace {

const std::string kOnSimgrid = "--engine simgrid --set platform.topology.routing=minimal ";

}  // namespace

TEST_CASE("a message between two ranks of one bus does not wait for itself, but others wait for both its services") {
    // 1 MB on slingshot.yaml within a socket: o_send = L = o_recv = 0.15 us, copying at 8 GB/s 125 us, and two services
    // of 10^6 B / 51.2 GB/s = 19.53125 us.
    const OwnModel pair(iterating("recv from west send 1000000B to east"), "{columns: 2, rows: 1}",
                        "node: {columns: 2, rows: 1}\n");
    const std::string arguments =
        "run " + pair.argument() + "--set platform=" WARPFRONT_SOURCE_DIR "/platforms/slingshot.yaml ";
    const auto microseconds = [&](const std::string& set) { return time_of(arguments + set) * 1e6; };
    for (const char* const set : {"", "--set platform.bus.enabled=off", "--set 'node.cores=[0, 8]'"}) {
        CHECK(microseconds(set) == approx(125.45));  // 3 * 0.15 + 125, on one bus, on none, and on two of the eight
        CHECK(microseconds(kOnSimgrid + set) == approx(125.45));
    }
    // A service of 250 us, longer than the copying, delays no message that is alone.
    CHECK(microseconds("--set platform.bus.G_dma=4GBps") == approx(125.45));

    // Two such messages at once: the senders are served until 0.45 and 0.75, the first receiver until 0.15 + 0.3 + 2 *
    // 19.53125 = 39.5125; the second copies from then on.
    const OwnModel pairs(iterating("if column % 2 == 1 { send 1000000B to east } else { recv from west }"),
                         "{columns: 4, rows: 1}", "node: {columns: 4, rows: 1}\n");
    const std::string both =
        "run " + pairs.argument() + "--set platform=" WARPFRONT_SOURCE_DIR "/platforms/slingshot.yaml ";
    for (const std::string& engine : {std::string(), kOnSimgrid}) {
        CHECK(time_of(both + engine) * 1e6 == approx(164.5125));
    }
}

TEST_CASE("a nonblocking rendezvous in packets leaves while its rank computes, which copies them in at its wait") {
    // Four packets of 1000 B, each copied in for 1 us and on the wire for 1 us; o = L = 1 us. Rank 0 copies the first
    // in by 2 us; request there at 3, acknowledgement back at 4, packets there at 4 + 4 + 1 = 9, received to 10. Rank 0
    // computes from 2 to 102 and copies three packets in by 105, the time of a rank whose block these copies lengthen.
    const OwnModel pair(
        iterating("recv from west isend s 4000B to east if column == 1 { compute 100us } wait s"),
        "{columns: 2, rows: 1}", "",
        "name: m\nsize: exact\ncores: 1\nlinks: {packet: 1000B}\n"
        "topology: {kind: torus, dimensions: [2], bandwidth: 1GBps, latency: 0us}\n"
        "layers: {network: [{protocol: rendezvous, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, G_send: 1ns/B, "
        "holds: [links]}]}\n");
    const std::filesystem::path ranks = pair.folder() / "ranks.csv";
    CHECK(invoke("run " + pair.argument() + "--ranks " + quoted(ranks)).status == 0);
    const std::vector<std::string> lines = lines_of(text_of(ranks));
    REQUIRE(lines.size() == 3);
    CHECK(lines[1].starts_with("0,1,1,0,0.000105000000,"));
    CHECK(lines[2].starts_with("1,2,1,1,0.000010000000,"));
}
