// A wire that is slower than the table of costs, from the user's view: in times, notes, `check --platform`, `explain`
// and closed forms.
//
// Not pinned here: the same on random platforms (tests/wires), the equations (tests/network).
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

constexpr const char* kPair = R"(application pair {
    param size: bytes = 1B
    iteration {
        if rank == 0 { send size to rank_at(2, 1) }
        if rank == 1 { recv from rank_at(1, 1) }
    }
}
)";

constexpr const char* kPingPong = R"(application pingpong {
    param size: bytes = 1B
    iteration {
        repeat 100 {
            if rank == 0 { send size to east recv from east } else { recv from west send size to west }
        }
    }
}
)";

std::string platform(const std::string& body) {
    return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
           "<platform version=\"4.1\">\n" +
           body + "\n</platform>\n";
}

/// Two ranks on two hosts.
class Pair {
public:
    /// Writes the files. `network` is `platform: p.xml`, whose text is `xml`, or a topology; `more` has further keys of
    /// the hardware file.
    Pair(const std::string& network, const std::string& xml, const std::string& more, const std::string& row,
         const std::string& size, const std::string& model = kPair) {
        files_.file("m.psl", model);
        files_.file("p.xml", xml);
        files_.file("hw.yaml", fmt::format("name: two hosts\n{}\nsize: exact\nlinks: {{enabled: on}}\n{}layers:\n  "
                                           "network:\n    - {{{}}}\n",
                                           network, more, row));
        files_.file("s.yaml",
                    fmt::format("model: m.psl\nplatform: hw.yaml\nparameters: {{size: {}}}\nranks: {{columns: "
                                "2, rows: 1}}\n",
                                size));
    }
    std::string scenario() const { return quoted(files_.folder() / "s.yaml"); }
    std::string hardware() const { return quoted(files_.folder() / "hw.yaml"); }
    double time(const std::string& engine) const { return time_of("run " + scenario() + " --engine " + engine); }

private:
    Scratch files_;
};

void check_both(const Pair& pair, double seconds) {
    CHECK(pair.time("event") == doctest::Approx(seconds).epsilon(1e-12));
    CHECK(pair.time("simgrid") == doctest::Approx(seconds).epsilon(1e-9));
}

constexpr const char* kFlat =
    "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"125MBps\" lat=\"1us\" "
    "sharing_policy=\"SPLITDUPLEX\"/>";

/// Two hosts joined by a link of 500 MB/s.
constexpr const char* kSlowLink =
    "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><link id=\"slow\" "
    "bandwidth=\"500MBps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/><route src=\"a\" dst=\"b\" "
    "symmetrical=\"NO\"><link_ctn id=\"slow\" direction=\"UP\"/></route><route src=\"b\" dst=\"a\" "
    "symmetrical=\"NO\"><link_ctn id=\"slow\" direction=\"DOWN\"/></route></zone>";

constexpr const char* kFastRow = "protocol: eager, o_send: 0us, o_recv: 0us, L: 5us, G: 1GBps, holds: [links]";

Pair over_slow_link(const char* model, const std::string& size) {
    return {"platform: p.xml",
            platform(kSlowLink),
            "links_in_L: 1\n",
            "protocol: eager, o_send: 0.3us, o_recv: 0.3us, L: 1us, G: 10GBps, holds: [links]",
            size,
            model};
}

}  // namespace

TEST_CASE("10 MB over a NIC of 100 MB/s: 1 us + 5 us + 1 us of a link beyond L + 100 ms + 1 us") {
    check_both({"platform: p.xml", platform(kFlat),
                "links_in_L: 1\nnic: {enabled: on, injection: 100MBps, ejection: 100MBps}\n",
                "protocol: eager, o_send: 1us, o_recv: 1us, L: 5us, G: 10GBps, holds: [nic, links]", "10MB"},
               100.008e-3);
}

TEST_CASE("10 MB over 10 MB/s take a second: of a backbone, of a NIC, of a FATPIPE link") {
    const std::string with_backbone =
        "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" "
        "bb_bw=\"10MBps\" bb_lat=\"1us\"/>";
    check_both({"platform: p.xml", platform(with_backbone), "links_in_L: 9\n", kFastRow, "10MB"}, 1.000005);
    check_both({"topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 1us}\ncores: 1", "",
                "links_in_L: 9\nnic: {enabled: on, injection: 10MBps, ejection: 10MBps}\n",
                "protocol: eager, o_send: 0us, o_recv: 0us, L: 5us, G: 1GBps, holds: [nic]", "10MB"},
               1.000005);
    const std::string fatpipe =
        "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><link id=\"l\" "
        "bandwidth=\"10MBps\" latency=\"2us\" sharing_policy=\"FATPIPE\"/><route src=\"a\" dst=\"b\"><link_ctn "
        "id=\"l\"/></route></zone>";
    check_both({"platform: p.xml", platform(fatpipe), "links_in_L: 9\n", kFastRow, "10MB"}, 1.000005);
}

TEST_CASE("messages to and fro over a slow link do not wait behind their own predecessors") {
    // 200 messages, each 0.3 us + 1 us + 100 kB / 500 MB/s + 0.3 us
    const auto result = json_of("run " + over_slow_link(kPingPong, "100kB").scenario());
    CHECK(result.at("time_s").get<double>() == doctest::Approx(200 * 201.6e-6).epsilon(1e-12));
    CHECK(result.at("breakdown").at("link_wait_s") == 0.0);
}

TEST_CASE("a slow wire is named in the notes of a run and by check --platform") {
    const std::string note =
        "carry 500 MB/s each, less than the 10 GB/s of `layers.network`: they limit the messages that cross them";
    const Pair pair = over_slow_link(kPingPong, "100kB");
    const std::string run = invoke("run " + pair.scenario()).out;
    CHECK(holds(run, "note: link `slow_UP`, link `slow_DOWN` " + note));
    CHECK(holds(invoke("check --platform " + pair.hardware()).out, note));
    CHECK(holds(invoke("check " + pair.hardware()).out + invoke("check " + pair.hardware()).err, note));
}

TEST_CASE("explain names the wire that binds, and does not promise anything of a faster table") {
    const std::string text = invoke("explain " + over_slow_link(kPingPong, "100kB").scenario()).out;
    CHECK(holds(text, "The slowest wire, link `slow_UP`, binds: 99.2 %"));  // 40 of 40.32 ms
    CHECK_FALSE(holds(text, "twice the bandwidth"));
}

TEST_CASE("links a hundred times slower make Chimaera slower, on the event engine and in the closed form") {
    const std::string small =
        "run models/chimaera/chimaera.yaml --set 'ranks={columns: 4, rows: 4}' --set iterations=1 "
        "--set calibration=off --set platform.eager=off ";  // eager messages hide behind computing
    for (const char* engine : {"--engine event", "--engine analytic"}) {
        CAPTURE(engine);
        const double shipped = time_of(small + engine);
        CHECK(time_of(small + engine + " --set platform.links.torus.bandwidth=0.01x") > 1.05 * shipped);
        CHECK(time_of(small + engine + " --set platform.links.torus.bandwidth=0.5x") ==
              doctest::Approx(shipped).epsilon(1e-3));  // 3 GB/s, faster than G
    }
}
