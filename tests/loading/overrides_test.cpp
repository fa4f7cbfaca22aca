// Overrides of a machine by a scenario.
#include "tests/approx.hpp"
#include "tests/loading/platforms.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine::overrides_test {

namespace {

const std::string kFile = R"(name: m
platform: p.xml
size: fit
chips: 1
bus: {o_dma: 2us, G_dma: 4GBps}
nic: {injection: 2GBps, ejection: 0.25ns/B}
links: {enabled: on}
layers:
  chip:
    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 0us, G: 1ns/B}
  network:
    - {up_to: 1KiB, protocol: eager, o_send: 3us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [bus, nic, links]}
    - {protocol: eager, o_send: 5us, o_recv: 1us, L: 1us, G_recv: 2GBps, holds: [bus, nic, links]}
)";

Machine changed(const std::string& changes, const std::string& xml = torus_xml("4,3,2", 24),
                const std::string& file = kFile) {
    const Workspace files;
    files.write("p.xml", xml);
    Diagnostics faults;
    MachineRequest request;
    request.hardware_file = files.write("m.yaml", file);
    request.overrides.tree = input::parse_yaml(files.source("changes.yaml", changes), faults);
    faults.raise();
    request.grid = {4, 1};
    request.pairs = [](const std::function<void(Rank, Rank)>& say) { say({0}, {1}), say({1}, {0}); };
    return build(request).machine;
}
Diagnostics refused(const std::string& changes, const std::string& xml = torus_xml("4,3,2", 24)) {
    return faults_of([&] { changed(changes, xml); });
}

const ProfileRow& network(const Machine& machine, std::size_t row) { return machine.profile(machine.network())[row]; }

}  // namespace

TEST_CASE("bandwidths may be in bits, as values of a machine, of a link and of a gap") {
    CHECK(changed("nic: {injection: 200Gb/s}").nic->injection.seconds_per_byte == warpfront::test::approx(1 / 25e9));
    CHECK(changed("bus: {G_dma: 8Gib/s}").bus->G_dma.seconds_per_byte == warpfront::test::approx(std::exp2(-30)));
    const Machine slower = changed("links: {torus: {bandwidth: 8kb/s}}");
    CHECK(std::get<TorusRoutes>(slower.routes.zone).link_gap == Gap{1 / 1000.0});
}

