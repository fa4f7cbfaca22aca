// `warpfront run`: refusals before anything runs.
#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tools/commands/commands.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

namespace {

Kinds refused(std::vector<std::string> sets, Engine engine) {
    RunOptions options;
    options.scenario = WARPFRONT_SOURCE_DIR "/models/sweep3d/billion.yaml";
    options.sets = std::move(sets);
    options.sets.insert(options.sets.end(), {"ranks={columns: 2, rows: 1}", "cells_per_rank={x: 2, y: 2}",
                                             "parameters.nz=2", "calibration=off"});
    options.engine = engine;
    options.seeds = 3;
    options.quiet = true;
    return kinds_of(faults_of([&] { run(options); }));
}

}  // namespace

TEST_CASE("several seeds need a run that depends on the seed, and the event engine") {
    CHECK(refused({}, Engine::event) == Kinds{DiagnosticKind::nothing_random});
    CHECK(refused({"noise.cv=0.1"}, Engine::analytic) == Kinds{DiagnosticKind::nothing_random});
    CHECK(refused({"noise.cv=0.1"}, Engine::simgrid) == Kinds{DiagnosticKind::bad_option});
    CHECK(refused({"noise.cv=0.1"}, Engine::event).empty());
    CHECK(
        refused({"heterogeneity={classes: [{share: 0.5, speed: 1}, {share: 0.5, speed: 2}]}"}, Engine::event).empty());
}
