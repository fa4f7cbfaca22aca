// `run --samples`: uncertain figures carried through the engine.
#include <cmath>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

const std::string kUncertainWork = kSmall + "--set 'parameters.wg=0.866us +- 0.05us' --set calibration=off ";

}  // namespace

TEST_CASE("samples of an uncertain figure give a spread, and do not depend on threads") {
    const json one = json_of("run " + kUncertainWork + "--samples 6");
    const json two = json_of("run " + kUncertainWork + "--samples 6 --threads 2");
    CHECK(one.at("ensemble").at("samples") == 6);
    CHECK(one.at("ensemble").at("sd_s").get<double>() > 0.0);
    CHECK(one.at("ensemble").at("times_s") == two.at("ensemble").at("times_s"));
    CHECK(one.at("interval_s").at(0).get<double>() < one.at("ensemble").at("mean_s").get<double>());
}

TEST_CASE("the run itself takes the value") {
    CHECK(json_of("run " + kUncertainWork + "--samples 2").at("time_s") ==
          json_of("run " + kSmall + "--set parameters.wg=0.866us --set calibration=off").at("time_s"));
}

TEST_CASE("samples that would all be the same are refused") {
    CHECK(holds(invoke("run " + kSmall + "--set calibration=off --samples 3").err, "one answer over and over"));
    CHECK(holds(invoke("run " + kUncertainWork + "--samples 3 --seeds 3").err, "`--samples` beside `--seeds`"));
    CHECK(holds(invoke("run " + kUncertainWork + "--samples 3 --engine analytic").err, "expected `--engine event`"));
}

TEST_CASE("a closed form's deviation by first order is the spread of samples without noise") {
    const json formula = json_of("run " + kUncertainWork + "--engine analytic");
    const double time = formula.at("time_s").get<double>();
    const double sigma = formula.at("one_sigma_s").at(1).get<double>() - time;
    CHECK(formula.at("one_sigma_s").at(0).get<double>() == doctest::Approx(time - sigma));
    // The deviation of 100 samples is itself uncertain by 1 / sqrt(2 * 99) = 7 %; two of these, and the cut at three
    // deviations, which takes 1.4 %, make 16 %.
    const json samples = json_of("run " + kUncertainWork + "--samples 100");
    CHECK(std::abs(sigma / samples.at("ensemble").at("sd_s").get<double>() - 1.0) < 0.16);
    CHECK_FALSE(json_of("run " + kSmall + "--engine analytic").contains("one_sigma_s"));
    CHECK(holds(invoke("run " + kUncertainWork + "--engine analytic").out, "one sigma "));
}
