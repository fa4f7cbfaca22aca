// `warpfront trace`: refusals before anything is written.
#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/commands.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using input::DiagnosticKind;

TEST_CASE("more traces than files, and more lines than a gigabyte, are refused") {
    const Scratch scratch;
    TraceOptions options;
    options.scenario = WARPFRONT_SOURCE_DIR "/models/sweep3d/billion.yaml";
    options.out = scratch.folder() / "traces";
    CHECK(kinds_of(faults_of([&] { trace_scenario(options); })) == Kinds{DiagnosticKind::trace_too_large});
    options.sets = {"ranks={columns: 65537, rows: 1}", "iterations=1", "cells_per_rank={x: 1, y: 1}",
                    "parameters.nz=2"};
    CHECK(kinds_of(faults_of([&] { trace_scenario(options); })) == Kinds{DiagnosticKind::trace_too_large});
    CHECK_FALSE(std::filesystem::exists(options.out));
}

TEST_CASE("models that take messages as they come, or send synchronously, are refused: SMPI's replay knows neither") {
    const Scratch scratch;
    TraceOptions options;
    options.scenario = WARPFRONT_SOURCE_DIR "/models/master_worker/master_worker.yaml";
    options.out = scratch.folder() / "traces";
    CHECK(kinds_of(faults_of([&] { trace_scenario(options); })) == Kinds{DiagnosticKind::messages_chosen});
    scratch.file("m.psl", "application pair { iteration { ssend 8B to east recv from west } }\n");
    options.scenario = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                              "/platforms/xt4.yaml\nranks: {columns: 2, rows: 1}\n");
    CHECK(kinds_of(faults_of([&] { trace_scenario(options); })) == Kinds{DiagnosticKind::synchronous_send});
    CHECK_FALSE(std::filesystem::exists(options.out));
}
