// No message is faster than its slowest wire: random platforms with random wires and NICs, one message in flight at a
// time, on the event engine and on SimGrid. To search further:
//   RC_PARAMS="seed=7 max_success=1000" build/tests/wires_test
//
// Not pinned here: the rule for one message, with packets and copies (tests/network); the notes on slow wires
// (tests/machine, tests/end_to_end); more than two messages that wait for each other (tests/engine, tests/reference).
#include "simulator/reference/reference.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tests/properties/property.hpp"
#include "tests/scratch.hpp"
#include "tests/texts.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace {

template <typename Number>
Number between(Number least, Number most) {
    return *rc::gen::inRange<Number>(least, most + 1);
}

bool flip() { return *rc::gen::arbitrary<bool>(); }

/// Draws bytes per second, from 1 MB/s to 10 GB/s, equally likely in each decade.
double any_bandwidth() { return std::floor(std::pow(10.0, 6.0 + static_cast<double>(between(0, 4000)) / 1000.0)); }

std::string rate(double bandwidth) { return fmt::format("{:.0f}Bps", bandwidth); }

/// A network and two of its hosts, and the lowest bandwidth of the links between them.
struct Network {
    std::string xml;       // a SimGrid platform, or
    std::string topology;  // by rule
    std::string edges{};   // of a topology that is a file of edges
    std::uint32_t from = 0;
    std::uint32_t to = 1;
    double slowest = 0.0;
};

void choose_hosts(std::uint32_t hosts, Network& network) {
    network.from = between<std::uint32_t>(0, hosts - 1);
    network.to = (network.from + between<std::uint32_t>(1, hosts - 1)) % hosts;
}

std::string sharing() {
    return fmt::format("sharing_policy=\"{}\"", *rc::gen::element("SHARED", "SPLITDUPLEX", "FATPIPE"));
}

/// Returns hosts in a row, with a link between neighbours.
Network chain() {
    Network network;
    const auto hosts = between<std::uint32_t>(2, 6);
    choose_hosts(hosts, network);
    network.slowest = 1e18;
    std::string links;
    std::string routes;
    std::string body = "<zone id=\"z\" routing=\"Floyd\">\n";
    for (std::uint32_t k = 0; k < hosts; ++k) body += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>\n", k);
    for (std::uint32_t k = 0; k + 1 < hosts; ++k) {
        const double bandwidth = any_bandwidth();
        const bool crossed = k >= std::min(network.from, network.to) && k < std::max(network.from, network.to);
        if (crossed) network.slowest = std::min(network.slowest, bandwidth);
        const std::string policy = sharing();
        const bool duplex = policy.find("SPLITDUPLEX") != std::string::npos;
        links += fmt::format("<link id=\"l{}\" bandwidth=\"{}\" latency=\"1us\" {}/>\n", k, rate(bandwidth), policy);
        const auto hop = [&](std::uint32_t a, std::uint32_t b, const char* direction) {
            const std::string side = duplex ? fmt::format(" direction=\"{}\"", direction) : "";
            routes += fmt::format(
                "<route src=\"h{}\" dst=\"h{}\" symmetrical=\"NO\"><link_ctn id=\"l{}\"{}/></route>\n", a, b, k, side);
        };
        hop(k, k + 1, "UP");
        hop(k + 1, k, "DOWN");
    }
    network.xml = test::platform_xml(body + links + routes + "</zone>");
    return network;
}

/// Returns a `<cluster>` of this shape, perhaps with a limiter at each host, and a backbone if it is flat.
Network cluster(const std::string& shape, std::uint32_t hosts, bool flat) {
    Network network;
    choose_hosts(hosts, network);
    network.slowest = any_bandwidth();
    std::string more = flip() ? " sharing_policy=\"SPLITDUPLEX\"" : "";
    const auto limit = [&](const std::string& key) {
        const double bandwidth = any_bandwidth();
        network.slowest = std::min(network.slowest, bandwidth);
        more += fmt::format(" {}=\"{}\"", key, rate(bandwidth));
    };
    const std::string bandwidth = rate(network.slowest);
    if (flip()) limit("limiter_link");
    if (flat && flip()) {
        limit("bb_bw");
        more += flip() ? " bb_lat=\"1us\" bb_sharing_policy=\"FATPIPE\"" : " bb_lat=\"1us\"";
    }
    network.xml = test::platform_xml(fmt::format(
        "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"{}\" lat=\"1us\"{}{}/>",
        hosts - 1, bandwidth, shape, more));
    return network;
}

