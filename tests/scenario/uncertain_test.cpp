// Figures with a standard deviation: what a run takes, what samples draw.
#include "simulator/scenario/uncertain.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "simulator/scenario/scenario.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront;
using namespace warpfront::scenario;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

const std::string kUncertain = "model: m.psl\nplatform: p.yaml\nranks: {columns: 1, rows: 1}\n";

ScenarioDocument uncertain_document(const std::string& more, const std::vector<std::string>& sets = {}) {
    const Scratch scratch;
    return read_document(scratch.file("s.yaml", kUncertain + more), sets);
}

Kinds refused_figure(const std::string& text) {
    return kinds_of(faults_of([&] { uncertain_document("parameters: {wg: " + text + "}\n"); }));
}

/// Sample `number` of `parameters.wg`, without its unit.
double drawn_wg(const ScenarioDocument& document, std::uint32_t number) {
    input::YamlNode tree = document.tree;
    draw_figures(document.uncertain, {7}, number, tree);
    return std::stod(tree.find("parameters")->find("wg")->scalar);
}

}  // namespace

TEST_CASE("a figure with a deviation is its value, in the file and in an override") {
    const ScenarioDocument document =
        uncertain_document("parameters: {wg: 0.4us +- 0.01us, nx: 10}\n", {"platform.bus.o_dma=4us +- 0.2us"});
    CHECK(document.tree.find("parameters")->find("wg")->scalar == "0.4us");
    CHECK(document.tree.find("platform")->find("bus")->find("o_dma")->scalar == "4us");
    REQUIRE(document.uncertain.size() == 2);
    CHECK(document.uncertain.back().unit == "us");
}

TEST_CASE("samples have the mean and the deviation of the figure") {
    const ScenarioDocument document = uncertain_document("parameters: {wg: 0.4us +- 0.01us}\n");
    constexpr int kSamples = 20'000;
    double sum = 0.0, squares = 0.0;
    for (std::uint32_t k = 0; k < kSamples; ++k) {
        const double drawn = (drawn_wg(document, k) - 0.4) / 0.01;
        CHECK(std::abs(drawn) <= 3.0 + 1e-9);
        sum += drawn;
        squares += drawn * drawn;
    }
    // The normal distribution cut at 3 deviations has variance 1 - 6 phi(3) / (2 Phi(3) - 1) = 0.973. The mean errs by
    // 1 / sqrt(20,000) = 0.0071, the variance by about sqrt(2 / 20,000) = 0.01; bounds are four such errors.
    CHECK(std::abs(sum / kSamples) < 0.028);
    CHECK(std::abs(squares / kSamples - 0.973) < 0.04);
}

TEST_CASE("a sample depends on its number alone") {
    const ScenarioDocument document = uncertain_document("parameters: {wg: 0.4us +- 0.01us}\n");
    CHECK(drawn_wg(document, 3) == drawn_wg(document, 3));
    CHECK(drawn_wg(document, 3) != drawn_wg(document, 4));
}

TEST_CASE("faults of figures with a deviation") {
    CHECK(refused_figure("0.4us +- ") == Kinds{DiagnosticKind::bad_number});
    CHECK(refused_figure("x +- 0.1us") == Kinds{DiagnosticKind::bad_number});
    CHECK(refused_figure("0.4us +- 10ns") == Kinds{DiagnosticKind::wrong_unit});
    CHECK(refused_figure("0.4us +- 0us") == Kinds{DiagnosticKind::out_of_range});
    CHECK(refused_figure("0.3us +- 0.1us") == Kinds{DiagnosticKind::out_of_range});  // 3 * 0.1 reaches 0
}
