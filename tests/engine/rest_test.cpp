// Nodes at rest: what recurs from one tile of a node to its next is not stepped, and what changes it wakes the node.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Both must agree, on one thread and on two. Returns how many messages `auto` stepped.
std::uint64_t stepped(const program::Program& program, const machine::Machine& machine) {
    REQUIRE(program::validate(program).empty());
    const record::Record full = engine::run(program, machine, {engine::Replay::full});
    CHECK(full.work->messages_replayed == full.work->messages);
    engine::Options two{engine::Replay::auto_};
    two.threads = 2;
    check_same_run(engine::run(program, machine, two), full);
    const record::Record skipped = engine::run(program, machine, {engine::Replay::auto_});
    check_same_run(skipped, full);
    return skipped.work->messages_replayed;
}

/// A row of ranks, one to a node, that send every tile to the next: `works` says what the first, the last and those
/// between work in each of some stages of as many tiles. A rank whose work is the same in all has one loop.
struct Works {
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> between{5 * us};
    std::vector<std::int64_t> last{5 * us};
};

program::Program row(std::uint32_t ranks, const Works& works, std::int64_t tiles, std::int64_t bytes) {
    return spmd({ranks, 1}, 1, [&](Rank rank) {
        const bool is_last = rank.index + 1 == ranks;
        const auto& stages = rank.index == 0 ? works.first : is_last ? works.last : works.between;
        ClassBuilder builder;
        for (const std::int64_t work : stages) {
            builder.loop(tiles / static_cast<std::int64_t>(stages.size()));
            if (rank.index > 0) builder.recv(-1);
            builder.work(work);
            if (!is_last) builder.send(1, bytes);
            builder.end();
        }
        return builder.iteration().build();
    });
}

}  // namespace

TEST_CASE("a row of ranks with 500 tiles is stepped for fewer than fifty of them") {
    // 9 messages a tile.
    for (const std::int64_t bytes : {500, 2000}) {
        CAPTURE(bytes);
        CHECK(stepped(row(10, {.first = {20 * us}}, 500, bytes), simple_machine({10, 1}, {}, true)) < 9 * 50);
    }
}

TEST_CASE("nodes rest in sweeps with fewer tiles than the array has diagonals") {
    // 60 ranks and 40 tiles: never are all ranks in the loop at once. 59 messages a tile.
    CHECK(stepped(row(60, {.first = {20 * us}}, 40, 2000), simple_machine({60, 1}, {}, true)) < 59 * 20);
}

TEST_CASE("a node at rest is woken by messages that come sooner than before, and by ones that come later") {
    // 3 stages of 200 tiles, 5 messages a tile.
    for (const Works& works :
         {Works{.first = {30 * us, 25 * us, 30 * us}}, Works{.first = {25 * us, 30 * us + 1, 25 * us}}}) {
        for (const std::int64_t bytes : {500, 2000}) {
            CAPTURE(works.first.front());
            CAPTURE(bytes);
            CHECK(stepped(row(6, works, 600, bytes), simple_machine({6, 1}, {}, true)) < 5 * 150);
        }
    }
}

TEST_CASE("a node at rest is woken by notices of posts that come later than before, or sooner") {
    // The last rank works longer for a while, and the rendezvous before it wait.
    const Works works{.first = {20 * us}, .last = {5 * us, 40 * us, 60 * us, 30 * us}};
    CHECK(stepped(row(6, works, 800, 2000), simple_machine({6, 1}, {}, true)) < 5 * 200);
}

TEST_CASE("iterations that end as nodes are woken are counted") {
    const program::Program program =
        wavefront({.grid = {1, 3}, .tiles = 40, .work = 1 * us, .bytes = 8, .starts = {0}, .iterations = 2});
    stepped(program, simple_machine({1, 3}, {}, true));
}

TEST_CASE("nodes whose messages share links rest too, and their links are granted in order") {
    // On the torus of 6 x 4 nodes chance has put neighbours far from each other: nearly every message shares links.
    const program::Program program =
        wavefront({.grid = {6, 4}, .tiles = 300, .work = 40 * us, .bytes = 900, .starts = {0}, .iterations = 1});
    stepped(program, scattered_torus({6, 4}, {1, 1}));
    // In a row of 12 nodes only the messages from the first to the last, every tile, take more than one link.
    const program::Program ring = spmd({12, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(300);
        if (rank.index > 0) builder.recv(-1);
        builder.work(40 * us);
        if (rank.index + 1 < 12) builder.send(1, 900);
        if (rank.index == 2) builder.send(3, 900, 1);
        if (rank.index == 5) builder.recv(-3, 1);
        return builder.end().iteration().build();
    });
    // 12 messages a tile
    CHECK(stepped(ring, crowded_torus({12, 1}, {1, 1})) < 12 * 100);
}

TEST_CASE("messages of collectives wake the nodes whose links they take") {
    // The first ranks of a sweep are in the allreduce while the last still have tiles to do.
    for (const RankGrid grid : {RankGrid{16, 2}, RankGrid{9, 5}}) {
        CAPTURE(grid.columns);
        const program::Program program = wavefront({.grid = grid,
                                                    .tiles = 60,
                                                    .work = 30 * us,
                                                    .bytes = 900,
                                                    .starts = {3, 0},
                                                    .allreduces = 2,
                                                    .iterations = 2});
        CHECK(stepped(program, crowded_torus(grid, {1, 1})) < program::traffic(program).messages);
    }
}
