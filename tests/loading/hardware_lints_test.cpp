// Parts of a hardware file without effect are noted by `check`, each with its place.
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

using namespace warpfront::machine;

namespace {

using Notes = std::vector<std::string>;

const std::string kEager = "{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B";
const std::string kRendezvous = "{protocol: rendezvous, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B";
const std::string kTorus = "topology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 1us}\n";

/// Returns a machine of one core per node; `more` begins in line 4, `layers` follows it.
std::string hardware(const std::string& more, const std::string& holds = "[]", const std::string& layers = "") {
    return "name: m\nsize: exact\n" + kTorus + more + (more.find("cores:") == std::string::npos ? "cores: 1\n" : "") +
           "layers:\n" + layers + "  network: [" + kEager + ", holds: " + holds + "}]\n";
}

/// Returns the notes of `check`, without the folder.
Notes notes_on(const std::string& own, const std::string& base = "") {
    const Workspace files;
    files.write("base.yaml", base);
    return notes_of_check(files.write("m.yaml", own));
}

}  // namespace

TEST_CASE("a file of which everything has an effect has no notes") {
    CHECK(notes_on(hardware("cores: 4\nchips: 2\ngroups: 2\nbus: {o_dma: 1us, G_dma: 0ns/B}\n"
                            "nic: {injection: 1GBps, ejection: 1GBps}\nlinks: {parallel: 2, choice: adaptive}\n",
                            "[bus, nic, links]", "  chip: [" + kEager + "}]\n  node: [" + kEager + "}]\n")) == Notes{});
}

TEST_CASE("a layer that no two ranks have in common is noted") {
    CHECK(notes_on(hardware("cores: 2\nchips: 2\n", "[]", "  chip: [" + kEager + "}]\n  node: [" + kEager + "}]\n")) ==
          Notes{"m.yaml:7:9: no message uses this layer: a chip has one core"});
    CHECK(notes_on(hardware("cores: 2\n", "[]", "  chip: [" + kEager + "}]\n  node: [" + kEager + "}]\n")) ==
          Notes{"m.yaml:7:9: no message uses this layer: a node has one chip"});
}

TEST_CASE("groups are noted without a bus and a NIC, or if these have numbers of their own") {
    const std::string layer = "  chip: [" + kEager + "}]\n";
    const std::string more = "cores: 2\ngroups: 2\n";
    const std::string bus = "bus: {o_dma: 1us, G_dma: 0ns/B";
    const Notes noted{
        "m.yaml:5:9: `groups` has no effect: none of `bus`, `nic` and `memory` takes its `count` from `groups`"};
    CHECK(notes_on(hardware(more, "[]", layer)) == noted);
    CHECK(notes_on(hardware(more + bus + ", count: 1}\n", "[bus]", layer)) == noted);
    CHECK(notes_on(hardware(more + bus + "}\n", "[bus]", layer)) == Notes{});
}

TEST_CASE("of several kinds of parts, a layer is noted if its kind has one of the next inner") {
    CHECK(notes_on(hardware("cores: 4\nparts: {die: 2, socket: 2}\n", "[]",
                            "  die: [" + kEager + "}]\n  socket: [" + kEager + "}]\n  node: [" + kEager + "}]\n")) ==
          Notes{"m.yaml:8:11: no message uses this layer: a socket has one die"});
}

TEST_CASE("the choice of a link is noted if there is only one") {
    CHECK(notes_on(hardware("links: {choice: adaptive}\n", "[links]")) ==
          Notes{"m.yaml:4:17: `choice` has no effect: there is no parallel link"});
}

TEST_CASE("keys of links that are shared by none are noted, and those of packets are not") {
    CHECK(notes_on(hardware("links: {enabled: off, parallel: 2, choice: adaptive,\n"
                            "  arbitration: {pairs: 1, overhead: 1us}, packet: 1KiB, overhead: 1us}\n",
                            "[links]")) == Notes{"m.yaml:4:33: `parallel` has no effect: `links` are not enabled",
                                                 "m.yaml:4:44: `choice` has no effect: `links` are not enabled",
                                                 "m.yaml:5:16: `arbitration` has no effect: `links` are not enabled"});
}