TEST_CASE("a value replaces that of the file, a factor multiplies it") {
    CHECK(changed("bus: {o_dma: 7us}").bus->o_dma == Time{7'000'000});
    CHECK(changed("bus: {o_dma: 2.5x}").bus->o_dma == Time{5'000'000});
    CHECK(changed("cores: 8").cores == 8);
    CHECK_FALSE(changed("nic: {enabled: off}").nic);
    CHECK(changed("nic: {g: 8ns}").nic->g == Time{8'000});
    CHECK(changed("links: {parallel: 4, choice: adaptive}").links->parallel == 4);
    CHECK(changed("{groups: 2, cores: 4}").bus->count == 2);  // two buses and two NICs
    CHECK(changed("{groups: 2, cores: 4}").nic->count == 2);
}

TEST_CASE("costs of a layer are overridden in every row that has them") {
    const Machine slower = changed("layers: {network: {o_send: 2x, G_recv: {gap: 3x}}}");
    CHECK(network(slower, 0).o_send == Time{6'000'000});
    CHECK(network(slower, 1).o_send == Time{10'000'000});
    CHECK(network(slower, 0).G_recv == Gap{});
    CHECK(network(changed("layers: {network: {L: 9us}}"), 1).L == Time{9'000'000});
    CHECK(network(slower, 0).o_recv == Time{1'000'000});
}

TEST_CASE("one row of a layer under two names is a fault, as a key that stands twice") {
    const Diagnostics faults = refused("layers: {'network[up_to=1KiB]': {L: 2x}, 'network[up_to=1024B]': {L: 4x}}");
    REQUIRE(faults.count() == 1);
    CHECK(faults.all()[0].kind == duplicate_key);
    CHECK(faults.all()[0].message == "`network[up_to=1KiB]` and `network[up_to=1024B]` are the same row");
}

TEST_CASE("costs of one row of a layer are overridden by its up_to, and those of the last row") {
    const Machine first = changed("layers: {'network[up_to=1KiB]': {o_send: 2x, L: 7us}}");
    CHECK(network(first, 0).o_send == Time{6'000'000});
    CHECK(network(first, 0).L == Time{7'000'000});
    CHECK(network(first, 1).o_send == Time{5'000'000});
    CHECK(network(first, 1).L == Time{1'000'000});
    CHECK(network(changed("layers: {'network[up_to=1024B]': {L: 7us}}"), 0).L == Time{7'000'000});
    const Machine last = changed("layers: {'network[last]': {o_send: 2x, L: 8us}}");
    CHECK(network(last, 0).o_send == Time{3'000'000});
    CHECK(network(last, 1).o_send == Time{10'000'000});
    CHECK(network(last, 0).L == Time{1'000'000});
    CHECK(network(last, 1).L == Time{8'000'000});
}

TEST_CASE("overrides of one row come after those of all rows, whichever is written first") {
    for (const std::string changes : {"layers: {network: {o_send: 2us}, 'network[last]': {o_send: 2x}}",
                                      "layers: {'network[last]': {o_send: 2x}, network: {o_send: 2us}}"}) {
        CAPTURE(changes);
        const Machine machine = changed(changes);
        CHECK(network(machine, 0).o_send == Time{2'000'000});
        CHECK(network(machine, 1).o_send == Time{4'000'000});
    }
}

TEST_CASE("rules of a collective are rows as well") {
    using collectives::Algorithm;
    using collectives::Kind;
    const std::string rules = "collectives: {alltoall: [{up_to: 200B, algorithm: bruck}, {algorithm: pairwise}]}\n";
    const Machine machine =
        changed("collectives: {'alltoall[last]': {algorithm: linear}}", torus_xml("4,3,2", 24), kFile + rules);
    CHECK(machine.collectives.choose({Kind::alltoall, 0, {200}}, 4).algorithm == Algorithm::bruck);
    CHECK(machine.collectives.choose({Kind::alltoall, 0, {201}}, 4).algorithm == Algorithm::linear);
}

TEST_CASE("a row that a list does not have, and rows of what is no list, are faults") {
    const Diagnostic row = only(refused("layers: {'network[up_to=2KiB]': {L: 2x}}"), bad_override);
    CHECK(row.message == "`network` has no row `[up_to=2KiB]`");
    CHECK(row.expected == "expected one of `[up_to=1KiB]`, `[last]`; the nearest is `[up_to=1KiB]`");
    CHECK(marked(row).find("network[up_to=2KiB]") != std::string::npos);
    CHECK(only(refused("layers: {'network[first]': {L: 2x}}"), bad_override).expected ==
          "expected one of `[up_to=1KiB]`, `[last]`");
    CHECK(only(refused("layers: {'chip[up_to=2KiB]': {L: 2x}}"), bad_override).expected == "expected `[last]`");
    CHECK(only(refused("layers: {'network[up_to=1]': {L: 2x}}"), missing_unit).message == "`1` has no unit");
    CHECK(only(refused("'nic[last]': {injection: 2GBps}"), bad_override).message == "`nic` is not a list of rows");
    CHECK(only(refused("layers: {'netwrok[last]': {L: 2x}}"), unknown_key).expected == "did you mean `network`?");
    CHECK(only(refused("layers: {'network[last]': 2x}"), wrong_yaml_type).message ==
          "`network[last]` is a row, not a single value");
}

TEST_CASE("a key that the row does not have cannot be multiplied") {
    CHECK(summary_of(only(refused("layers: {'network[up_to=1KiB]': {G_recv: {gap: 2x}}}"), unknown_key)) ==
          "changes.yaml:1:34 unknown_key [G_recv] there is no `G_recv` to multiply in the hardware file | did "
          "you mean `o_recv`?");
    CHECK(only(refused("layers: {'network[last]': {o_sned: 2us}}"), unknown_key).expected == "did you mean `o_send`?");
}

TEST_CASE("a factor of a bandwidth and one of a time per byte are inverse, however the file writes the value") {
    const auto gap = [](const std::string& changes, const auto& of) {
        return warpfront::test::approx(of(changed(changes)).seconds_per_byte).epsilon(1e-12);
    };
    const auto dma = [](const Machine& machine) { return machine.bus->G_dma; };             // 4 GB/s are 0.25 ns/B
    const auto injection = [](const Machine& machine) { return machine.nic->injection; };   // 2 GB/s are 0.5 ns/B
    const auto ejection = [](const Machine& machine) { return machine.nic->ejection; };     // 0.25 ns/B
    const auto G = [](const Machine& machine) { return network(machine, 0).G; };            // 1 ns/B
    const auto G_recv = [](const Machine& machine) { return network(machine, 1).G_recv; };  // 2 GB/s are 0.5 ns/B
    CHECK(gap("bus: {G_dma: {gap: 2x}}", dma) == 0.5e-9);
    CHECK(gap("bus: {G_dma: {bandwidth: 2x}}", dma) == 0.125e-9);
    CHECK(gap("nic: {injection: {gap: 2x}}", injection) == 1e-9);
    CHECK(gap("nic: {injection: {bandwidth: 2x}}", injection) == 0.25e-9);
    CHECK(gap("nic: {ejection: {gap: 2x}}", ejection) == 0.5e-9);
    CHECK(gap("nic: {ejection: {bandwidth: 2x}}", ejection) == 0.125e-9);
    CHECK(gap("layers: {network: {G: {gap: 2x}}}", G) == 2e-9);
    CHECK(gap("layers: {'network[up_to=1KiB]': {G: {bandwidth: 2x}}}", G) == 0.5e-9);
    CHECK(gap("layers: {network: {G_recv: {gap: 2x}}}", G_recv) == 1e-9);
    CHECK(gap("layers: {network: {G_recv: {bandwidth: 2x}}}", G_recv) == 0.25e-9);
}

TEST_CASE("a factor of a key that may be a bandwidth or a time per byte names which of the two it multiplies") {
    for (const auto& [changes, key, written] :
         std::vector<std::array<std::string, 3>>{{"layers: {network: {G: 2x}}", "G", "1ns/B"},
                                                 {"layers: {network: {G_recv: 2x}}", "G_recv", "2GBps"},
                                                 {"bus: {G_dma: 2x}", "G_dma", "4GBps"},
                                                 {"nic: {injection: 2x}", "injection", "2GBps"},
                                                 {"nic: {ejection: 2x}", "ejection", "0.25ns/B"}}) {
        CAPTURE(changes);
        const Diagnostic fault = only(refused(changes), bad_override);
        CHECK(fault.message ==
              fmt::format("the factor `2x` of `{}`, which is `{}`, could multiply a bandwidth or a time per byte", key,
                          written));
        CHECK(fault.expected == fmt::format("expected `{0}.bandwidth=2x` or `{0}.gap=2x`, in a file `{0}: {{bandwidth: "
                                            "2x}}` or `{0}: {{gap: 2x}}`",
                                            key));
        CHECK(marked(fault) == "2x");
    }
    // the name of a link's bandwidth, or a memory's, determines its kind
    CHECK(std::get<TorusRoutes>(changed("links: {torus: {bandwidth: 2x}}").routes.zone).link_gap == Gap{1 / 12e9});
}

TEST_CASE("of a bandwidth and a time per byte one factor is given, and no value") {
    const auto fault = [](const std::string& factors) {
        return only(refused("bus: {G_dma: " + factors + "}"), bad_override);
    };
    CHECK(fault("{bandwidth: 2x, gap: 2x}").message == "`G_dma` has 2 factors");
    CHECK(fault("{}").message == "`G_dma` has 0 factors");
    CHECK(fault("{bandwidth: 2GBps}").message == "`bandwidth` of `G_dma` is not a factor");
    CHECK(fault("{bandwidth: 2GBps}").expected ==
          "expected a factor of one of the two, such as `G_dma: {bandwidth: 2x}` or `G_dma: {gap: 2x}`");
    CHECK(only(refused("bus: {G_dma: {bandwith: 2x}}"), unknown_key).expected == "did you mean `bandwidth`?");
    CHECK(only(refused("bus: {G_dma: {gap: -1x}}"), out_of_range).message == "`-1x` is out of range");
}

TEST_CASE("links of a platform are overridden by the kind of their cluster, by its name, and all of them") {
    for (const char* name : {"torus", "t", "all"}) {
        const Machine machine = changed(fmt::format("links: {{{}: {{bandwidth: 2x, latency: 1us}}}}", name));
        const auto& torus = std::get<TorusRoutes>(machine.routes.zone);
        CHECK(torus.link_gap == Gap{1 / 12e9});
        CHECK(torus.link_latency == Time{1'000'000});
    }
    CHECK(changed("links: {torus: {bandwidth: 2x}}").links);  // the hardware file's own key stays as it was
}

TEST_CASE("the keys of `links` that have keys of their own are no names of links") {
    const std::string shared =
        "links: {packet: 1KiB, overhead: 1us, arbitration: {pairs: 2, overhead: 1us}, buffers: {size: 4KiB, overhead: "
        "1us}}";
    std::string file = kFile;
    file.replace(file.find("links: {enabled: on}"), 20, shared);
    const Machine machine =
        changed("links: {arbitration: {pairs: 4, overhead: 2x}, buffers: {size: 8KiB}}", torus_xml("4,3,2", 24), file);
    CHECK(machine.links->arbitration == Arbitration{.pairs = 4, .overhead = Time{2'000'000}});
    CHECK(network(machine, 0).packet.buffers == Bytes{8192});
    CHECK(changed("links: {arbitration: {pairs: 4, overhead: 1us}}").links->arbitration ==
          Arbitration{.pairs = 4, .overhead = Time{1'000'000}});
}

TEST_CASE("links of other clusters, limiters and backbones have names too") {
    const std::string limited = star_xml(7, R"(bb_bw="10GBps" bb_lat="30ns" limiter_link="2GBps")");
    const auto star = [&](const std::string& changes) {
        return std::get<StarRoutes>(changed(changes, limited).routes.zone);
    };
    CHECK(star("links: {flat: {bandwidth: 5GBps}}").link_gap == Gap{1 / 5e9});
    CHECK(star("links: {flat: {bandwidth: 5GBps}}").limiter == Gap{1 / 2e9});
    CHECK(star("links: {limiter: {bandwidth: 0.5x}}").limiter == Gap{1 / 1e9});
    CHECK(star("links: {backbone: {bandwidth: 2x}}").backbone == Gap{1 / 20e9});
    const Diagnostic none = only(refused("links: {limiter: {bandwidth: 2x}}"), unknown_link);
    CHECK(none.message == "no link is called `limiter`");
    CHECK(none.expected.find("`limiter`") == std::string::npos);  // a torus without limiters
    const auto tree = std::get<FatTreeRoutes>(
        changed("links: {fat_tree: {latency: 2x}}", fat_tree_xml("3;64,64,4;2,2,2;1,1,1", 16384)).routes.zone);
    CHECK(tree.link_latency == Time{100'000});  // also of a large one, of which SimGrid saw a small copy
}

TEST_CASE("links of an explicit platform are overridden by their names") {
    const std::string xml = platform_xml(R"(<zone id="w" routing="Floyd"><host id="a" speed="1Gf" core="2"/>
<host id="b" speed="1Gf" core="2"/><host id="c" speed="1Gf" core="2"/><host id="d" speed="1Gf" core="2"/>
<link id="ab" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="ab"/></route></zone>)");
    const Machine machine = changed("links: {ab: {latency: 3x, bandwidth: 4x}}", xml);
    const auto& table = std::get<TableRoutes>(machine.routes.zone);
    CHECK(table.at(Host{0}, Host{1}).latency == Time{3'000'000});
    CHECK(table.gaps.at(0) == Gap{1 / 4e9});
    CHECK(only(refused("links: {ac: {bandwidth: 2x}}", xml), unknown_link).expected == "did you mean `ab`?");
}

TEST_CASE("a SPLITDUPLEX link is two links, whose names are suggested") {
    const std::string xml = platform_xml(R"(<zone id="w" routing="Floyd"><host id="a" speed="1Gf" core="2"/>
<host id="b" speed="1Gf" core="2"/><host id="c" speed="1Gf" core="2"/><host id="d" speed="1Gf" core="2"/>
<link id="l5" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
<route src="a" dst="b"><link_ctn id="l5" direction="UP"/></route></zone>)");
    CHECK(only(refused("links: {l5: {bandwidth: 2x}}", xml), unknown_link).expected ==
          "expected `l5_UP` or `l5_DOWN`, since SimGrid has a link for each direction");
}

TEST_CASE("a topology replaces the platform, and is overridden key by key") {
    const std::string ring = "kind: torus, dimensions: [9], bandwidth: 1GBps, latency: 1us";
    CHECK(changed(fmt::format("{{cores: 2, topology: {{{}}}}}", ring)).hosts == 9);
    std::string own = kFile;
    own.replace(own.find("platform: p.xml"), 15, fmt::format("cores: 2\ntopology: {{{}}}", ring));
    const Machine faster = changed("topology: {bandwidth: 4x}", "", own);
    CHECK(std::get<TorusRoutes>(faster.routes.zone).link_gap == Gap{1 / 4e9});
    CHECK(changed("links: {torus: {latency: 2us}}", "", own).routes.extra_latency(Host{0}, Host{2}) == Time{2'000'000});
    CHECK(
        changed("topology: {kind: hyperx, dimensions: [3], hosts: 2, bandwidth: 1GBps, latency: 1us}", "", own).hosts ==
        6);
    CHECK(only(faults_of([&] { changed("links: {hyperx: {latency: 2us}}", "", own); }), unknown_link).message ==
          "no link is called `hyperx`");
    CHECK(only(faults_of([&] { changed("links: {torus: {bandwith: 2x}}", "", own); }), unknown_key).message ==
          "unknown key `bandwith` in `torus`");
    CHECK(only(faults_of([&] { changed("links: {all: {bandwidth: 0x}}", "", own); }), out_of_range).message ==
          "the bandwidth is 0");
}

TEST_CASE("`like: smpi` replaces all rows of a layer") {
    CHECK_FALSE(changed("layers: {network: {L: 2us}}").like_smpi);
    CHECK(changed("layers: {network: {like: smpi}}").like_smpi);
}

TEST_CASE("overrides of absent keys are faults at their positions") {
    CHECK(summary_of(only(refused("nic: {injektion: 2x}"), unknown_key)) ==
          "changes.yaml:1:7 unknown_key [injektion] there is no `injektion` to multiply in the hardware file | "
          "did you mean `injection`?");
    CHECK(only(refused("buss: {enabled: off}"), unknown_key).expected == "did you mean `bus`?");
    CHECK(only(refused("buss: {o_dma: 2x}"), unknown_key).message ==
          "the hardware file has no `buss`, so there is no `o_dma` to multiply");
    CHECK(only(refused("memory: {bandwidth: 2x}"), unknown_key).message ==
          "the hardware file has no `memory`, so there is no `bandwidth` to multiply");
    CHECK(only(refused("size: {nodes: 2x}"), bad_override).message ==
          "the value of `size` in the hardware file has no keys, so there is no `nodes` to multiply");
    CHECK(only(refused("links: {torsu: {bandwidth: 2x}}"), unknown_link).expected == "did you mean `torus`?");
    CHECK(only(refused("links: {torus: {bandwith: 2x}}"), unknown_key).expected == "did you mean `bandwidth`?");
}

TEST_CASE("invalid values are faults") {
    CHECK(only(refused("links: {torus: {bandwidth: 0x}}"), out_of_range).message == "the bandwidth is 0");
    CHECK(only(refused("links: {torus: {bandwidth: 0GBps}}"), out_of_range).expected == "expected more than 0 B/s");
    for (const char* changes : {"layers: {network: {L: -2x}}", "links: {torus: {latency: -2x}}"}) {
        const Diagnostic negative = only(refused(changes), out_of_range);
        CHECK(negative.message == "`-2x` is out of range");
        CHECK(negative.expected == "expected a factor of at least 0, such as `0.5x`");
        CHECK(marked(negative) == "-2x");
    }
    CHECK(only(refused("nic: {ejection: {bandwidth: 0x}}"), out_of_range).message ==
          "`ejection` cannot be multiplied by 0");
    CHECK(only(refused("bus: {o_dma: 3 parsec}"), unknown_unit).message.find("parsec") != std::string::npos);
    CHECK(only(refused("name: {o_dma: 3us}"), wrong_yaml_type).message == "`name` is a mapping");
    CHECK(only(refused("links: {enabled: 2x}"), wrong_yaml_type).message ==
          "`enabled` is not a number, so it cannot be multiplied");
}

}  // namespace warpfront::machine::overrides_test
