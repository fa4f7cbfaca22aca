// Tables of results on the pages are the outputs of the commands before them (tools/measurements/tables/update).
#include "tests/end_to_end/program.hpp"

namespace {

Outcome update(const std::string& arguments) {
    return run_in(
        kRoot, fmt::format("WARPFRONT={} tools/measurements/tables/update {}", quoted(WARPFRONT_PROGRAM), arguments));
}

}  // namespace

TEST_CASE("the tables of the pages that take seconds are those that their commands print") {
    const Outcome outcome = update("--quick --check");
    CHECK_MESSAGE(outcome.status == 0, outcome.out, outcome.err);
}

TEST_CASE("a table is made anew, up to the next empty line, and all else stays") {
    const Scratch scratch;
    const std::string before =
        "text\n\n<!-- table: printf '| a |\\n|---|\\n| 2 |\\n' -->\n| a |\n|---|\n| 1 |\n\nmore\n";
    const std::string slow = "<!-- slow table: echo '| b |' -->\n| c |\n\nend\n";
    const std::filesystem::path page = scratch.file("README.md", before + slow);
    const Outcome differs = update("--quick --check " + quoted(page));
    CHECK(differs.status == 1);
    CHECK(holds(differs.out, "-| 1 |\n+| 2 |\n"));
    CHECK_FALSE(holds(differs.out, "+| b |"));
    CHECK(text_of(page) == before + slow);  // --check writes nothing
    CHECK(update("--quick " + quoted(page)).status == 0);
    const std::string remade =
        "text\n\n<!-- table: printf '| a |\\n|---|\\n| 2 |\\n' -->\n| a |\n|---|\n| 2 |\n\nmore\n";
    CHECK(text_of(page) == remade + slow);
    CHECK(update(quoted(page)).status == 0);
    CHECK(text_of(page) == remade + "<!-- slow table: echo '| b |' -->\n| b |\n\nend\n");
    CHECK(update("--check " + quoted(page)).status == 0);
}

TEST_CASE("a table whose command fails leaves the page as it is") {
    const Scratch scratch;
    const std::string text = "<!-- table: echo '| a |'; false -->\n| old |\n\n";
    const std::filesystem::path page = scratch.file("README.md", text);
    CHECK(update(quoted(page)).status != 0);
    CHECK(text_of(page) == text);
    CHECK(update("--fast").status == 2);
}

TEST_CASE("a study as a table: a row for each engine and combination of the other axes, a column for each last value") {
    const Scratch scratch;
    const auto study =
        scratch.file("s.yaml", fmt::format("scenario: {}/models/chimaera/chimaera.yaml\n"
                                           "engines: [analytic]\nset: {{iterations: 1, calibration: off}}\n"
                                           "axes:\n  - {{ranks.columns: [2, 4], ranks.rows: [2, 2]}}\n"
                                           "  - parameters.htile: [1, 2, 240]\n"
                                           "derived: [speed-up]\nover: parameters.htile\n"
                                           "best: [{{of: time, over: parameters.htile}}]\n",
                                           kRoot.string()));
    const std::string command =
        fmt::format("WARPFRONT={} tools/measurements/tables/study {}", quoted(WARPFRONT_PROGRAM), quoted(study));
    const Outcome speed = run_in(kRoot, command + " speed-up");
    CHECK(speed.err == "");
    CHECK(
        speed.out.starts_with("| ranks | engine | htile: | 1 | 2 | 240 |\n|---|---|---|---|---|---|\n"
                              "| 4 | analytic | speed-up | 1 | "));
    CHECK(holds(speed.out, "\n| 8 | analytic | speed-up | 1 | "));
    // One tile of 240 planes is computed by one diagonal after the other: never the best.
    const Outcome best = run_in(kRoot, command);
    CHECK(best.out.starts_with("| engine | ranks: | 4 | 8 |\n|---|---|---|---|\n| analytic | best htile | "));
    CHECK_FALSE(holds(best.out, "240"));
}

TEST_CASE("contention of anything except bus and NIC is a usage error") {
    CHECK(run_in(kRoot, "tools/measurements/contention links").status == 2);
    CHECK(run_in(kRoot, "tools/measurements/contention").status == 2);
}
