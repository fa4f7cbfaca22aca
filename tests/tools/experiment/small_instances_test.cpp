#include "tools/answer/experiment/small_instances.hpp"

#include "simulator/scenario/scenario.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"

namespace warpfront::tools {

using test::experiment_of;

namespace {

/// Walks the model on 8 x 8 ranks of the XT4, or as many in each plane, one on a node unless `more` states otherwise.
SmallInstances walked(const std::string& model, int iterations = 2, const std::string& more = "", int planes = 1) {
    const test::Scratch scratch;
    scratch.file("m.psl", model);
    const auto scenario =
        scratch.file("s.yaml", fmt::format("model: m.psl\nplatform: {{file: {}/platforms/xt4.yaml{}}}\n"
                                           "ranks: {{columns: 8, rows: 8, planes: {}}}\niterations: {}\n",
                                           WARPFRONT_SOURCE_DIR, more, planes, iterations));
    return walk_small_instances(experiment_of(scenario));
}

const std::string kRing =
    "let next = rank_at(column % columns + 1, row)\n"
    "let before = rank_at((column + columns - 2) % columns + 1, row)\n";

/// Walks ranks in a ring along each row that do `body` in each iteration; its first statement is in line 5.
SmallInstances walked_ring(const std::string& body) {
    return walked("application m {\n" + kRing + "iteration {\n" + body + "}\n}\n");
}

/// Walks an application without variables.
SmallInstances walked_iteration(const std::string& body, int iterations = 2) {
    return walked("application m {\niteration {\n" + body + "\n}\n}\n", iterations);
}

/// Returns the only fault, as "LINE MESSAGE".
std::string stuck_of(const SmallInstances& small) {
    REQUIRE(small.stuck.count() == 1);
    const input::Diagnostic& fault = small.stuck.all().front();
    return fmt::format("{} {}", fault.range.source->position(fault.range.offset).line, fault.message);
}

}  // namespace

TEST_CASE("ranks that all receive first are a fault with the statement, on 2 x 2 ranks") {
    const SmallInstances small = walked_ring("  recv from before\n  send 8B to next\n");
    CHECK(stuck_of(small) == "5 on 2 x 2 ranks rank 0 (column 1, row 1) waits here forever for rank 1");
    CHECK(small.stuck.all().front().kind == input::DiagnosticKind::stuck_ranks);
    CHECK(small.deadlock.starts_with("on 2 x 2 ranks deadlock: 2 ranks wait for each other; 4 ranks blocked in all"));
    CHECK_THROWS_AS(small.stuck.raise(), input::BadInput);
}

TEST_CASE("a scenario of several planes is walked on 2 x 2 x 2 ranks") {
    // planes 1 and 2, 3 and 4, ...: both ranks of a pair receive before they send
    const std::string model =
        "application m {\n"
        "require planes % 2 == 0, \"pairs of planes\"\n"
        "let other = rank_at(column, row, if plane % 2 == 1 then plane + 1 else plane - 1)\n"
        "iteration {\n"
        "  recv from other\n"
        "  send 8B to other\n"
        "}\n}\n";
    CHECK(stuck_of(walked(model, 2, "", 8)) ==
          "5 on 2 x 2 x 2 ranks rank 0 (column 1, row 1, plane 1) waits here forever for rank 4");
}

TEST_CASE("ranks that all send first are a note: they end where messages are eager") {
    const SmallInstances small = walked_ring("  send 8B to next\n  recv from before\n");
    CHECK(small.stuck.empty());
    CHECK(small.deadlock.empty());
    CHECK(small.eager_only.starts_with(
        "on 2 x 2 ranks the model finishes only if messages are eager; with rendezvous messages: "));
}

TEST_CASE("ranks that all send first are a fault where the machine has a rendezvous for messages of their size") {
    // The XT4 buffers messages up to 1,024 B between nodes.
    CHECK(walked_ring("  send 1024B to next\n  recv from before\n").stuck.empty());
    const SmallInstances large = walked_ring("  send 1MiB to next\n  recv from before\n");
    CHECK(stuck_of(large) ==
          "5 on 2 x 2 ranks rank 0 (column 1, row 1) waits here forever for rank 1 to receive: on this machine its "
          "message is not buffered");
    CHECK(large.stuck.all().front().expected ==
          "these sends end only once their messages are received: expected one of these ranks to receive first, or "
          "`isend` or `sendrecv`");
}

TEST_CASE("a ring in which one message of a statement is buffered ends, so it is no fault") {
    // The message of column 1 is buffered, so the rank continues to its receive, and one rank after the other does the
    // same.
    CHECK(walked_ring("  let size = if column == 1 then 8B else 1MiB\n  send size to next\n  recv from before\n")
              .stuck.empty());
}

TEST_CASE("a deadlock on 2 x 2 ranks is no fault if the scenario itself is certain to end") {
    const SmallInstances small = walked_ring(
        "  if columns < 8 { recv from before }\n"
        "  send 8B to next\n"
        "  if columns == 8 { recv from before }\n");
    CHECK(small.stuck.empty());
    CHECK(small.deadlock.starts_with("on 2 x 2 ranks deadlock: "));
}

TEST_CASE("a deadlock on the scenario's own ranks alone is a fault there") {
    const SmallInstances own = walked_ring(
        "  if columns == 8 { recv from before }\n"
        "  send 8B to next\n"
        "  if columns < 8 { recv from before }\n");
    CHECK(stuck_of(own).starts_with("5 on 8 x 8 ranks rank 0 (column 1, row 1) waits here forever"));
}

TEST_CASE("two synchronous sends that face each other are a fault: one has to receive first") {
    const SmallInstances small = walked_ring("  ssend 8B to next\n  recv from before\n");
    CHECK(stuck_of(small).ends_with("waits here forever for rank 1 to receive"));
    CHECK(holds(small.stuck.all().front().expected, "expected one of these ranks to receive first"));
}

TEST_CASE("messages that may queue up are counted: all of a sender that never waits") {
    // In each of 8 rows 7 columns send 5 messages east in each of 2 iterations.
    CHECK(walked_iteration("repeat 5 { recv from west send 8B to east }").queued == 8 * 7 * 5 * 2);
    CHECK(walked_iteration("repeat 5 { recv from west send 1MiB to east }").queued == std::nullopt);
}

TEST_CASE("a sender that runs far ahead is found for any number of iterations") {
    const SmallInstances small = walked_iteration("repeat 1000000 { recv from west send 8B to east }", 1'000'000);
    CHECK(small.queued == 8ULL * 7 * 1'000'000 * 1'000'000);
    CHECK(holds(small.run_ahead, "the sender may be any number of iterations ahead"));
}

TEST_CASE("a rank that never receives from those it sends to may run ahead") {
    const std::string body = "  recv from west\n  send 8B to east";
    CHECK(walked_iteration(body).run_ahead.starts_with(
        "on 2 x 2 ranks rank 0 (column 1, row 1) never waits for rank 1, to which it sends in `send 8B to east` at "));
    CHECK(walked_iteration(body, 1).run_ahead.empty());
}

TEST_CASE("a model that does not accept so few ranks is walked on the scenario's own alone") {
    const std::string require = "application m {\nrequire columns > 3, \"a ring of four\"\n" + kRing;
    CHECK(stuck_of(walked(require + "iteration {\n  recv from before\n  send 8B to next\n}\n}\n"))
              .starts_with("6 on 8 x 8 ranks "));
    CHECK(walked(require + "iteration {\n  send 8B to next\n  recv from before\n}\n}\n").eager_only.empty());
}

TEST_CASE("analytic regions take no time where a model is walked, so what waits before and after them is found") {
    const SmallInstances small = walked_ring(
        "  analytic { work = 1us tiles = 5 east_west = 8B north_south = 8B corners = [northwest] }\n"
        "  recv from before\n"
        "  analytic 1us\n"
        "  send 8B to next\n");
    CHECK(stuck_of(small).starts_with("6 "));
}

TEST_CASE("a region fed from traces does nothing on other ranks: deadlocks are reported, not ranks that run ahead") {
    const test::Scratch scratch;
    scratch.file("traces.txt", "0.txt\n1.txt\n");
    scratch.file("0.txt", "0 init\n0 recv 1 0 8\n0 finalize\n");
    scratch.file("1.txt", "1 init\n1 send 0 0 8\n1 finalize\n");
    const auto scenario = scratch.file("s.yaml", fmt::format("model: m.psl\nplatform: {}/platforms/xt4.yaml\n"
                                                             "ranks: {{columns: 2, rows: 1}}\niterations: 2\n",
                                                             WARPFRONT_SOURCE_DIR));
    const auto walked_with = [&](const std::string& statements) {
        scratch.file("m.psl", "application m {\n" + kRing + "iteration {\n" + statements + "\n}\n}\n");
        return walk_small_instances(experiment_of(scenario));
    };
    CHECK(walked_with("trace \"traces.txt\" recv from before send 8B to next").stuck.count() == 1);
    CHECK(walked_with("recv from west send 8B to east").run_ahead != "");
    CHECK(walked_with("recv from west send 8B to east trace \"traces.txt\"").run_ahead == "");
}

}  // namespace warpfront::tools