/// Returns two flat clusters joined by a link.
Network two_clusters() {
    Network network;
    const auto each = between<std::uint32_t>(1, 3);
    const double joint = any_bandwidth();
    std::string body = "<zone id=\"z\" routing=\"Full\">\n";
    network.slowest = joint;
    for (const char* name : {"a", "b"}) {
        const double bandwidth = any_bandwidth();
        network.slowest = std::min(network.slowest, bandwidth);
        body += fmt::format(
            "<cluster id=\"{0}\" prefix=\"{0}-\" suffix=\"\" radical=\"0-{1}\" speed=\"1Gf\" bw=\"{2}\" "
            "lat=\"1us\" router_id=\"router-{0}\"/>\n",
            name, each - 1, rate(bandwidth));
    }
    body += fmt::format("<link id=\"joint\" bandwidth=\"{}\" latency=\"1us\"{}/>\n", rate(joint),
                        flip() ? " sharing_policy=\"FATPIPE\"" : "");
    body +=
        "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"router-a\" gw_dst=\"router-b\"><link_ctn id=\"joint\"/></zoneRoute>\n";
    network.xml = test::platform_xml(body + "</zone>");
    network.from = between<std::uint32_t>(0, each - 1);
    network.to = each + between<std::uint32_t>(0, each - 1);
    return network;
}

Network by_rule(const std::string& kind, std::uint32_t hosts) {
    Network network;
    choose_hosts(hosts, network);
    network.slowest = any_bandwidth();
    network.topology = fmt::format("{{{}, bandwidth: {}, latency: 1us}}", kind, rate(network.slowest));
    return network;
}

/// Returns four switches in a row, joined by links of different bandwidths; a host on each.
Network edges() {
    Network network;
    choose_hosts(4, network);
    network.slowest = any_bandwidth();
    network.topology =
        fmt::format("{{kind: graph, file: e.txt, hosts: 1, bandwidth: {}, latency: 1us}}", rate(network.slowest));
    for (std::uint32_t k = 0; k < 3; ++k) {
        const double bandwidth = any_bandwidth();
        network.edges += fmt::format("s{} s{} {} 1us\n", k, k + 1, rate(bandwidth));
        const bool crossed = k >= std::min(network.from, network.to) && k < std::max(network.from, network.to);
        if (crossed) network.slowest = std::min(network.slowest, bandwidth);
    }
    return network;
}

Network any_network() {
    switch (between(0, 11)) {
        case 0: return chain();
        case 1: return cluster("", between<std::uint32_t>(2, 9), true);
        case 2: return cluster(" topology=\"TORUS\" topo_parameters=\"3,2,4\"", 24, false);
        case 3: return cluster(" topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\"", 16, false);
        case 4: return cluster(" topology=\"DRAGONFLY\" topo_parameters=\"3,2;2,1;4,3;2\"", 48, false);
        case 5: return two_clusters();
        case 6: return by_rule("kind: torus, dimensions: [4, 3]", 12);
        case 7: return by_rule("kind: fat_tree, children: [3, 4], parents: [1, 2]", 12);
        case 8: return by_rule("kind: dragonfly, groups: 3, chassis: 1, blades: 4, nodes: 2, blue: 2", 24);
        case 9: return by_rule("kind: hyperx, dimensions: [3, 3], hosts: 2", 18);
        case 10: return edges();
        default: return by_rule("kind: random_regular, switches: 8, degree: 3, hosts: 2, seed: 5", 16);
    }
}

struct Costs {
    std::int64_t o_send_ns = 0;
    std::int64_t o_recv_ns = 0;
    std::int64_t L_ns = 0;
    double G = 0.0;  // bytes per second; 0: no time per byte
    bool rendezvous = false;
};

Costs any_costs() {
    return {between<std::int64_t>(0, 5000), between<std::int64_t>(0, 5000), between<std::int64_t>(1, 9000),
            flip() ? any_bandwidth() : 0.0, flip()};
}

/// The NICs of a node; without bandwidths there are none.
struct Nics {
    double injection = 0.0;
    double ejection = 0.0;
    bool shared = true;
};

