// The estimated needs of a run, against the same numbers counted by hand and against those of actual runs.
#include "simulator/engine/estimate.hpp"

#include "simulator/engine/engine.hpp"
#include "tests/approx.hpp"
#include "tests/engine/fixtures.hpp"

using engine::Replay;

namespace {

program::Program code(RankGrid grid, std::int64_t iterations) {
    return wavefront({.grid = grid,
                      .tiles = 5,
                      .work = 10 * us,
                      .bytes = 2000,
                      .starts = {0, 3},
                      .allreduces = 1,
                      .iterations = iterations});
}

/// Two loops of iterations, of 7 and of 5, and one iteration outside any loop; a message in each.
program::Program two_loops() {
    return spmd({2, 1}, 13, [](Rank rank) {
        ClassBuilder builder;
        const auto iteration = [&] { (rank.index == 0 ? builder.send(1, 8) : builder.recv(-1)).iteration(); };
        builder.loop(7);
        iteration();
        builder.end().loop(5);
        iteration();
        builder.end();
        iteration();
        return builder.build();
    });
}

std::uint64_t stepped(const program::Program& program, bool bus, Replay replay) {
    return engine::estimate_messages_stepped(program, simple_machine(program.grid, {}, bus), {replay}).of_model;
}

}  // namespace

TEST_CASE("a full replay steps every message") {
    // 2 x 2 ranks have 4 pairs of neighbours: 4 messages, 5 tiles, 2 sweeps, 50 iterations.
    CHECK(stepped(code({2, 2}, 50), true, Replay::full) == 4 * 5 * 2 * 50);
}

TEST_CASE("with skip-ahead the first loop of iterations is simulated three times, later ones twice") {
    CHECK(stepped(code({2, 2}, 50), true, Replay::auto_) == 4 * 5 * 2 * 3);
    CHECK(stepped(two_loops(), true, Replay::auto_) == 3 + 2 + 1);
}

TEST_CASE("if nothing is shared, the first loop of iterations is simulated twice, later ones once") {
    CHECK(stepped(code({2, 2}, 50), false, Replay::auto_) == 4 * 5 * 2 * 2);
    CHECK(stepped(two_loops(), false, Replay::auto_) == 2 + 1 + 1);
}

TEST_CASE("the same holds if iterations repeat their noise, and an allreduce ends them") {
    engine::Options options;
    options.noise = {.cv = 0.1, .repeats_after = 1};
    const auto iterations = wavefront({.grid = {2, 2}, .tiles = 5, .allreduces = 1, .iterations = 50});
    CHECK(engine::estimate_messages_stepped(iterations, simple_machine({2, 2}), options).of_model == 4 * 5 * 2);
}

TEST_CASE(
    "if draws repeat after 3 iterations, the state of iteration 1 recurs after 4, and multiples of 3 are skipped") {
    engine::Options options;
    options.noise = {.cv = 0.1, .repeats_after = 3};
    const auto iterations =
        wavefront({.grid = {2, 2}, .tiles = 5, .work = 10 * us, .bytes = 2000, .allreduces = 1, .iterations = 50});
    for (const bool bus : {false, true}) {
        const auto machine = simple_machine({2, 2}, {2, 1}, bus);
        const std::uint64_t simulated = 4 + (50 - 4) % 3;
        CHECK(engine::estimate_messages_stepped(iterations, machine, options).of_model == 4 * 5 * simulated);
        CHECK(engine::run(iterations, machine, options).work->messages_replayed == 4 * 5 * simulated);
    }
}

TEST_CASE("with noise every message is simulated") {
    const auto program = code({2, 2}, 50);
    engine::Options options;
    options.noise.cv = 0.1;
    CHECK(engine::estimate_messages_stepped(program, simple_machine({2, 2}), options).of_model == 4 * 5 * 2 * 50);
}

TEST_CASE("a loop shorter than that is simulated to its end") {
    CHECK(stepped(code({2, 2}, 2), true, Replay::auto_) == 4 * 5 * 2 * 2);
}

TEST_CASE("runs step as many messages as estimated") {
    for (const bool bus : {false, true}) {
        const auto program = code({6, 4}, 50);
        const auto record = engine::run(program, simple_machine({6, 4}, {2, 1}, bus), {Replay::auto_});
        CHECK(record.work->messages_replayed == stepped(program, bus, Replay::auto_));
    }
}

TEST_CASE("runs hold the memory that was estimated, within a quarter") {
    for (const RankGrid grid : {RankGrid{16, 8}, RankGrid{33, 31}, RankGrid{64, 128}}) {
        for (const bool bus : {false, true}) {
            for (const Replay replay : {Replay::auto_, Replay::full}) {
                INFO("grid.columns ", grid.columns, ", bus ", bus, ", replay == Replay::full ", replay == Replay::full);
                const auto program = code(grid, 4);
                const auto machine = simple_machine(grid, {2, 1}, bus);
                const auto held =
                    static_cast<double>(engine::run(program, machine, {replay}).work->state_bytes.value());
                const auto estimated = static_cast<double>(engine::estimate_bytes(program, machine, {replay}));
                CHECK(estimated == approx(held).epsilon(0.25));
            }
        }
    }
}

TEST_CASE("messages of collectives are counted beside those of the model") {
    // 6 ranks: two hand their data to their partners and get it back, 4 exchange with 2 others each; 2 allreduces an
    // iteration. 2 x 3 ranks have 7 pairs of neighbours.
    const auto program =
        wavefront({.grid = {3, 2}, .tiles = 5, .work = 100, .bytes = 8, .allreduces = 2, .iterations = 50});
    const engine::Messages all = engine::count_messages(program);
    CHECK(all.of_model == 7 * 5 * 50);
    CHECK(all.of_collectives == (2 + 2 + 4 * 2) * 2 * 50);
    const engine::Messages stepped = engine::estimate_messages_stepped(program, simple_machine({3, 2}, {}, true), {});
    CHECK(stepped.of_collectives == (2 + 2 + 4 * 2) * 2 * 3);
}
