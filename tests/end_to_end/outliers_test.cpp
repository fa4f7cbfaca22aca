// `warpfront explain` names the one part of a machine that is slower than the others: a node, a socket, a rank, a link,
// or a socket with more ranks than the other. The time that it states is that of a run without the fault.
#include "tests/end_to_end/program.hpp"

namespace {

constexpr int kNodes = 16;  // 4 x 4, one to a host
constexpr int kSide = 4;    // of the ranks of a node, 4 x 4
constexpr int kRanksOfNode = 16;

/// Returns sixteen hosts on a switch, each with a link of 10 GB/s.
std::string switch_xml() {
    std::string xml = "<zone id=\"z\" routing=\"Full\">\n";
    for (int host = 0; host < kNodes; ++host) xml += fmt::format("<host id=\"h{}\" speed=\"1Gf\"/>\n", host);
    for (int host = 0; host < kNodes; ++host) {
        xml += fmt::format("<link id=\"l{}\" bandwidth=\"10GBps\" latency=\"100ns\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                           host);
    }
    for (int from = 0; from < kNodes; ++from) {
        for (int to = 0; to < kNodes; ++to) {
            if (from == to) continue;
            xml += fmt::format(
                "<route src=\"h{0}\" dst=\"h{1}\" symmetrical=\"NO\"><link_ctn id=\"l{0}\" "
                "direction=\"UP\"/><link_ctn id=\"l{1}\" direction=\"DOWN\"/></route>\n",
                from, to);
        }
    }
    return platform_xml(xml + "</zone>");
}

/// A halo exchange on 16 x 16 ranks, spread over the two sockets of 16 nodes; a socket has a memory for eight ranks.
class Halo : public OwnModel {
public:
    Halo()
        : OwnModel(iterating("repeat 4 { irecv from west irecv from east irecv from north irecv from south\n"
                             "isend 50kB to east isend 50kB to west isend 50kB to south isend 50kB to north\n"
                             "waitall compute 100us }"),
                   "{columns: 16, rows: 16}", "node: {columns: 4, rows: 4, fill: spread}\n",
                   "name: m\nplatform: p.xml\nsize: exact\ncores: 32\nparts: {socket: 2}\nlinks_in_L: 2\n"
                   "links: {enabled: on}\nmemory: {count: 2, bandwidth: 64GBps, per_core: 8GBps}\nlayers:\n"
                   "  socket: [{protocol: eager, o_send: 0.2us, o_recv: 0.2us, L: 0.2us, G: 9GBps}]\n"
                   "  node: [{protocol: eager, o_send: 0.2us, o_recv: 0.2us, L: 0.3us, G: 8GBps}]\n"
                   "  network: [{protocol: eager, o_send: 0.3us, o_recv: 0.3us, L: 1us, G: 10GBps, "
                   "holds: [links]}]\n") {
        file("p.xml", switch_xml());
    }

    double time(const std::string& sets = "") const { return time_of("run " + argument() + sets); }
    /// Returns the outliers, and the table in one line.
    std::pair<json, std::string> explained(const std::string& sets = "") const {
        auto [table, result] = answer_of("explain " + argument() + sets);
        std::ranges::replace(table, '\n', ' ');
        return {result.at("outliers"), table};
    }
    json outliers(const std::string& sets = "") const { return explained(sets).first; }
    std::string text(const std::string& sets) const { return explained(sets).second; }
    /// Returns the key that makes these ranks compute 1.5 times as long.
    std::string slow(const std::set<int>& ranks) const {
        std::string map = "rank,factor\n";
        for (const int rank : ranks) map += fmt::format("{},1.5\n", rank);
        return "--set heterogeneity.map=" + quoted(file("map.csv", map));
    }
};

int rank_at(int node, int place) {
    const int column = node % kSide * kSide + place % kSide;
    const int row = node / kSide * kSide + place / kSide;
    return row * kSide * kSide + column;
}

/// Returns the ranks of a node, or of one socket of it: the places are dealt over the sockets in turn.
std::set<int> ranks_of(int node, std::optional<int> socket = std::nullopt) {
    std::set<int> ranks;
    for (int place = 0; place < kRanksOfNode; ++place) {
        if (!socket || place % 2 == *socket) ranks.insert(rank_at(node, place));
    }
    return ranks;
}

void check_named(const json& outliers, const std::vector<std::string>& names, const std::set<int>& ranks,
                 double time_without) {
    CAPTURE(outliers.dump());
    REQUIRE(outliers.size() == 1);
    CHECK(outliers[0].at("names") == names);
    CHECK(outliers[0].at("ranks").get<std::set<int>>() == ranks);
    CHECK(outliers[0].at("time_s").get<double>() == approx(time_without).epsilon(1e-9));
}

}  // namespace

TEST_CASE("explain names the slow part of each kind at a random place, and the time of the run without it") {
    const Halo halo;
    const double healthy = halo.time();
    CHECK(halo.outliers() == json::array());
    std::mt19937 random(51);
    const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    const int node = below(kNodes);
    CAPTURE(node);
    check_named(halo.outliers(halo.slow(ranks_of(node))), {fmt::format("node {}", node)}, ranks_of(node), healthy);

    const int socket = below(2);
    const std::set<int> of_socket = ranks_of(node, socket);
    check_named(halo.outliers(halo.slow(of_socket)), {fmt::format("socket {} of node {}", socket, node)}, of_socket,
                healthy);

    const int rank = below(kNodes * kRanksOfNode);
    check_named(halo.outliers(halo.slow({rank})), {fmt::format("rank {}", rank)}, {rank}, healthy);

    const int host = below(kNodes);
    const std::string link = fmt::format("l{}_{}", host, below(2) == 0 ? "UP" : "DOWN");
    check_named(halo.outliers("--set platform.links." + link + ".bandwidth=0.5GBps"), {"link `" + link + "`"},
                ranks_of(host), healthy);

    std::vector<int> cores(kRanksOfNode);  // twelve on the fuller socket, whose memory is for eight
    std::iota(cores.begin(), cores.end(), 12 - 8 * below(2));
    std::shuffle(cores.begin(), cores.end(), random);
    const int fuller = std::ranges::count_if(cores, [](int core) { return core < 16; }) == 12 ? 0 : 1;
    std::set<int> of_fuller;
    for (int place = 0; place < kRanksOfNode; ++place) {
        if (cores[static_cast<std::size_t>(place)] / 16 != fuller) continue;
        for (int each = 0; each < kNodes; ++each) of_fuller.insert(rank_at(each, place));
    }
    const std::string given = fmt::format("--set 'node={{columns: 4, rows: 4, cores: [{}]}}'", fmt::join(cores, ", "));
    check_named(halo.outliers(given), {fmt::format("socket {} of each node", fuller)}, of_fuller, healthy);
}

TEST_CASE("explain describes in sentences which part is slow, how slow, which ranks it has, and its cost") {
    const Halo halo;
    const std::string text = halo.text(halo.slow(ranks_of(5)));
    CHECK(holds(text,
                "Node 5 computes 1.5 times as long as the other nodes. It has 16 ranks: 68..71, 84..87, 100..103 "
                "and 116..119. If it were as fast as the others, the run would take "));
    const std::string link = halo.text("--set platform.links.l7_UP.bandwidth=0.5GBps");
    CHECK(holds(link,
                "Link `l7_UP` takes 20 times as long per byte as the other links. All messages over it are those "
                "of node 7, which has 16 ranks: "));
    CHECK(holds(link, "With the bandwidth of the others, the run would take "));
    const std::string filled = halo.text("--set 'node={columns: 4, rows: 4, cores: [0..11, 16..19]}'");
    CHECK(holds(filled,
                "Socket 0 of each node has 12 ranks; the ranks of a node are divided 12 to 4. With "
                "`node.fill: spread`, the run would take "));
}

TEST_CASE("noise makes no part slow, and changes no factor") {
    const Halo halo;
    const std::string slow = halo.slow(ranks_of(5));
    const std::string named = "Node 5 computes 1.5 times as long as the other nodes. It has 16";
    CHECK(holds(halo.text(slow + " --set noise.cv=0.3"), named));
    CHECK(holds(halo.text(slow + " --set 'noise.periodic={period: 1ms, length: 300us}'"), named));
    CHECK(halo.outliers("--set 'noise.interruptions={per_second: 10, length: 100ms, absorbed_by: nothing}'") ==
          json::array());
}

TEST_CASE("two slow nodes are named together, and the changed run has neither") {
    const Halo halo;
    std::set<int> both = ranks_of(3);
    both.merge(ranks_of(12));
    const auto [outliers, text] = halo.explained(halo.slow(both));
    check_named(outliers, {"node 3", "node 12"}, both, halo.time());
    CHECK(holds(text, "Node 3 and node 12 compute up to 1.5 times as long as the other nodes."));
}

TEST_CASE("if as many ranks are slow as fast, none is named") {
    const Halo halo;
    CHECK(halo.outliers("--set 'heterogeneity.classes=[{share: 0.5, speed: 1}, {share: 0.5, speed: 0.5}]'") ==
          json::array());
}

TEST_CASE("explain names a link that differs in its latency alone, and the time without it") {
    const Halo halo;
    const std::string beyond_L = "--set platform.links_in_L=0 ";  // else L has the latency of both links of a route
    const std::string slow = beyond_L + "--set platform.links.l7_UP.latency=200us";
    const auto [outliers, text] = halo.explained(slow);
    check_named(outliers, {"link `l7_UP`"}, ranks_of(7), halo.time(beyond_L));
    CHECK(holds(text, "times the latency of the other links. All messages over it are those of node 7"));
    CHECK(holds(text, "With the latency of the others, the run would take "));
}

namespace {

/// Eight ranks on a graph of four switches, whose link from 1 to 2 has these properties.
class Graph : public OwnModel {
public:
    Graph()
        : OwnModel(iterating("repeat 4 { irecv from west irecv from east isend 50kB to east isend 50kB to west\n"
                             "waitall compute 100us }"),
                   "{columns: 8, rows: 1}", "",
                   "name: m\nsize: exact\ncores: 1\nlinks: {enabled: on}\n"
                   "topology: {kind: graph, file: n.edges, hosts: 2, bandwidth: 10GBps, latency: 100ns}\nlayers:\n"
                   "  network: [{protocol: eager, o_send: 0.3us, o_recv: 0.3us, L: 1us, G: 10GBps, "
                   "holds: [links]}]\n") {}
    /// Checks that the link is named as the only outlier, with the time of a run in which it equals the others.
    void check_named_with(const std::string& link) const {
        write_edges(link);
        const json found = json_of("explain " + argument()).at("outliers");
        write_edges("");
        check_named(found, {"link `switch 1 to 2`", "link `switch 2 to 1`"}, {}, time_of("run " + argument()));
    }

private:
    void write_edges(const std::string& link) const { file("n.edges", "0 1\n1 2" + link + "\n2 3\n3 0\n0 2\n1 3\n"); }
};

}  // namespace

TEST_CASE("explain names a slow link between the switches of a graph, by its bandwidth or its latency, and the time") {
    Graph().check_named_with(" 100MBps");
    Graph().check_named_with(" 10GBps 90us");
}