std::string hardware(const Network& network, const Costs& costs, const Nics& nics, bool share_links, int cores) {
    std::string text = "name: m\nsize: exact\nlinks_in_L: 65536\n";
    text += fmt::format("cores: {}\n", cores);
    text += network.topology.empty() ? "platform: p.xml\n" : "topology: " + network.topology + "\n";
    text += fmt::format("links: {{enabled: {}}}\n", share_links ? "on" : "off");
    std::string holds = "links";
    if (nics.injection > 0.0) {
        text += fmt::format("nic: {{enabled: {}, injection: {}, ejection: {}}}\n", nics.shared ? "on" : "off",
                            rate(nics.injection), rate(nics.ejection));
        holds = "nic, links";
    }
    text += "layers:\n";
    const std::string row = fmt::format("    - {{protocol: {}, o_send: {}ns, o_recv: {}ns, L: {}ns, G: {}",
                                        costs.rendezvous ? "rendezvous" : "eager", costs.o_send_ns, costs.o_recv_ns,
                                        costs.L_ns, costs.G > 0.0 ? rate(costs.G) : "0ns/B");
    if (cores > 1) text += "  chip:\n" + row + "}\n";
    return text + fmt::format("  network:\n{}, holds: [{}]}}\n", row, holds);
}

/// The finish times of the last rank, in picoseconds.
struct Finishes {
    std::int64_t event = 0;
    std::int64_t simgrid = 0;
};

std::int64_t last(const record::Record& record) { return static_cast<std::int64_t>(record.finish.ps); }

Finishes run_both(const test::Scratch& files, const std::string& scenario) {
    const std::filesystem::path path = files.file("s.yaml", scenario);
    const tools::Experiment experiment =
        tools::build_experiment(scenario::read_scenario(scenario::read_document(path, {})));
    return {last(engine::run(experiment.program, experiment.machine, {})),
            last(reference::run(experiment.program, experiment.machine, {}).record)};
}

constexpr int kRoundTrips = 2;

const char* const kPingPong = R"(application pingpong {
    param size: bytes = 1B
    iteration {
        repeat 2 {
            if rank == 0 { send size to east recv from east } else { recv from west send size to west }
        }
    }
}
)";

}  // namespace

TEST_CASE("one message at a time takes L + o + max(S G, S / b) on both engines, on any platform") {
    test::holds({60, 48}, [] {
        const Network network = any_network();
        const Costs costs = any_costs();
        const auto size = static_cast<std::int64_t>(std::pow(10.0, static_cast<double>(between(0, 7000)) / 1000.0));
        Nics nics;
        if (flip()) nics = {any_bandwidth(), any_bandwidth(), flip()};
        const test::Scratch files;
        if (!network.xml.empty()) files.file("p.xml", network.xml);
        if (!network.edges.empty()) files.file("e.txt", network.edges);
        files.file("m.psl", kPingPong);
        files.file("hosts.txt", fmt::format("{}\n{}\n", network.from, network.to));
        files.file("hw.yaml", hardware(network, costs, nics, flip(), 1));
        const Finishes found = run_both(
            files, fmt::format("model: m.psl\nplatform: hw.yaml\nranks: {{columns: 2, rows: 1}}\nparameters: {{size: "
                               "{}B}}\nplacement: {{file: hosts.txt}}\n",
                               size));

        double slowest = network.slowest;
        if (nics.injection > 0.0) slowest = std::min({slowest, nics.injection, nics.ejection});
        const double wire = static_cast<double>(size) / slowest;
        const double table = costs.G > 0.0 ? static_cast<double>(size) / costs.G : 0.0;
        const auto transfer = static_cast<std::int64_t>(std::llround(1e12 * std::max(wire, table)));
        const std::int64_t latencies = costs.rendezvous ? 3 : 1;  // request, acknowledgement, data
        const std::int64_t message = 1000 * (costs.o_send_ns + latencies * costs.L_ns + costs.o_recv_ns) + transfer;
        const std::int64_t expected = 2 * kRoundTrips * message;
        RC_LOG() << "expected " << expected << ", event " << found.event << ", simgrid " << found.simgrid << "\n";
        RC_ASSERT(std::abs(found.event - expected) <= 2 * kRoundTrips);  // a picosecond for each, of rounding
        RC_ASSERT(std::abs(found.simgrid - expected) <= 1000);
    });
}

namespace {

const char* const kTwoMessages = R"(application two {
    param first: bytes = 1B
    param second: bytes = 1B
    iteration {
        if rank == 0 { send first to rank_at(3, 1) }
        if rank == 1 { send second to rank_at(4, 1) }
        if rank == 2 { recv from rank_at(1, 1) }
        if rank == 3 { recv from rank_at(2, 1) }
    }
}
)";

