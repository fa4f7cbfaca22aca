// Skip-ahead: `auto` must give what `full` gives, to the picosecond, and skip where the state recurs.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/engine/same_run.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

struct Shape {
    RankGrid grid;
    machine::Patch patch;
    bool bus;
    std::int64_t bytes;
    int allreduces;
    std::vector<unsigned> starts;
};

}  // namespace

TEST_CASE("auto equals full on every shape, protocol and sweep order, and skips most of fifty iterations") {
    const std::vector<unsigned> sweep3d{3, 3, 1, 1, 2, 2, 0, 0};
    const std::vector<unsigned> lu{0, 3};
    std::vector<Shape> shapes;
    for (const bool bus : {false, true}) {
        for (const std::int64_t bytes : {500, 2000}) {
            for (const int allreduces : {0, 2}) {
                for (const auto& starts : {sweep3d, lu}) {
                    shapes.push_back({{5, 4}, {2, 1}, bus, bytes, allreduces, starts});
                    shapes.push_back({{4, 4}, {2, 2}, bus, bytes, allreduces, starts});
                    shapes.push_back({{3, 1}, {1, 1}, bus, bytes, allreduces, starts});
                }
            }
        }
    }
    for (const Shape& shape : shapes) {
        CAPTURE(shape.grid.columns);
        CAPTURE(shape.bus);
        CAPTURE(shape.bytes);
        CAPTURE(shape.allreduces);
        CAPTURE(shape.starts.size());
        const auto program = wavefront({.grid = shape.grid,
                                        .tiles = 3,
                                        .work = 11 * us + 13,
                                        .bytes = shape.bytes,
                                        .starts = shape.starts,
                                        .allreduces = shape.allreduces,
                                        .iterations = 50});
        const auto machine = simple_machine(shape.grid, shape.patch, shape.bus);
        const record::Record full = engine::run(program, machine, {engine::Replay::full});
        const record::Record skipped = engine::run(program, machine, {engine::Replay::auto_});
        check_same_run(skipped, full);
        CHECK(full.work->messages_replayed == full.work->messages);
        CHECK(skipped.work->messages_replayed < full.work->messages / 2);
    }
}

TEST_CASE("each iteration's duration is reported, equal neighbours together, and they add up to the whole") {
    const auto program =
        wavefront({.grid = {3, 3}, .tiles = 2, .work = 10 * us, .starts = {0, 3}, .allreduces = 1, .iterations = 20});
    const record::Record record = engine::run(program, simple_machine({3, 3}), {});
    WideTime sum;
    std::int64_t count = 0;
    for (const auto& [duration, times] : record.iterations) {
        for (std::int64_t k = 0; k < times; ++k) sum += duration;
        count += times;
    }
    CHECK(count == 20);
    CHECK(sum == record.finish);
}

TEST_CASE("iterations that recur ten by ten are skipped ten by ten, and each has its own duration") {
    // Every tenth iteration ends with an allreduce: loop 2000 { loop 9 { exchange; mark }; exchange; allreduce; mark }.
    const RankGrid grid{4, 2};
    const auto program = spmd(grid, 20'000, [grid](Rank rank) {
        ClassBuilder builder;
        const auto exchange = [&] {
            if (rank.index > 0) builder.recv(-1);
            builder.work(10 * us);
            if (rank.index + 1 < grid.ranks()) builder.send(1, 2000);
        };
        builder.loop(2000).loop(9);
        exchange();
        builder.iteration().end();
        exchange();
        return builder.allreduce(8).iteration().end().build();
    });
    REQUIRE(program::validate(program).empty());
    for (const bool bus : {false, true}) {
        const machine::Machine machine = simple_machine(grid, {2, 1}, bus);
        const record::Record full = engine::run(program, machine, {engine::Replay::full});
        const record::Record skipped = engine::run(program, machine, {engine::Replay::auto_});
        check_same_run(skipped, full);
        CHECK(skipped.work->messages_replayed < full.work->messages / 100);
    }
}

TEST_CASE("ten to the seven and more iterations take a few, with totals beyond 64 bits of picoseconds") {
    // One rank, 1 s of work per iteration, 36,000,000 iterations: 3.6e19 ps, twice what 64 bits hold.
    const auto program = wavefront({.grid = {1, 1}, .tiles = 1, .work = 1'000'000 * us, .iterations = 36'000'000});
    const record::Record record = engine::run(program, simple_machine({1, 1}), {});
    CHECK(record.finish == WideTime{Wide{36'000'000} * 1'000'000 * us});
    CHECK(record.work->events < 100);
}

TEST_CASE("a clock beyond its horizon is reported, never wrapped") {
    // 60 days of work in one tile after another: the horizon is 53.
    const std::int64_t day = 86'400'000'000 * us;
    const auto program = wavefront({.grid = {1, 1}, .tiles = 60, .work = day, .iterations = 1});
    CHECK_THROWS_AS(engine::run(program, simple_machine({1, 1}), {}), engine::TimeOverflow);
}
