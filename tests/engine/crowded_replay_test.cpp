// Skip-ahead where everything is shared: `auto` must give what `full` gives.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::int64_t us = 1'000'000;

void check_same(const machine::Machine& machine, std::int64_t bytes) {
    const RankGrid grid = machine.placement.grid;
    const auto program = wavefront({.grid = grid, .tiles = 4, .work = 5 * us + 3, .bytes = bytes, .starts = {3, 1, 2, 0},
                                    .allreduces = 1, .iterations = 30});
    const engine::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    const engine::Record skipped = engine::run(program, machine, {.replay = engine::Replay::auto_});
    CHECK(skipped.rank_finish == full.rank_finish);
    CHECK(skipped.iterations == full.iterations);
    CHECK(skipped.breakdown->bus_wait == full.breakdown->bus_wait);
    CHECK(skipped.breakdown->nic_wait == full.breakdown->nic_wait);
    CHECK(skipped.breakdown->link_wait == full.breakdown->link_wait);
    CHECK(skipped.breakdown->wait == full.breakdown->wait);
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
        machine::Machine machine = scattered_torus({6, 4}, {2, 1});
        machine.links = machine::Links{Bytes{300}, 3, choice};
        check_same(machine, 2000);
    }
}
