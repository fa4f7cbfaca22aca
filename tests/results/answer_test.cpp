// What a command answers: a table, and its quantities as JSON and as CSV.
#include "simulator/results/output.hpp"

#include <doctest/doctest.h>

#include "tests/results/caught.hpp"

using namespace warpfront;
using namespace warpfront::results;
using namespace warpfront::test;
using nlohmann::ordered_json;

TEST_CASE("the table is written where the JSON cannot be, and the JSON where the table cannot be") {
    const Scratch scratch;
    std::string said;
    const auto write_to_full = [&] {
        said = refusal_of([&] { Answer("/dev/full", {}).write(ordered_json::object(), "table"); });
    };
    CHECK(on_stdout(scratch.folder / "caught", write_to_full) == "table");
    CHECK(said == "error: cannot write `/dev/full`: no space left on device\n");

    const Answer file(scratch.folder / "r.json", {});
    with_stdout_to("/dev/full", [&] { said = refusal_of([&] { file.write({{"time_s", 1}}, "table"); }); });
    CHECK(text_of(scratch.folder / "r.json") == "{\n  \"time_s\": 1\n}\n");
    CHECK(said == "error: cannot write `stdout`: no space left on device\n");
}

TEST_CASE("JSON or CSV on stdout replaces the table") {
    const Scratch scratch;
    const ordered_json data{{"time_s", 1.5}};
    CHECK(on_stdout(scratch.folder / "json", [&] { Answer("-", {}).write(data, "table"); }) ==
          "{\n  \"time_s\": 1.5\n}\n");
    CHECK(on_stdout(scratch.folder / "csv", [&] { Answer({}, "-").write(data, "table"); }) ==
          "quantity,value\ntime_s,1.5\n");
    CHECK(on_stdout(scratch.folder / "plain", [&] { Answer({}, {}).write(data, "table"); }) == "table");
}

TEST_CASE("stdout takes one of JSON and CSV") {
    try {
        Answer("-", "-");
        FAIL("no fault");
    } catch (const input::BadInput& bad) {
        CHECK(bad.faults().all()[0].kind == input::DiagnosticKind::bad_option);
        CHECK(bad.faults().all()[0].message == "stdout (`-`) takes one of `--json` and `--csv`");
    }
}

TEST_CASE("a quantity in CSV is named by its keys and its places in lists") {
    const ordered_json data = ordered_json::parse(
        R"({"engine": "event", "path": {"compute_s": 0.1}, "iteration_s": [[0.5, 7]], "note": "a, \"b\""})");
    CHECK(quantities_csv(data) ==
          "quantity,value\n"
          "engine,event\n"
          "path.compute_s,0.1\n"
          "iteration_s.0.0,0.5\n"
          "iteration_s.0.1,7\n"
          "note,\"a, \"\"b\"\"\"\n");
}
