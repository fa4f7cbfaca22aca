// How long a study of the closed form takes: it looks at the clock, so nothing else runs beside this suite.
#include <chrono>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

TEST_CASE("a thousand points of the closed form in two seconds") {
    const Scratch scratch;
    const auto began = std::chrono::steady_clock::now();
    const Outcome outcome = invoke(
        "study models/chimaera/chimaera.yaml --engines analytic --vary parameters.htile=1..20 "
        "--vary ranks.columns=1..50 --quiet --out " +
        quoted(scratch.folder()));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    CHECK(outcome.status == 0);
    CHECK(took.count() < 2.0);
}
