// `mpirun -n N warpfront ...`: several processes give what one gives, print it once and end together.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

/// As root too, and on any number of cores.
Outcome mpirun(int processes, const std::string& arguments) {
    return run_in(WARPFRONT_SOURCE_DIR, fmt::format("timeout 60 mpirun --allow-run-as-root --oversubscribe -n {} {} {}",
                                                    processes, quoted(WARPFRONT_PROGRAM), arguments));
}

nlohmann::json without_work(const std::string& text) {
    nlohmann::json result = nlohmann::json::parse(text);
    for (const char* part : {"wall_s", "cpu_s", "peak_rss_bytes", "state_bytes", "threads", "processes"}) {
        result["work"].erase(part);
    }
    return result;
}

const std::string kTwelve = kSmall + "--set iterations=12 ";

}  // namespace

TEST_CASE("two and three processes give the result of one, digest and work included") {
    const nlohmann::json one = without_work(invoke("run " + kTwelve + "--replay full --json -").out);
    for (const int processes : {2, 3}) {
        CAPTURE(processes);
        const Outcome many = mpirun(processes, "run " + kTwelve + "--replay full --json -");
        REQUIRE(many.status == 0);
        CHECK(without_work(many.out) == one);
        CHECK(nlohmann::json::parse(many.out)["work"]["processes"] == processes);
    }
}

TEST_CASE("two processes of two threads skip the iterations that recur") {
    const nlohmann::json full = nlohmann::json::parse(invoke("run " + kTwelve + "--replay full --json -").out);
    const Outcome two = mpirun(2, "run " + kTwelve + "--threads 2 --json -");
    const nlohmann::json skipping = nlohmann::json::parse(two.out);
    CHECK(skipping["digest"] == full["digest"]);
    CHECK(skipping["breakdown"] == full["breakdown"]);
    CHECK(skipping["work"]["messages_replayed"] < full["work"]["messages_replayed"]);
    CHECK(skipping["work"]["threads"] == 4);
}

TEST_CASE("a result of several processes is printed once") {
    const Outcome two = mpirun(2, "run " + kTwelve);
    CHECK(two.status == 0);
    CHECK(count(two.out, "predicted time") == 1);
}

TEST_CASE(
    "a result of several processes is written once, to the file that one would write, and its time printed once") {
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "result.json";
    const Outcome two = mpirun(2, "run " + kTwelve + "--quiet --json " + quoted(file));
    CHECK(two.status == 0);
    CHECK(count(two.out, "\n") == 1);
    CHECK(two.out.starts_with("predicted time "));
    CHECK(nlohmann::json::parse(text_of(file))["ranks"] == 16);
}

TEST_CASE("a deadlock of several processes is reported as that of one, with status 1") {
    const Scratch scratch;
    // Each rank waits for its neighbour before it sends to it.
    scratch.file("m.psl",
                 "application pair {\n    iteration k {\n        recv from west\n        recv from east\n"
                 "        send 8B to east\n        send 8B to west\n    }\n}\n");
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                             "/platforms/xt4.yaml\nranks: {columns: 4, rows: 1}\n");
    const std::string arguments = "run " + quoted(file);
    const Outcome one = invoke(arguments);
    const Outcome two = mpirun(2, arguments);
    CHECK(one.status == 1);
    CHECK(two.status == 1);
    CHECK_MESSAGE(two.err.find(one.err) != std::string::npos, one.err, " and ", two.err);
}

TEST_CASE("a fault in the input is reported once, with status 2") {
    const Outcome two = mpirun(2, "run " + kSmall + "--set ranks.colums=4");
    CHECK(two.status == 2);
    CHECK(count(two.err, "colums") == count(invoke("run " + kSmall + "--set ranks.colums=4").err, "colums"));
}

TEST_CASE(
    "where one process fails alone, as where a file is missing on its computer, all end and its message is printed") {
    const Outcome two =
        run_in(WARPFRONT_SOURCE_DIR,
               fmt::format(
                   "timeout 60 mpirun --allow-run-as-root --oversubscribe -n 1 {0} run {1} : -n 1 {0} run nowhere.yaml",
                   quoted(WARPFRONT_PROGRAM), kTwelve));
    CHECK(two.status == 2);
    CHECK(two.err.find("process 1 failed: ") != std::string::npos);
    CHECK(two.err.find("nowhere.yaml") != std::string::npos);
    CHECK(two.out.empty());
}

TEST_CASE("processes share the points of a study, which ends with the bytes of one process") {
    const Scratch scratch;
    const std::string study =
        "study models/sweep3d/billion.yaml --vary parameters.mmi=1,2,3,6 --set iterations=1 "
        "--set 'ranks={columns: 8, rows: 8}' --quiet --out ";
    const auto one = scratch.folder() / "one";
    const auto three = scratch.folder() / "three";
    CHECK(invoke(study + quoted(one)).status == 0);
    const Outcome shared = mpirun(3, study + quoted(three));
    CHECK(shared.status == 0);
    CHECK(shared.out.empty());
    CHECK(text_of(three / "study.csv") == text_of(one / "study.csv"));
    CHECK(text_of(three / "study.json") == text_of(one / "study.json"));
}

TEST_CASE("of other commands one process does all the work, and says so") {
    const Outcome one = invoke("run " + kSmall + "--engine analytic");
    const Outcome two = mpirun(2, "run " + kSmall + "--engine analytic");
    CHECK(two.status == 0);
    CHECK(two.out == one.out);
    CHECK(two.err.find(
              "2 processes were started, but only `study` and one event-driven prediction by `run` divide their") !=
          std::string::npos);
}
