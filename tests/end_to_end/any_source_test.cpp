// Ranks that take messages as they come, as a user meets them: the shipped master and its workers, and what cannot
// follow such a model.
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

const std::string kMaster = "models/master_worker/master_worker.yaml ";

/// A master on a machine of one-core nodes that answers three workers, one task each.
Outcome run_tasks(const std::string& arguments) {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application tasks {\n"
                 "    iteration {\n"
                 "        if rank == 0 {\n"
                 "            repeat ranks - 1 { recv worker from any tag 1 compute 10us send 8B to worker tag 2 }\n"
                 "        } else {\n"
                 "            compute 1us * (ranks - rank)\n"
                 "            ssend 8B to rank_at(1, 1) tag 1\n"
                 "            recv from rank_at(1, 1) tag 2\n"
                 "        }\n"
                 "    }\n"
                 "}\n");
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                             "/platforms/xt4-single.yaml\nranks: {columns: 4, rows: 1}\n"
                                             "calibration: off\n");
    return run_in(WARPFRONT_SOURCE_DIR, quoted(WARPFRONT_PROGRAM) + " " + arguments + " " + quoted(file));
}

}  // namespace

TEST_CASE("the shipped master hands out its tasks, on any number of threads") {
    const json one = json_of("run " + kMaster);
    CHECK(one["work"]["messages"] ==
          63 * 41 + 6 * 64);  // 20 requests, 20 answers, a last result; a barrier of 64 ranks
    CHECK(one["work"]["messages_replayed"] == one["work"]["messages"]);
    CHECK(json_of("run " + kMaster + "--threads 2")["digest"] == one["digest"]);
    CHECK(json_of("run " + kMaster + "--replay full")["digest"] == one["digest"]);
}

TEST_CASE("the worker that asks first is answered first") {
    // Rank 3 asks after 1 us, rank 2 after 2, rank 1 after 3; each answer takes the master 10 us more.
    const Scratch scratch;
    const Outcome outcome = run_tasks("run --quiet --ranks " + quoted(scratch.folder() / "ranks.csv"));
    CHECK(outcome.status == 0);
    const std::string ranks = text_of(scratch.folder() / "ranks.csv");
    std::vector<double> finish;
    std::istringstream lines(ranks);
    std::string line;
    std::getline(lines, line);
    const auto column = std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(line.find("finish")), ',');
    while (std::getline(lines, line)) {
        std::size_t at = 0;
        for (std::ptrdiff_t k = 0; k < column; ++k) at = line.find(',', at) + 1;
        finish.push_back(std::stod(line.substr(at)));
    }
    REQUIRE(finish.size() == 4);
    CHECK(finish[3] < finish[2]);
    CHECK(finish[2] < finish[1]);
}

TEST_CASE("what cannot follow ranks that take messages as they come says so") {
    const Scratch scratch;
    const std::string out = " --out " + quoted(scratch.folder() / "traces");
    for (const std::string& command : {"explain " + kMaster, "run " + kMaster + "--path", "trace " + kMaster + out}) {
        CAPTURE(command);
        const Outcome outcome = invoke(command);
        CHECK(outcome.status == 2);
        CHECK(holds(outcome.err, "cannot follow ranks that take messages as they come"));
        CHECK(holds(outcome.err, "expected a model without `from any` and `waitany`"));
    }
    const Outcome simgrid = invoke("run " + kMaster + "--engine simgrid");
    CHECK(simgrid.status == 2);
    CHECK(holds(simgrid.err, "simgrid's ranks take no messages as they come"));
}

TEST_CASE("a deadlock of such ranks names one that they wait for") {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application circle {\n    iteration {\n"
                 "        if rank == 0 { repeat 2 { recv from any } send 8B to east send 8B to rank_at(3, 1) }\n"
                 "        else { recv from rank_at(1, 1) send 8B to rank_at(1, 1) }\n    }\n}\n");
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                             "/platforms/xt4.yaml\nranks: {columns: 3, rows: 1}\n");
    const Outcome outcome = invoke("run " + quoted(file));
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "waits in `recv from any` at"));
    CHECK(holds(outcome.err, "for any of 2 messages, such as that of rank 1"));
}

TEST_CASE("traces have no synchronous sends") {
    const Scratch scratch;
    scratch.file("m.psl", "application pair { iteration { ssend 8B to east recv from west } }\n");
    const auto file = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                             "/platforms/xt4.yaml\nranks: {columns: 2, rows: 1}\n");
    const Outcome outcome = invoke("trace " + quoted(file) + " --out " + quoted(scratch.folder() / "traces"));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "SimGrid's replay has no synchronous sends in `ssend 8B to east`"));
    const json event = json_of("run " + quoted(file));
    CHECK(json_of("run " + quoted(file) + " --engine simgrid")["digest"] == event["digest"]);
}
