// Sixteen ranks on nodes of 64 cores, two sockets and two NICs: all on one socket, spread over both, or on listed
// cores.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

/// A Jacobi code of large faces on 16 x 16 ranks, 4 x 4 to a node; every NIC of a node has its own cable.
class HalfFilled : public OwnModel {
public:
    HalfFilled()
        : OwnModel(iterating("repeat 5 {\n irecv from west irecv from east irecv from north irecv from south\n"
                             "isend 1MB to east isend 1MB to west isend 1MB to south isend 1MB to north\n"
                             "waitall compute 1us }"),
                   "{columns: 16, rows: 16}", "node: {columns: 4, rows: 4}\n",
                   "name: m\nsize: exact\ncores: 64\nparts: {socket: 2}\nlinks_in_L: 2\n"
                   "topology: {kind: fat_tree, children: [16, 4], parents: [1, 16], bandwidth: 100Gbps, "
                   "latency: 150ns, cabling: per_nic}\n"
                   "nic: {count: 2, injection: 100Gbps, ejection: 100Gbps}\n"
                   "layers:\n"
                   "  socket: [{protocol: eager, o_send: 0.15us, o_recv: 0.15us, L: 0.15us, G_recv: 8GBps}]\n"
                   "  node: [{protocol: eager, o_send: 0.2us, o_recv: 0.2us, L: 0.3us, G_recv: 6GBps}]\n"
                   "  network: [{protocol: rendezvous, o_send: 0.3us, o_recv: 0.3us, L: 1us, G: 12GBps, "
                   "holds: [nic]}]\n") {}

    json run(const std::string& sets) const { return json_of("run " + argument() + sets); }
    double time(const std::string& sets) const { return run(sets).at("time_s"); }
};

}  // namespace

TEST_CASE("a node's ranks have one NIC until they are spread, by the key that the note names") {
    const HalfFilled half;
    const json packed = half.run("");
    CHECK(packed.at("time_s") == half.time("--set platform.nic.count=1"));
    CHECK(packed.at("notes") ==
          json{"the 16 ranks of a node use 1 of 2 sockets and 1 of 2 NICs; with `node.fill: spread` "
               "2 and 2"});
    const json spread = half.run("--set node.fill=spread");
    CHECK(spread.at("notes") == json::array());
    CHECK(spread.at("time_s").get<double>() < 0.6 * packed.at("time_s").get<double>());
    CHECK(spread.at("context").at("scenario").at("node").dump() == R"({"columns":4,"fill":"spread","rows":4})");
}

TEST_CASE("SimGrid's engine, the estimate and the explanation have the ranks where the scenario has them") {
    const HalfFilled half;
    const std::string spread = "--set node.fill=spread";
    CHECK(half.time("--engine simgrid " + spread) < 0.65 * half.time("--engine simgrid"));
    CHECK(invoke("estimate " + half.argument() + spread).status == 0);
    CHECK(holds(invoke("explain " + half.argument()).out, "1 of 2 NICs"));
    CHECK_FALSE(holds(invoke("explain " + half.argument() + spread).out, "of 2 NICs"));
}

TEST_CASE("`check` shows the cores of a node's ranks, and the order in which a machine's are spread") {
    const HalfFilled half;
    const std::string check = "check --scenario " + half.argument();
    CHECK(holds(invoke(check).out, "cores           of the 4 x 4 ranks of a node: [0..15]\n"));
    CHECK(holds(
        invoke(check + "--set node.fill=spread").out,
        "cores           of the 4 x 4 ranks of a node: [0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39]\n"));
    CHECK(holds(invoke(check + "--set 'node.cores=[8..15, 40..46, 63]'").out,
                "cores           of the 4 x 4 ranks of a node: [8..15, 40..46, 63]\n"));
    CHECK(holds(invoke("check --platform platforms/epyc.yaml").out,
                "spread          of ranks uses cores in the order [0, 32, 8, 40, 16, 48, 24, 56, 4, 36, 12, 44, 20, "
                "52, 28, 60, "
                "...]\n"));
    CHECK_FALSE(holds(invoke("check --platform platforms/xt4.yaml").out, "spread"));
}
