// The efficiency factors of `warpfront explain`, by hand.
#include "tests/end_to_end/program.hpp"

namespace {

/// Two ranks on two nodes. A message of S bytes takes o 1 us, L 10 us, S * 1 ns, o 2 us by `protocol`.
class TwoRanks : public OwnModel {
public:
    TwoRanks(const std::string& body, const std::string& protocol)
        : OwnModel(iterating(body), "{columns: 2, rows: 1}", "",
                   "name: m\nsize: exact\ncores: 1\nlinks: {enabled: on}\n"
                   "topology: {kind: torus, dimensions: [2], bandwidth: 10GBps, latency: 1us}\nlayers:\n  network: "
                   "[{protocol: " +
                       protocol + ", o_send: 1us, o_recv: 2us, L: 10us, G: 1GBps, holds: [links]}]\n") {}
    json efficiency() const { return json_of("explain " + argument()).at("efficiency"); }
    std::string text() const { return invoke("explain " + argument()).out; }
};

void check(const json& efficiency, double mean_us, double most_us, double ideal_us, double time_us) {
    CAPTURE(efficiency.dump());
    const auto is = [&](const char* name, double value) {
        CHECK(efficiency.at(name).get<double>() == approx(value).epsilon(1e-9));
    };
    is("load_balance", mean_us / most_us);
    is("serialisation", most_us / ideal_us);
    is("transfer", ideal_us / time_us);
    is("communication", efficiency.at("serialisation").get<double>() * efficiency.at("transfer").get<double>());
    is("parallel", efficiency.at("load_balance").get<double>() * efficiency.at("communication").get<double>());
    is("parallel", mean_us / time_us);
    is("ideal_s", 1e-6 * ideal_us);
}

}  // namespace

TEST_CASE("the efficiency factors of a message that a rank waits for multiply to the parallel efficiency") {
    // Rank 0 computes 100 us, rank 1 20 and then 60: mean 90, at most 100. The run takes 100 + 1 + 10 + 5 + 2 + 60 =
    // 178 us, on an ideal network 100 + 60.
    const TwoRanks ranks(
        "if rank == 0 { compute 100us send 5000B to east } else { compute 20us recv from west compute 60us }", "eager");
    check(ranks.efficiency(), 90, 100, 160, 178);
    CHECK(
        lacking(ranks.text(),
                {"  parallel                    50.6 %   ", "  load balance                90.0 %   ",
                 "  communication               56.2 %   ", "  serialisation               62.5 %   ",
                 "  transfer                    89.9 %   100 % if messages cost nothing: 160us on an ideal network"}) ==
        "");
}

TEST_CASE("if blocks meet other interruptions on an ideal network, serialisation is that of this network") {
    // Ranks are interrupted in the second half of every 100 us. Rank 0 computes until 10 and sends: 1 + 10 + 40. Rank 1
    // takes the message from 61 to 63, computes from 63 on only when it is back at 100, and is done at 135: 72 us. On
    // an ideal network it computes from 10 to 45: 35 of 45 us.
    const TwoRanks ranks("if rank == 0 { compute 10us send 40kB to east } else { recv from west compute 35us }",
                         "eager");
    const std::string noise = "--set 'noise={periodic: {period: 100us, length: 50us, aligned: on}}'";
    const json result = json_of("explain " + ranks.argument() + noise);
    const json efficiency = result.at("efficiency");
    CHECK(result.at("time_s").get<double>() == approx(135e-6));
    const auto is = [&](const char* name, double value) { CHECK(efficiency.at(name).get<double>() == approx(value)); };
    is("communication", 72.0 / 135);
    is("serialisation", 35.0 / 45);
    is("transfer", (45.0 / 35) / (135.0 / 72));
    is("ideal_s", 45e-6);
    is("ideal_compute_s", 35e-6);
    CHECK(holds(invoke("explain " + ranks.argument() + noise).out,
                "  transfer                    68.6 %   100 % if messages cost nothing: 45us on an ideal network over "
                "the time, per 35us and 72us of computing\n"));
}

TEST_CASE("a rendezvous waits for its receive on an ideal network too") {
    // Rank 1 posts at 100 us. Rank 0, which has sent, computes 50 us from then on: 150. In the run the clear-to-send
    // comes 10 us later: 160 us, which is longer than 100 + 10 + 10 + 5 + 2 of rank 1. Mean 75, at most 100.
    const TwoRanks ranks("if rank == 0 { send 5000B to east compute 50us } else { compute 100us recv from west }",
                         "rendezvous");
    check(ranks.efficiency(), 75, 100, 150, 160);
}

TEST_CASE("a run in which no rank computes has no efficiency") {
    const TwoRanks ranks("if rank == 0 { send 5000B to east } else { recv from west }", "eager");
    CHECK_FALSE(holds(ranks.text(), "the efficiency of the run"));
}
