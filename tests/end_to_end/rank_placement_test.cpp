// Ranks that are dealt over nodes and cores, or listed, in place of patches: what it does to the time, by every engine.
#include "tests/end_to_end/program.hpp"

namespace {

/// A chain of ranks on nodes of two sockets with two cores each: a rank receives from the west, computes 1 us, and
/// sends 8 B to the east. A message takes o_send + o_recv + 8 B * 1 ns/B = 2.008 us and L: 1 us within a socket, 5 us
/// within a node, 10 us between nodes.
class Chain : public OwnModel {
public:
    explicit Chain(int ranks)
        : OwnModel(iterating("recv from west compute 1us send 8B to east"),
                   fmt::format("{{columns: {}, rows: 1}}", ranks), "",
                   "name: m\ntopology: {kind: torus, dimensions: [8], bandwidth: 100GBps, latency: 0ns}\nsize: exact\n"
                   "cores: 4\nparts: {socket: 2}\nlayers:\n"
                   "  socket: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n"
                   "  node: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 5us, G: 1ns/B}]\n"
                   "  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 10us, G: 1ns/B}]\n"),
          ranks_(ranks) {
        file("ranks.txt", "rank 0=5 slot=0\nrank 1=5 slot=2\nrank 2=5 slot=1\nrank 3=+n2 slot=3\n");
    }

    std::string placed(const std::string& placement) const {
        return fmt::format("{}--set 'placement={}' ", argument(), placement);
    }
    /// Returns the time of the messages beyond o, G and computing, in us.
    double latencies(const std::string& placement, const std::string& engine = "event") const {
        const double all = time_of("run " + placed(placement) + "--engine " + engine);
        return all * 1e6 - ranks_ * 1.0 - (ranks_ - 1) * 2.008;
    }

private:
    int ranks_;
};

}  // namespace

TEST_CASE("ranks are dealt over nodes and their sockets, or listed, by every engine that steps messages") {
    const Chain chain(4);
    for (const std::string engine : {"event", "simgrid"}) {
        CAPTURE(engine);
        const auto latencies = [&](const std::string& placement) { return chain.latencies(placement, engine); };
        // Ranks 0, 1 on one node, on cores 0 and 1 of one socket; ranks 2, 3 on the next: 1 + 10 + 1 us.
        CHECK(latencies("{ranks_per_node: 2}") == approx(12.0));
        // On cores 0 and 2, of two sockets: 5 + 10 + 5 us.
        CHECK(latencies("{ranks_per_node: 2, distribution: block:cyclic}") == approx(20.0));
        CHECK(latencies("{ranks_per_node: 2, distribution: cyclic}") == approx(30.0));
        // All on one node, sockets 0, 0, 1, 1: 1 + 5 + 1 us; or 0, 1, 0, 1: 5 + 5 + 5 us.
        CHECK(latencies("{ranks_per_node: 4}") == approx(7.0));
        CHECK(latencies("{ranks_per_node: 4, distribution: cyclic:cyclic}") == approx(15.0));
        // Ranks 0 and 3 on host 5, sockets 0 and 0; ranks 1 and 2 on host 1, cores 3 and 2 of socket 1: 10 + 1 + 10 us.
        CHECK(latencies("0..3..3:5, 1:1:3, 2:1:2") == approx(21.0));
        // Ranks 0, 1, 2 on cores 0, 1, 2 of the first node, rank 3 on the second: 1 + 5 + 10 us.
        CHECK(latencies("{ranks_per_node: 3}") == approx(16.0));
        // Sockets 0, 1, 0 of host 5, then host 2: 5 + 5 + 10 us.
        CHECK(latencies("{rankfile: ranks.txt}") == approx(20.0));
    }
    const Chain longer(8);
    // Ranks 0, 1 and 4, 5 on the first node, the others on the second: four messages within a socket, three between.
    CHECK(longer.latencies("{ranks_per_node: 4, distribution: plane=2}") == approx(4 * 1.0 + 3 * 10.0));
}

TEST_CASE("ranks that are no patches have no closed form, those that are have that of the patch") {
    const std::string four = "run " + kSmall + "--set platform.cores=4 ";
    const Outcome cyclic = invoke(four + "--set 'placement={ranks_per_node: 4, distribution: cyclic}'");
    CHECK(cyclic.status == 0);
    CHECK(holds(cyclic.out,
                "the closed form gives no time: the closed form applies only to ranks that are placed in patches"));
    const Outcome analytic =
        invoke(four + "--engine analytic --set 'placement={ranks_per_node: 4, distribution: cyclic}'");
    CHECK(analytic.status == 2);
    CHECK(holds(analytic.err, "expected a placement in patches"));
    // 4 ranks of a row of 4: the patch of 4 x 1
    CHECK(time_of(four + "--engine analytic --set placement.ranks_per_node=4") ==
          time_of(four + "--engine analytic --set 'node={columns: 4, rows: 1}'"));
    CHECK(json_of(four + "--set placement.ranks_per_node=4").at("digest") ==
          json_of(four + "--set 'node={columns: 4, rows: 1}'").at("digest"));
}

TEST_CASE("check --scenario shows where each rank is") {
    const Chain chain(4);
    const std::string cyclic =
        invoke("check --scenario " + chain.placed("{ranks_per_node: 2, distribution: cyclic:cyclic}")).out;
    CHECK(holds(cyclic, "ranks [0, 2] on cores [0, 2]\n"));
    CHECK(holds(cyclic, "ranks [1, 3] on cores [0, 2]\n"));
    CHECK(holds(invoke("check --scenario " + chain.placed("0..3:5:0..3")).out,
                "host 5          ranks [0..3] on cores [0..3]\n"));
}
