// Items of sources: the files that are items, the judging of a table's columns, the contents of the outputs.
#include "tools/study/sources/items.hpp"

#include "tests/approx.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::tools;

namespace {

/// One rank that computes a second, with all engines.
const std::string kComputesASecond =
    "application a {\n    param nz: int = 1\n    iteration { compute 1s * nz }\n"
    "    closed_form { work = 1s * nz tiles = 1 east_west = 0B north_south = 0B\n"
    "        corners = [northwest] }\n}\n";
const std::string kOneRank = "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                             "/platforms/xt4.yaml\n"
                             "calibration: off\nranks: {columns: 1, rows: 1}\n";

struct Item {
    explicit Item(const std::string& table, const std::string& keys = "") {
        scratch.file("m.psl", kComputesASecond);
        scratch.file("s.yaml", kOneRank);
        scratch.file("t.csv", table);
        file =
            scratch.file("item.yaml", "source: a paper\ncomparisons:\n  - {scenario: s.yaml, against: t.csv, name: T" +
                                          keys + "}\n");
    }
    SourceItem run() const {
        const PointStore points(scratch.folder() / "points");
        return run_item(file, {.points = &points});
    }

    Scratch scratch;
    std::filesystem::path file;
};

}  // namespace

TEST_CASE(
    "pred judges the closed form within 1 %, exec the event engine within the error of what the source predicts") {
    // The source predicts 1.005 s of 1.1 s, an error of 8.6 %. Ours is 1 s: 0.5 % and 9.1 % away.
    const SourceItem item = Item("n,m,pred,exec\n1,1,1.005,1.1\n").run();
    CHECK(item.source == "a paper");
    REQUIRE(item.statements.size() == 2);
    CHECK(item.statements[0].states == "T: pred");
    CHECK(item.statements[0].expected == "1 row within 1 % (our bound)");
    CHECK(item.statements[0].ours.front().engine == "analytic");
    CHECK(item.statements[0].verdict() == Verdict::agrees);
    CHECK(item.statements[1].expected == "1 row within 8.64 %, the source's largest error");
    CHECK(item.statements[1].ours.front().engine == "event");
    CHECK(item.statements[1].ours.front().difference->value == approx(100.0 * (1.0 - 1.1) / 1.1));
    CHECK(item.statements[1].verdict() == Verdict::differs);
}

TEST_CASE("a list may state how far is near, and a cause that was tested explains what is further") {
    CHECK(Item("n,m,exec\n1,1,1.1\n", ", within: {exec: 10 %}").run().statements[0].verdict() == Verdict::agrees);
    const SourceItem item =
        Item("n,m,exec\n1,1,1.1\n", ", within: {exec: 1 %}, reason: it slept, tested_by: a clock").run();
    CHECK(item.statements[0].verdict() == Verdict::explained);
    const std::string text = sources_text(std::span(&item, 1));
    CHECK(text.find("it slept\n            tested by a clock\n") != std::string::npos);
    CHECK(text.find("1 differ with a tested cause, 0 with an untested reason") != std::string::npos);
}

TEST_CASE("a measurement without any prediction beside it is not judged unless the list has a tolerance") {
    CHECK(Item("n,m,exec\n1,1,1.1\n").run().statements.empty());
}

TEST_CASE("with a reason that nothing has tested the cause is not known") {
    const SourceItem item = Item("n,m,exec\n1,1,1.1\n", ", within: {exec: 1 %}, reason: it may have slept").run();
    CHECK(item.statements[0].verdict() == Verdict::not_known);
    CHECK(unexplained(std::span(&item, 1)) == 0);
    const std::string text = sources_text(std::span(&item, 1));
    CHECK(text.find("  not known T: exec") != std::string::npos);
    CHECK(text.find("0 differ with a tested cause, 1 with an untested reason") != std::string::npos);
}

TEST_CASE("statements that agree within bounds of ours are counted among those that agree") {
    const SourceItem item = Item("n,m,pred,exec\n1,1,1.005,1.006\n", ", within: {exec: 1 %}").run();
    CHECK(item.statements[1].expected == "1 row within 1 % (our bound)");
    CHECK(sources_text(std::span(&item, 1)).find("2 agree, 2 of them within bounds that the source does not state") !=
          std::string::npos);
}

TEST_CASE("rows that are further are named") {
    const SourceItem item = Item("n,m,nz,exec\n1,1,1,1\n1,1,2,3\n", ", within: {exec: 1 %}").run();
    CHECK(item.statements[0].ours.front().ours == "2 rows, mean 17 %, worst -33 %; outside: 1 x 1 ranks -33.3 %");
    CHECK(unexplained(std::span(&item, 1)) == 1);
}

TEST_CASE("a long run of the event engine is left out, and what it is of is not judged") {
    const Item long_run("n,m,exec\n4,4,1\n", ", within: {exec: 1 %}");
    long_run.scratch.file(
        "m.psl",
        "application a {\n    iteration { allreduce 8B }\n"
        "    closed_form { work = 0s tiles = 1 east_west = 0B north_south = 0B corners = [northwest]\n"
        "        allreduces = 1 allreduce_bytes = 8B }\n}\n");
    const PointStore points(long_run.scratch.folder() / "points");
    // 64 messages: four stages of 16 ranks
    const SourceItem item = run_item(long_run.file, {.points = &points, .most_messages = 63});
    CHECK(item.statements[0].verdict() == Verdict::not_run);
    const SourceItem whole = run_item(long_run.file, {.points = &points, .most_messages = 64});
    CHECK(whole.statements[0].verdict() != Verdict::not_run);
}

TEST_CASE("files of a folder are its studies and lists, by the numbers in their names") {
    const Scratch scratch;
    const std::string study = "scenario: s.yaml\naxes: [{iterations: [1, 2]}]\n";
    for (const char* name : {"figure-5.10.yaml", "figure-5.9.yaml"}) scratch.file(name, study);
    scratch.file("s.yaml", kOneRank);
    scratch.file("t.csv", "n,m\n");
    const auto files = item_files({scratch.folder()});
    REQUIRE(files.size() == 2);
    CHECK(files[0].filename() == "figure-5.9.yaml");
    CHECK(files[1].filename() == "figure-5.10.yaml");
}

TEST_CASE("faults: a folder without items, a file that is none") {
    const Scratch scratch;
    const auto file = scratch.file("s.yaml", kOneRank);
    CHECK(kinds_of(faults_of([&] { item_files({scratch.folder()}); })) == Kinds{nothing_to_compare});
    const PointStore points(scratch.folder() / "points");
    CHECK(kinds_of(faults_of([&] { run_item(file, {.points = &points}); })) == Kinds{unknown_file_kind});
}