TEST_CASE("packets of links that no row holds are noted") {
    const std::string text = "` has no effect: no row of `layers.network` holds `links`";
    CHECK(notes_on(
              hardware("links: {enabled: off, packet: 1KiB, overhead: 1us, buffers: {size: 1KiB, overhead: 1us}}\n")) ==
          Notes{"m.yaml:4:31: `packet" + text, "m.yaml:4:47: `overhead" + text, "m.yaml:4:61: `buffers" + text});
}

TEST_CASE("arbitration and buffers of no overhead are noted") {
    CHECK(notes_on(hardware("links: {arbitration: {pairs: 2, overhead: 0us}}\n", "[links]")) ==
          Notes{"m.yaml:4:22: `arbitration` has no effect: its overhead is zero"});
    CHECK(notes_on(hardware("links: {packet: 1KiB, buffers: {size: 1KiB, overhead: 0us}}\n", "[links]")) ==
          Notes{"m.yaml:4:32: `buffers` have no effect: their overhead is zero"});
}

TEST_CASE("a bus or a NIC that messages hold for no time is noted") {
    CHECK(notes_on(hardware("bus: {o_dma: 0us, G_dma: 0ns/B}\n", "[bus]")) ==
          Notes{"m.yaml:4:6: `bus` delays no message: its service times are zero"});
    CHECK(notes_on(hardware("nic: {injection: 0ns/B, ejection: 0ns/B}\n", "[nic]")) ==
          Notes{"m.yaml:4:6: `nic` delays no message: its service times are zero"});
    CHECK(notes_on(hardware("nic: {injection: 0ns/B, ejection: 0ns/B, g: 1ns}\n", "[nic]")).empty());
}

TEST_CASE("memory that its cores cannot saturate is noted") {
    const std::string layer = "  chip: [" + kEager + "}]\n";
    // two cores draw 8 GB/s together
    CHECK(notes_on(hardware("cores: 2\nmemory: {bandwidth: 8GBps, per_core: 4GBps}\n", "[]", layer)) ==
          Notes{"m.yaml:5:9: `memory` slows no core: the cores that share the memory cannot exceed its bandwidth, even "
                "together"});
    CHECK(notes_on(hardware("cores: 2\nmemory: {bandwidth: 7GBps, per_core: 4GBps}\n", "[]", layer)) == Notes{});
}

TEST_CASE("memory that one core saturates is noted") {
    CHECK(notes_on(hardware("memory: {bandwidth: 1GBps, per_core: 5GBps}\n")) ==
          Notes{"m.yaml:4:9: `per_core` exceeds `bandwidth`: even a core that computes alone takes 5 times as long as "
                "without `memory`"});
    CHECK(notes_on(hardware("cores: 2\nmemory: {bandwidth: 5GBps, per_core: 5GBps}\n", "[]",
                            "  chip: [" + kEager + "}]\n")) == Notes{});
}

TEST_CASE("a processing of messages that is longer than the overheads, which contain it, is noted") {
    const auto with = [](const std::string& processing) {
        std::string text = hardware("message_processing: {enabled: on}\n");
        return notes_on(text.replace(text.find(", holds"), 0, ", processing: " + processing));
    };
    CHECK(with("1us") == Notes{});
    CHECK(with("1.1us") == Notes{"m.yaml:7:87: `processing` is longer than `o_send` or `o_recv`, although both contain "
                                 "the time of processing"});
}

TEST_CASE("a bus that is slower than a row that holds it is noted") {
    const auto with = [](const std::string& gap, const std::string& holds) {
        return notes_on(hardware("bus: {o_dma: 1us, G_dma: " + gap + "}\n", holds));
    };
    CHECK(with("1ns/B", "[bus]") == Notes{});
    CHECK(with("1.1ns/B", "[bus]") ==
          Notes{"m.yaml:7:68: `bus` is slower than this row, whose times per byte contain it: only messages that wait "
                "for the bus take its time"});
}

