// Runs that fail although their input is valid: exit status 1, and the reason on stderr.
#include "tests/end_to_end/program.hpp"

namespace {

/// Runs two ranks that execute `body` once; `limits` are shell commands that come first.
Outcome run_model(const std::string& body, const std::string& arguments = "", const std::string& limits = "") {
    const OwnModel model(iterating(body));
    return run_in(kRoot, limits + quoted(WARPFRONT_PROGRAM) + " run " + model.argument() + arguments);
}

}  // namespace

TEST_CASE("a run that deadlocks prints nothing on stdout, and leaves no result file") {
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "r.json";
    const Outcome outcome =
        run_model("recv from west recv from east send 8B to west send 8B to east", "--json " + quoted(file));
    CHECK(outcome.status == 1);
    CHECK(outcome.out == "");
    CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("messages that arrive after the end of virtual time name the statement that sends them") {
    // Sweep3D on 4 x 4 ranks: 8 sweeps of 500 tiles, each tile behind a message of 2 KiB that takes 10 s and more and
    // waits for its receive, so 40,000 s and more an iteration, and 92 days and more for 200. Clocks hold 53; totals of
    // what is skipped hold more.
    const std::string arguments =
        "run models/sweep3d/billion.yaml --set iterations=200 --set parameters.fixup_iterations=0 --set "
        "calibration=off --set platform.eager.network.limit=1024B --set platform.layers.network.L=10s --set "
        "'ranks={columns: 4, rows: 4}' ";
    const Outcome outcome = invoke(arguments + "--replay full");
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "virtual time overflow: rank "));
    CHECK(holds(outcome.err, "in `send "));
    CHECK(holds(outcome.err, "models/pipeline.psl:"));
    CHECK(json_of(arguments).at("time_s") > 92 * 86400.0);
}

TEST_CASE("eager messages that pile up end the run before the memory does, and a limit of them lets it pass") {
    const std::string body =
        "repeat 4000000 {\n"
        "    recv from west\n"
        "    compute if column == columns then 10us else 1us\n"
        "    send 8B to east\n"
        "}";
    const auto begin = std::chrono::steady_clock::now();
    const Outcome stopped = run_model(body, "", "ulimit -v 200000; ");
    // A second, because the cost of a message does not grow with the queue.
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK(stopped.status == 1);
    CHECK(holds(stopped.err, "out of memory: "));
    CHECK(holds(stopped.err,
                "on the channel from rank 0 (column 1, row 1) to rank 1 (column 2, row 1), tag 0, sent in "
                "`send 8B to east` at "));
    CHECK(holds(stopped.err, "m.psl:5:5"));
    CHECK(holds(stopped.err, "simulated until then: "));
    CHECK(holds(stopped.err, "expected a receiver that keeps up with its sender, or more memory"));
}

// A stack of 9 * 10^18 tiles of 100 h each exceeds the range of the closed form; the event engine has only tiles of 1
// us.
TEST_CASE("a prediction is kept if the closed form beside it fails, and a note has the reason") {
    const OwnModel model(
        "application alone { iteration k { compute 1us } closed_form { work = 100h tiles = 9000000000000000000 "
        "east_west = 8B north_south = 8B corners = [northwest] } }",
        "{columns: 2, rows: 1}", "calibration: off\n");
    const Outcome outcome = invoke("run " + model.argument());
    CHECK(outcome.status == 0);
    CHECK(holds(outcome.out, "predicted time  1us"));
    CHECK(holds(outcome.out, "note: the closed form gives no time: "));
}
