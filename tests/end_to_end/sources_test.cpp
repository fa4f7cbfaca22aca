// `warpfront sources`: its outputs and exit statuses. The statements of items are pinned in
// tests/tools/study/findings_test.cpp and tests/tools/sources.
#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.hpp"

namespace {

/// Writes a study of one rank that computes 1 s, or 2 s.
std::filesystem::path study_stating(const test::Scratch& scratch, const std::string& statement) {
    scratch.file("m.psl", "application a {\n    param work: time = 1s\n    iteration { compute work }\n}\n");
    scratch.file("s.yaml", "model: m.psl\nplatform: " + (kRoot / "platforms/xt4.yaml").string() +
                               "\ncalibration: off\nranks: {columns: 1, rows: 1}\n");
    return scratch
        .file("papers/figure-1.yaml",
              "question: how long?\nsource: a paper\nscenario: ../s.yaml\nengines: [event]\n"
              "axes: [{parameters.work: [1s, 2s]}]\npublished:\n  - " +
                  statement + "\n")
        .parent_path();
}

}  // namespace

TEST_CASE("the table, the page and both files have each statement with its verdict") {
    const test::Scratch scratch;
    const std::filesystem::path folder =
        study_stating(scratch, "{states: it grows, grows: time, along: parameters.work}");
    const auto out = scratch.folder() / "out";
    const Outcome outcome = invoke("sources " + quoted(folder) + " --out " + quoted(out));
    CHECK(outcome.status == 0);
    CHECK(outcome.out ==
          "papers/figure-1: how long?\n"
          "  agrees    it grows: grows; event 1, 2\n"
          "\n1 statements of 1 items: 1 agree, 0 of them within bounds that the source does not state; 0 differ with a "
          "tested cause, 0 with an untested reason, 0 without a reason; 0 not run\n");
    CHECK(holds(text_of(out / "sources.csv"), "\npapers/figure-1,it grows,grows,event,\"1, 2\",,agrees,,\n"));
    const auto data = nlohmann::json::parse(text_of(out / "sources.json"));
    CHECK(data["schema"] == "warpfront.sources/1");
    CHECK(data["items"][0]["source"] == "a paper");
    CHECK(data["items"][0]["result"]["schema"] == "warpfront.study/1");
    CHECK(holds(text_of(out / "sources.html"), "it grows"));
    CHECK(invoke("report " + quoted(out / "sources.json") + " -o -").status == 0);
}

TEST_CASE("an unexplained difference ends with status 1; one with a reason or a tested cause does not") {
    const test::Scratch scratch;
    const std::string out = " --out " + quoted(scratch.folder() / "out");
    const Outcome differs = invoke(
        "sources " + quoted(study_stating(scratch, "{states: it falls, falls: time, along: parameters.work}")) + out);
    CHECK(differs.status == 1);
    CHECK(holds(differs.out, "  DIFFERS   it falls: falls; event 1, 2 (differs)\n"));
    const Outcome explained =
        invoke("sources " +
               quoted(study_stating(scratch,
                                    "{states: it falls, falls: time, along: parameters.work, reason: it is 2 s, "
                                    "tested_by: a clock}")) +
               out);
    CHECK(explained.status == 0);
    CHECK(holds(
        explained.out,
        "  explained it falls: falls; event 1, 2 (differs)\n            it is 2 s\n            tested by a clock\n"));
}

TEST_CASE("faults of all items are reported before the first of them runs") {
    const test::Scratch scratch;
    const std::filesystem::path folder =
        study_stating(scratch, "{states: it falls, falls: tim, along: parameters.work}");
    scratch.file("papers/table-2.yaml", "comparisons: [{scenario: ../s.yaml, against: none.csv}]\n");
    const auto out = scratch.folder() / "out";
    const Outcome outcome = invoke("sources " + quoted(folder) + " --out " + quoted(out));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "unknown column `tim`"));
    CHECK(holds(outcome.err, "none.csv"));
    CHECK(std::filesystem::is_empty(out / "points"));
}

TEST_CASE("a run that fails is named, the statements of others stand, and the end is status 1") {
    const test::Scratch scratch;
    const std::filesystem::path folder =
        study_stating(scratch, "{states: it is a second, value: time, at: {parameters.work: 1s}, is: 1}");
    scratch.file(
        "m.psl",
        "application a {\n    param work: time = 1s\n    let other = if column == 1 then east else west\n"
        "    iteration {\n        compute work\n"
        "        if work > 1s {\n            recv from other\n            send 8B to other\n        }\n    }\n}\n");
    scratch.file("s.yaml", "model: m.psl\nplatform: " + (kRoot / "platforms/xt4.yaml").string() +
                               "\ncalibration: off\nranks: {columns: 2, rows: 1}\n");
    const Outcome outcome = invoke("sources " + quoted(folder) + " --out " + quoted(scratch.folder() / "out"));
    CHECK_MESSAGE(outcome.status == 1, outcome.err, outcome.out);
    CHECK(holds(outcome.err, "papers/figure-1, parameters.work=2s, event: "));
    CHECK(holds(outcome.out, "  agrees    it is a second: 1; event 1\n"));
}

TEST_CASE("a folder that cannot be written is found out before the work, and an item that is none is named") {
    const Outcome unwritable = invoke("sources --out /proc/none models/sources/mudalige-2009/table-4.13.yaml");
    CHECK(unwritable.status == 2);
    CHECK(holds(unwritable.err, "cannot"));
    const test::Scratch scratch;
    const Outcome none = invoke("sources models/lu/lu.yaml --out " + quoted(scratch.folder() / "out"));
    CHECK(none.status == 2);
    CHECK(holds(none.err, "`models/lu/lu.yaml` is a scenario"));
    CHECK(holds(none.err, "expected a study, with a key `axes` or `variants`, or a list with `comparisons`"));
}
