// Deviations of values propagated through a closed form.
#include "tools/answer/runs/uncertainty.hpp"

#include "tests/approx.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::tools;

namespace {

/// Two sweeps of three tiles on 3 x 2 ranks.
class TwoSweeps {
public:
    TwoSweeps() {
        scratch_.file("m.psl",
                      "application m { param wg: time = 10us\n"
                      "  iteration { compute wg  recv from west  send 8B to east }\n"
                      "  closed_form { work = wg  tiles = 3  east_west = 8B  north_south = 8B\n"
                      "                corners = [northwest, southeast] } }\n");
        scratch_.file("p.yaml",
                      "name: p\nsize: exact\ncores: 1\n"
                      "topology: {kind: torus, dimensions: [6], bandwidth: 1GBps, latency: 0us}\n"
                      "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B}]\n");
    }

    scenario::ScenarioDocument document(const std::vector<std::string>& sets) const {
        const auto file = scratch_.file("s.yaml", "model: m.psl\nplatform: p.yaml\nranks: {columns: 3, rows: 2}\n");
        return scenario::read_document(file, sets);
    }

    double deviation_us(const std::vector<std::string>& sets) const {
        return 1e6 * seconds(propagated_deviation(document(sets), Engine::analytic));
    }

private:
    test::Scratch scratch_;
};

const std::string kWork = "parameters.wg=10us +- 0.5us";
const std::string kUncertainLatency = "platform.layers.network.L=1us +- 0.2us";

}  // namespace

TEST_CASE("without uncertain values a closed form has no deviation") { CHECK(TwoSweeps().deviation_us({}) == 0.0); }

TEST_CASE("the deviation of the work alone is that of the published law (Mudalige 2009, appendix E)") {
    // two full fills over 2 columns and 1 row of further ranks each, and 2 * 3 tiles: 2 * (2 + 1) + 6 times the work
    CHECK(TwoSweeps().deviation_us({kWork}) == test::approx(0.5 * 12).epsilon(1e-9));
}

TEST_CASE("a value that is invalid one deviation away is a fault") {
    CHECK_THROWS_AS(TwoSweeps().deviation_us({"ranks.columns=3 +- 0.5"}), input::BadInput);
}

TEST_CASE("deviations of several values add up in squares") {
    const TwoSweeps sweeps;
    const double latency = sweeps.deviation_us({kUncertainLatency});
    CHECK(latency > 0.0);
    CHECK(sweeps.deviation_us({kWork, kUncertainLatency}) ==
          test::approx(std::hypot(sweeps.deviation_us({kWork}), latency)).epsilon(1e-6));
}
