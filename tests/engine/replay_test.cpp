// Skip-ahead: `auto` must give the same results as `full`, to the picosecond, and skip iterations if the state recurs.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"
#include "tests/validation/validate.hpp"

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
        INFO(shape.grid.columns, " columns, bus ", shape.bus, ", ", shape.bytes, " B, ", shape.allreduces,
             " allreduces, ", shape.starts.size(), " sweeps");
        const auto program = wavefront({shape.grid, 3, 11 * us + 13, shape.bytes, shape.starts, shape.allreduces, 50});
        const auto [full, skipped] = check_all_ways(program, simple_machine(shape.grid, shape.patch, shape.bus));
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
        const auto [full, skipped] = check_all_ways(program, simple_machine(grid, {2, 1}, bus));
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

// Skip-ahead with everything shared: `auto` must give the same results as `full`.

namespace {

void check_skipping(const machine::Machine& machine, std::int64_t bytes) {
    const auto [full, skipped] = check_all_ways(four_sweeps(machine.placement.grid, bytes, 30, 4, 5 * us + 3), machine);
    CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
}

}  // namespace

TEST_CASE("buses, NICs and links of a torus recur from iteration to iteration") {
    for (const std::int64_t bytes : {500, 2000}) {
        CAPTURE(bytes);
        check_skipping(crowded_torus({8, 4}, {2, 1}), bytes);
        check_skipping(crowded_torus({8, 4}, {2, 2}), bytes);
        check_skipping(scattered_torus({6, 6}, {1, 1}), bytes);
        check_skipping(crowded_star({6, 6}, {2, 1}), bytes);
    }
}

TEST_CASE("on a single node, where no message bounds the windows, iterations are skipped too") {
    const RankGrid grid{4, 4};
    machine::Machine machine = simple_machine(grid, machine::Patch{4, 4}, true);
    const auto program = wavefront({.grid = grid, .tiles = 10, .work = 100 * us, .starts = {0, 3}, .iterations = 100});
    const auto [full, skipped] = check_all_ways(program, machine);
    CHECK(skipped.work->messages_replayed < full.work->messages_replayed / 10);
}

// Skip-ahead if events before a cut still have effects, and if cuts are close together.

namespace {

/// Only network messages: up to 1000 bytes eager, beyond it rendezvous, both occupying the bus for 1 ns.
machine::Machine short_latency(RankGrid grid) {
    machine::Machine machine = simple_machine(grid, {}, true);
    machine.bus = machine::Bus{{1 * ns}, {}};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = {1000 * ns};
        row.o_recv = {};
        row.L = {1000 * ns};
        row.G = {};
    }
    return machine;
}

}  // namespace

// Rank 0 sends to rank 1, which takes 4050 ns per iteration: it requests to send to rank 2 after 1050 ns, then posts,
// works 3000 ns and takes the arrived message. Rank 0 needs 2040 + 2 * 1000 ns, so seen from rank 1 its request comes
// 10 ns earlier in each iteration, until it comes before the post. At every detected end of an iteration rank 0 waits.
TEST_CASE("a sender that drifts ahead of its receiver is not taken for one that keeps its distance") {
    const RankGrid grid{3, 1};
    machine::Machine machine = short_latency(grid);
    machine.profiles[2][1].o_send = {2040 * ns};
    check_all_ways(spmd(grid, 300,
                        [](Rank rank) {
                            ClassBuilder builder;
                            builder.loop(300);
                            if (rank.index == 0) builder.send(1, 2000);
                            if (rank.index == 1) builder.work(50 * ns).send(1, 8).post(-1).work(3000 * ns).await(-1);
                            if (rank.index == 2) builder.recv(-1);
                            return builder.iteration().end().build();
                        }),
                   machine);
}

// The acknowledgement arrives after 4 ns; windows are 1.024 ns wide, and an iteration ends in the middle of one.
TEST_CASE("requests of a window beyond a cut are granted") {
    machine::Machine machine = short_latency({1, 2});
    machine.bus = machine::Bus{};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = {};
        row.L = {2 * ns};
    }
    for (const std::int64_t bytes : {8, 2000}) {
        CAPTURE(bytes);
        check_all_ways(wavefront({.grid = {1, 2}, .bytes = bytes, .iterations = 2}), machine);
    }
}

TEST_CASE("iterations that end at the same time are no period") {
    const auto program = spmd({2, 1}, 7, [](Rank rank) {
        ClassBuilder builder;
        builder.loop(3).iteration().end().loop(4);
        return (rank.index == 0 ? builder.send(1, 8) : builder.recv(-1)).iteration().end().build();
    });
    check_all_ways(program, short_latency({2, 1}));
}

// Ranks 0 and 1 send to rank 2, which takes both every 4000 ns. Its NIC is busy 300 ns with each.
TEST_CASE("which message came first to a NIC matters even if no rank waits for either") {
    const RankGrid grid{3, 1};
    machine::Machine machine = short_latency(grid);
    machine.nic = machine::Nic{{}, {3e-9}};
    machine.profiles[2][0].holds_nic = true;
    check_all_ways(spmd(grid, 300,
                        [](Rank rank) {
                            ClassBuilder builder;
                            builder.loop(300);
                            if (rank.index == 0) builder.work(3000 * ns).send(2, 100);
                            if (rank.index == 1) builder.work(2990 * ns).send(1, 100);
                            if (rank.index == 2) builder.work(4000 * ns).recv(-2).recv(-1);
                            return builder.iteration().end().build();
                        }),
                   machine);
}
