// Refusals of `warpfront trace` before anything is written, and of a trace in place of a model.
#include <doctest/doctest.h>

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tools/commands/commands.hpp"

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

TEST_CASE("a trace has no closed form, which is said of the trace and where the scenario names it") {
    const Scratch scratch;
    scratch.file("t/traces.txt", "r0.txt\n");
    scratch.file("t/r0.txt", "0 init\n0 compute 1000000\n0 finalize\n");
    RunOptions options;
    options.scenario = scratch.file(
        "s.yaml", "trace: t\nplatform: " WARPFRONT_SOURCE_DIR "/platforms/xt4.yaml\nranks: {columns: 1, rows: 1}\n");
    options.engine = Engine::analytic;
    const input::Diagnostics faults = faults_of([&] { run(options); });
    CHECK(kinds_of(faults) == Kinds{DiagnosticKind::closed_form_missing});
    CHECK(faults.render().find("s.yaml:1:8: error: a trace has no closed form\n") != std::string::npos);
    CHECK(faults.render().find("application") == std::string::npos);
}
