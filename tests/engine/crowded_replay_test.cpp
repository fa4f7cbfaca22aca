// Skip-ahead where everything is shared: `auto` must give what `full` gives.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

void check_same(const machine::Machine& machine, std::int64_t bytes) {
    const RankGrid grid = machine.placement.grid;
    const auto program = wavefront({.grid = grid,
                                    .tiles = 4,
                                    .work = 5 * us + 3,
                                    .bytes = bytes,
                                    .starts = {3, 1, 2, 0},
                                    .allreduces = 1,
                                    .iterations = 30});
    const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    const record::Record skipped = engine::run(program, machine, {.replay = engine::Replay::auto_});
    check_same_run(skipped, full);
    CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
}

}  // namespace

TEST_CASE("buses, NICs and links of a torus recur from iteration to iteration") {
    for (const std::int64_t bytes : {500, 2000}) {
        CAPTURE(bytes);
        check_same(crowded_torus({8, 4}, {2, 1}), bytes);
        check_same(crowded_torus({8, 4}, {2, 2}), bytes);
        check_same(scattered_torus({6, 6}, {1, 1}), bytes);
        check_same(crowded_star({6, 6}, {2, 1}), bytes);
    }
}

TEST_CASE("turns and packets recur") {
    for (const machine::LinkChoice choice :
         {machine::LinkChoice::deterministic, machine::LinkChoice::adaptive, machine::LinkChoice::round_robin}) {
        machine::Machine machine = in_packets(scattered_torus({6, 4}, {2, 1}), Bytes{300});
        machine.links = machine::Links{3, choice};
        check_same(machine, 2000);
    }
}

TEST_CASE("on a single node, where no message bounds the windows, iterations are skipped too") {
    const RankGrid grid{4, 4};
    machine::Machine machine = simple_machine(grid, machine::Patch{4, 4}, true);
    const auto program = wavefront({.grid = grid, .tiles = 10, .work = 100 * us, .starts = {0, 3}, .iterations = 100});
    const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    const record::Record skipped = engine::run(program, machine, {});
    check_same_run(skipped, full);
    CHECK(skipped.work->messages_replayed < full.work->messages_replayed / 10);
}
