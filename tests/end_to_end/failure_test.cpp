// Runs that fail although their input is good: exit status 1, and why on stderr.
#include <chrono>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

/// Each rank waits for the other.
const std::string kCircle =
    "        recv from west\n"
    "        recv from east\n"
    "        send 8B to west\n"
    "        send 8B to east\n";

/// Two ranks of the XT4 that run `body` once; `limits` are shell commands that come first.
Outcome run_model(const std::string& body, const std::string& arguments = "", const std::string& limits = "") {
    const Scratch scratch;
    scratch.file("m.psl", "application pair {\n    iteration k {\n" + body + "    }\n}\n");
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                             "/platforms/xt4.yaml\n"
                                             "ranks: {columns: 2, rows: 1}\n");
    return run_in(WARPFRONT_SOURCE_DIR, limits + quoted(WARPFRONT_PROGRAM) + " run " + quoted(file) + " " + arguments);
}

}  // namespace

TEST_CASE("a model that deadlocks gets its circle reported: ranks, statements, peers") {
    const Outcome outcome = run_model(kCircle);
    CHECK(outcome.status == 1);
    CHECK(outcome.out == "");
    // Rank 0 has no neighbour to the west: it waits for rank 1 in line 4, rank 1 for rank 0 in line 3.
    for (const char* part : {"deadlock", "rank 0", "rank 1", "m.psl:4:9", "m.psl:3:9"}) {
        CAPTURE(part);
        CHECK(holds(outcome.err, part));
    }
}

TEST_CASE("rendezvous that face each other deadlock, eager messages of the same order do not") {
    const auto exchange = [](const std::string& bytes) {
        return run_model("        send " + bytes + " to east\n        send " + bytes +
                         " to west\n"
                         "        recv from west\n        recv from east\n")
            .status;
    };
    CHECK(exchange("1024B") == 0);
    CHECK(exchange("1025B") == 1);
}

TEST_CASE("a failed run leaves no result file") {
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "r.json";
    CHECK(run_model(kCircle, "--json " + quoted(file)).status == 1);
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("virtual time that runs out is a failure, never a wrap") {
    // One cell per rank and 2 h of work per tile; 10 tiles x 8 sweeps x 12 iterations make 80 days, and clocks hold 53.
    const Outcome outcome = invoke("run " + kSmall +
                                   "--set cells_per_rank.x=1 --set cells_per_rank.y=1 "
                                   "--set parameters.wg=1h --set parameters.wg_fixup=1h --replay full");
    CHECK(outcome.status == 1);
    CHECK(outcome.out == "");
    CHECK(holds(outcome.err, "virtual time"));
}

TEST_CASE("a cost that no clock could hold is refused before the run") {
    // 2 h of work per tile and cell, 25 x 40 cells: 2,000 h; a single cost may last 6.7 days.
    const Outcome outcome = invoke("run " + kSmall +
                                   "--set cells_per_rank.x=25 --set cells_per_rank.y=40 "
                                   "--set parameters.wg=1h");
    CHECK(outcome.status == 2);
}

TEST_CASE("messages that arrive after the end of virtual time name the statement that sends them") {
    // Sweep3D on 4 x 4 ranks: 8 sweeps of 500 tiles, each tile behind a message that takes 10 s and more, so 40,000 s
    // and more an iteration, and 92 days and more for 200. Clocks hold 53; totals of what is skipped hold more.
    const std::string arguments =
        "run models/sweep3d/billion.yaml --set iterations=200 --set parameters.fixup_iterations=0 --set "
        "calibration=off "
        "--set platform.layers.network.L=10s --set 'ranks={columns: 4, rows: 4}' ";
    const Outcome outcome = invoke(arguments + "--replay full");
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "virtual time overflow: rank "));
    CHECK(holds(outcome.err, "in `send "));
    CHECK(holds(outcome.err, "models/pipeline.psl:"));
    CHECK(json_of(arguments).at("time_s") > 92 * 86400.0);
}

TEST_CASE("eager messages that pile up end the run before the memory does, and a limit of them lets it pass") {
    const std::string body =
        "        repeat 4000000 {\n"
        "            recv from west\n"
        "            compute if column == columns then 10us else 1us\n"
        "            send 8B to east\n"
        "        }\n";
    const auto begin = std::chrono::steady_clock::now();
    const Outcome stopped = run_model(body, "", "ulimit -v 200000; ");
    // A second: what a message costs does not grow with the queue.
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK(stopped.status == 1);
    CHECK(holds(stopped.err, "out of memory: "));
    CHECK(holds(stopped.err,
                "on the channel from rank 0 (column 1, row 1) to rank 1 (column 2, row 1), tag 0, sent in "
                "`send 8B to east` at "));
    CHECK(holds(stopped.err, "m.psl:6:13"));
    CHECK(holds(stopped.err, "found until then: "));
    CHECK(holds(stopped.err, "expected a receiver that keeps up with its sender, or more memory"));
}

// A stack of 9 * 10^18 tiles of 100 h each is beyond what the closed form can hold; the event engine knows only of 1
// us.
TEST_CASE("a prediction stands where the closed form beside it has no answer, and a note says why") {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application alone {\n    iteration k { compute 1us }\n"
                 "    closed_form {\n        work = 100h\n        tiles = 9000000000000000000\n"
                 "        east_west = 8B\n        north_south = 8B\n        corners = [northwest]\n    }\n}\n");
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                             "/platforms/xt4.yaml\n"
                                             "ranks: {columns: 2, rows: 1}\ncalibration: off\n");
    const Outcome outcome = invoke("run " + quoted(file));
    CHECK(outcome.status == 0);
    CHECK(holds(outcome.out, "predicted time  1us"));
    CHECK(holds(outcome.out, "note: the closed form has no answer: "));
}