TEST_CASE("parts of a base are not noted: they serve other machines") {
    const std::string base = hardware("links: {choice: adaptive, parallel: 2}\n", "[links]");
    CHECK(notes_on("like: base.yaml\nlinks: {parallel: 1}\n", base) == Notes{});
    CHECK(notes_on("like: base.yaml\nlinks: {parallel: 1, choice: round_robin}\n", base) ==
          Notes{"m.yaml:2:30: `choice` has no effect: there is no parallel link"});
}

TEST_CASE("a latency of links that L contains on every route is noted") {
    const std::string note =
        "the latency of links has no effect: no route has more links than `links_in_L`, so `L` contains all their "
        "latency";
    CHECK(notes_on(hardware("links_in_L: 2\n")) == Notes{"m.yaml:4:13: " + note});  // a ring of four: at most two links
    CHECK(notes_on(hardware("links_in_L: 1\n")) == Notes{});
    std::string grows = hardware("links_in_L: 2\n");  // to longer routes
    CHECK(notes_on(grows.replace(grows.find("size: exact"), 11, "size: fit")) == Notes{});
    const std::string pair = platform_xml(
        "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><link id=\"l\" "
        "bandwidth=\"1GBps\" latency=\"LATENCY\"/><route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>");
    const auto on_platform = [&](const std::string& latency, const std::string& key) {
        const Workspace files;
        std::string xml = pair;
        files.write("p.xml", xml.replace(xml.find("LATENCY"), 7, latency));
        const auto file = files.write(
            "m.yaml", "name: m\nplatform: p.xml\nsize: exact\n" + key + "layers: {network: [" + kEager + "}]}\n");
        const Notes notes = check(file);
        return std::ranges::any_of(notes, [&](const std::string& each) { return each.ends_with(note); });
    };
    CHECK(on_platform("1us", ""));
    CHECK_FALSE(on_platform("0us", ""));
    CHECK_FALSE(on_platform("1us", "links_in_L: 0\n"));
}

TEST_CASE("a message that is faster than the links in L is noted") {
    const auto notes_with = [](const std::string& latency, const std::string& more = "") {
        return notes_on("name: m\ncores: 1\ntopology: {kind: torus, dimensions: [9], bandwidth: 1GBps, latency: " +
                        latency + "}\nsize: exact\n" + more +
                        "layers: {network: [{protocol: eager, o_send: 1us, L: 5us, o_recv: 2us, G: 1GBps}]}\n");
    };
    CHECK(notes_with("8us") == Notes{});  // o_send + L + o_recv
    CHECK(notes_with("9us") ==
          Notes{"a message of `layers.network` can take only 8us, but the links that `L` includes (`links_in_L: 1`) "
                "have a latency of 9us: a change of this latency has no effect"});
    const Notes longer{
        "a message of `layers.network` can take only 8us, but the links that `L` includes (`links_in_L: 3`) "
        "have a latency of 9us: a change of this latency has no effect"};
    CHECK(notes_with("3us", "links_in_L: 3\n") == longer);  // hosts 0 and 3 are three links apart
}

TEST_CASE("a message that is faster than the links in L is noted if some pair of ranks is so far apart") {
    const auto notes_with = [](std::uint32_t receiver) {
        const Workspace files;
        const auto file =
            files.write("m.yaml",
                        "name: m\ncores: 1\ntopology: {kind: torus, dimensions: [9], bandwidth: 1GBps, latency: 3us}\n"
                        "size: exact\nlinks_in_L: 3\n"
                        "layers: {network: [{protocol: eager, o_send: 1us, L: 5us, o_recv: 2us, G: 1GBps}]}\n");
        MachineRequest request = request_for(file, {4, 1});
        request.pairs = [receiver](const Say& say) { say({0}, {receiver}); };
        return build(request).machine.notes.size();
    };
    CHECK(notes_with(1) == 0);  // one link
    CHECK(notes_with(2) == 0);  // 6 us of links
    CHECK(notes_with(3) == 1);
}
