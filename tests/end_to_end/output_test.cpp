// Files and a stdout that cannot be written: noticed, early where that is possible, and the rest of the answer is kept.
#include <filesystem>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

/// A command that may write no file beyond 4 KiB, as if the disk were full then; the exit status is the last line of
/// `out`, which holds stderr too.
Outcome on_full_disk(const std::string& arguments) {
    const std::string command = fmt::format("trap '' XFSZ; ulimit -f 8; {} {}", quoted(WARPFRONT_PROGRAM), arguments);
    return run_in(WARPFRONT_SOURCE_DIR, fmt::format("{{ ( {} ); echo status $?; }} 2>&1 | cat", command));
}

/// A run that would go on for hours.
const std::string kEndless = kSmall + "--replay full --set iterations=100000000 ";

}  // namespace

TEST_CASE("JSON that cannot be written is refused before the run") {
    const Outcome folder = invoke("run " + kEndless + "--json no-such-folder/r.json");
    CHECK(folder.status == 2);
    CHECK(folder.out == "");
    CHECK(folder.err == "error: cannot write `no-such-folder/r.json`: there is no folder `no-such-folder`\n");
    CHECK(invoke("run " + kEndless + "--json models").err == "error: cannot write `models`: it is a directory\n");
    CHECK(invoke("estimate " + kEndless + "--json no-such-folder/r.json").status == 2);
    CHECK(invoke("compare " + kEndless + "--json no-such-folder/r.json").status == 2);
    CHECK(invoke("run " + kEndless + "--json /proc/r.json").status == 2);
}

TEST_CASE("a device that is full takes no JSON, and the table is still printed") {
    const Outcome outcome = invoke("run " + kSmall + "--json /dev/full");
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.out, "predicted time"));
    CHECK(outcome.err == "error: cannot write `/dev/full`: no space left on device\n");
}

TEST_CASE("every command notices a stdout that is full") {
    const Scratch scratch;
    const std::string out = quoted(scratch.folder() / "traces");
    for (const std::string& command :
         {"run " + kSmall, "run " + kSmall + "--json -", "estimate " + kSmall, "compare " + kSmall,
          "compare " + kSmall + "--json -", "trace " + kSmall + "--set iterations=1 --out " + out,
          std::string("check models/lu/lu.psl"), std::string("check --platform platforms/xt4.yaml"),
          std::string("--help"), std::string("run --help"), std::string("--version")}) {
        CAPTURE(command);
        const Outcome outcome = invoke(command + " >/dev/full");
        CHECK(outcome.status == 2);
        CHECK(without_heartbeats(outcome.err) == "error: cannot write `stdout`: no space left on device\n");
    }
}

TEST_CASE("a stdout that is full does not keep the JSON from being written") {
    const Scratch scratch;
    const auto file = scratch.folder() / "r.json";
    CHECK(invoke("run " + kSmall + "--json " + quoted(file) + " >/dev/full").status == 2);
    CHECK(nlohmann::json::parse(text_of(file)).at("schema") == "warpfront.result/1");
}

TEST_CASE("traces that cannot be written are refused before anything is made") {
    const Scratch scratch;
    const std::string command = "trace " + kSmall + "--set iterations=1 --out ";
    const Outcome file = invoke(command + quoted(scratch.file("file", "text")));
    CHECK(file.status == 2);
    CHECK(file.err ==
          fmt::format("error: cannot write `{0}`: `{0}` is not a folder\n", (scratch.folder() / "file").string()));
    CHECK(invoke(command + "/proc/traces").status == 2);
}

TEST_CASE("where a disk is full earlier traces stay whole, and none are begun") {
    const Scratch scratch;
    const auto folder = scratch.folder() / "traces";
    const std::string command = "trace " + kSmall + "--out " + quoted(folder) + " --set iterations=";
    CHECK(holds(on_full_disk(command + "1").out, "status 2\n"));
    CHECK(std::filesystem::is_empty(scratch.folder()));
    REQUIRE(invoke(command + "1").status == 0);
    const std::string earlier = text_of(folder / "rank-0.txt");
    CHECK(holds(on_full_disk(command + "2").out, "status 2\n"));
    CHECK(text_of(folder / "rank-0.txt") == earlier);
    CHECK(std::filesystem::exists(folder / "traces.txt"));
}
