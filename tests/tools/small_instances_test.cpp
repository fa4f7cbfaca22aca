#include "tools/small_instances.hpp"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "simulator/scenario/scenario.hpp"
#include "tests/scratch.hpp"
#include "tools/experiment.hpp"

namespace warpfront::tools {

namespace {

/// The model on 8 x 8 ranks of the XT4.
SmallInstances walked(const std::string& model, int iterations = 2) {
    const test::Scratch scratch;
    scratch.file("m.psl", model);
    const auto scenario = scratch.file(
        "s.yaml",
        fmt::format("model: m.psl\nplatform: {}/platforms/xt4.yaml\nranks: {{columns: 8, rows: 8}}\niterations: {}\n",
                    WARPFRONT_SOURCE_DIR, iterations));
    return walk_small_instances(build_experiment(scenario::read_scenario(scenario::read_document(scenario, {}))));
}

const std::string kRing =
    "let next = rank_at(column % columns + 1, row)\n"
    "let before = rank_at((column + columns - 2) % columns + 1, row)\n";

}  // namespace

TEST_CASE("ranks that all receive first are a fault with the statement, on 2 x 2 ranks") {
    const SmallInstances small = walked("application m {\n" + kRing +
                                        "iteration {\n"
                                        "  recv from before\n"
                                        "  send 8B to next\n"
                                        "}\n}\n");
    REQUIRE(small.stuck.count() == 1);
    const input::Diagnostic& fault = small.stuck.all().front();
    CHECK(fault.kind == input::DiagnosticKind::stuck_ranks);
    CHECK(fault.message == "on 2 x 2 ranks rank 0 (column 1, row 1) waits here for ever for rank 1");
    CHECK(fault.range.source->position(fault.range.offset).line == 5);
    CHECK(small.deadlock.starts_with("on 2 x 2 ranks deadlock: 2 ranks wait for each other; 4 ranks blocked in all"));
    CHECK_THROWS_AS(small.stuck.raise(), input::BadInput);
}

TEST_CASE("ranks that all send first are a note: they end where messages are eager") {
    const SmallInstances small = walked("application m {\n" + kRing +
                                        "iteration {\n"
                                        "  send 8B to next\n"
                                        "  recv from before\n"
                                        "}\n}\n");
    CHECK(small.stuck.empty());
    CHECK(small.deadlock.empty());
    CHECK(small.eager_only.starts_with("on 2 x 2 ranks the model ends as long as messages are eager; as rendezvous: "));
}

TEST_CASE("a rank that never hears from those it sends to may run ahead") {
    const std::string model = "application m {\niteration {\n  recv from west\n  send 8B to east\n}\n}\n";
    const SmallInstances small = walked(model);
    CHECK(small.run_ahead.starts_with(
        "on 2 x 2 ranks rank 0 (column 1, row 1) never waits for rank 1, to which it sends in `send 8B to east` at "));
    CHECK(walked(model, 1).run_ahead.empty());
}

TEST_CASE("a model that does not accept so few ranks is not walked") {
    const SmallInstances small = walked("application m {\nrequire columns > 3, \"a ring of four\"\n" + kRing +
                                        "iteration {\n  recv from before\n  send 8B to next\n}\n}\n");
    CHECK(small.stuck.empty());
    CHECK(small.eager_only.empty());
}

TEST_CASE("analytic regions take no time where a model is walked, so what waits before and after them is found") {
    const SmallInstances small =
        walked("application m {\n" + kRing +
               "iteration {\n"
               "  analytic { work = 1us tiles = 5 east_west = 8B north_south = 8B corners = [northwest] }\n"
               "  recv from before\n"
               "  analytic 1us\n"
               "  send 8B to next\n"
               "}\n}\n");
    REQUIRE(small.stuck.count() == 1);
    CHECK(small.stuck.all().front().range.source->position(small.stuck.all().front().range.offset).line == 6);
}

TEST_CASE("a region fed from traces does nothing on other ranks: what is stuck is said, not who runs ahead") {
    const test::Scratch scratch;
    scratch.file("traces.txt", "0.txt\n1.txt\n");
    scratch.file("0.txt", "0 init\n0 recv 1 0 8\n0 finalize\n");
    scratch.file("1.txt", "1 init\n1 send 0 0 8\n1 finalize\n");
    const auto scenario = scratch.file("s.yaml", fmt::format("model: m.psl\nplatform: {}/platforms/xt4.yaml\n"
                                                             "ranks: {{columns: 2, rows: 1}}\niterations: 2\n",
                                                             WARPFRONT_SOURCE_DIR));
    const auto walked_with = [&](const std::string& statements) {
        scratch.file("m.psl", "application m {\n" + kRing + "iteration {\n" + statements + "\n}\n}\n");
        return walk_small_instances(build_experiment(scenario::read_scenario(scenario::read_document(scenario, {}))));
    };
    CHECK(walked_with("trace \"traces.txt\" recv from before send 8B to next").stuck.count() == 1);
    CHECK(walked_with("recv from west send 8B to east").run_ahead != "");
    CHECK(walked_with("recv from west send 8B to east trace \"traces.txt\"").run_ahead == "");
}

}  // namespace warpfront::tools