/// Returns two hosts to the left of a link and two to the right, each with its own link, which is faster.
Network dumbbell(double middle) {
    std::string body = "<zone id=\"z\" routing=\"Full\">\n";
    for (int host = 0; host < 4; ++host) body += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>\n", host);
    body += fmt::format("<link id=\"middle\" bandwidth=\"{}\" latency=\"1us\"/>\n", rate(middle));
    for (int host = 0; host < 4; ++host) {
        body += fmt::format("<link id=\"l{}\" bandwidth=\"{}\" latency=\"1us\"/>\n", host, rate(100 * middle));
    }
    for (int left = 0; left < 2; ++left) {
        for (int right = 2; right < 4; ++right) {
            body += fmt::format(
                "<route src=\"h{0}\" dst=\"h{1}\"><link_ctn id=\"l{0}\"/><link_ctn id=\"middle\"/><link_ctn "
                "id=\"l{1}\"/></route>\n",
                left, right);
        }
    }
    return {.xml = test::platform_xml(body + "</zone>"),
            .topology = {},
            .edges = {},
            .from = 0,
            .to = 2,
            .slowest = middle};
}

/// Checks that both engines finish the second of the messages at the same time within 1 %.
void compare_shared(const Network& network, const Nics& nics, int cores, std::int64_t first, std::int64_t second,
                    double bandwidth) {
    const Costs costs{.o_send_ns = 1000, .o_recv_ns = 1000, .L_ns = 1000, .G = 0.0, .rendezvous = flip()};
    const test::Scratch files;
    if (!network.xml.empty()) files.file("p.xml", network.xml);
    files.file("m.psl", kTwoMessages);
    files.file("hw.yaml", hardware(network, costs, nics, true, cores));
    const Finishes found =
        run_both(files, fmt::format("model: m.psl\nplatform: hw.yaml\nranks: {{columns: 4, rows: 1}}\nnode: {{columns: "
                                    "{}, rows: 1}}\nplacement: linear\nparameters: {{first: {}B, second: {}B}}\n",
                                    cores, first, second));
    const double all = 1e12 * static_cast<double>(first + second) / bandwidth;
    RC_LOG() << "both on the wire " << all << ", event " << found.event << ", simgrid " << found.simgrid << "\n";
    RC_ASSERT(std::abs(static_cast<double>(found.event) / static_cast<double>(found.simgrid) - 1.0) <= 0.01);
    RC_ASSERT(static_cast<double>(found.event) >= all);
}

std::int64_t any_large_size() { return between<std::int64_t>(1'000'000, 10'000'000); }

}  // namespace

TEST_CASE("the last byte of two messages that share a link arrives at the same time, queued or shared evenly") {
    test::holds({15, 49}, [] {
        const double bandwidth = std::floor(any_bandwidth() / 100);
        compare_shared(dumbbell(bandwidth), {}, 1, any_large_size(), any_large_size(), bandwidth);
    });
}

TEST_CASE("the last byte of two messages that share injection at a NIC arrives at the same time") {
    test::holds({15, 50}, [] {
        const double bandwidth = std::floor(any_bandwidth() / 100);
        const Network network = {.xml = {},
                                 .topology = "{kind: torus, dimensions: [2], bandwidth: 100GBps, latency: 1us}",
                                 .edges = {},
                                 .from = 0,
                                 .to = 1,
                                 .slowest = 1e11};
        compare_shared(network, {bandwidth, 1e11}, 2, any_large_size(), any_large_size(), bandwidth);
    });
}

// The engine serves ejection at a NIC from the arrival of a message's last byte on, so this applies only to messages of
// one size.
TEST_CASE("the last byte of two messages of one size that share ejection at a NIC arrives at the same time") {
    test::holds({15, 51}, [] {
        const double bandwidth = std::floor(any_bandwidth() / 100);
        const Network network = {.xml = {},
                                 .topology = "{kind: torus, dimensions: [2], bandwidth: 100GBps, latency: 1us}",
                                 .edges = {},
                                 .from = 0,
                                 .to = 1,
                                 .slowest = 1e11};
        const std::int64_t size = any_large_size();
        compare_shared(network, {1e11, bandwidth}, 2, size, size, bandwidth);
    });
}
