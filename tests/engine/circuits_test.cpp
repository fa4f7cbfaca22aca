// Links as circuits: the sender waits until it has all of its route. Figures of fixtures.hpp: an eager message of 900 B
// has o = 4 us, L = 1 us, S*G = 0.9 us; a link of the torus is held 1.8 us.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

machine::Machine with_circuits(machine::Machine machine) {
    machine.links->circuit = true;
    return machine;
}

/// Links alone are shared.
machine::Machine circuits(RankGrid grid, machine::Patch patch) {
    machine::Machine machine = with_circuits(crowded_torus(grid, patch));
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = row.holds_nic = false;
    return machine;
}

program::Program sweeps(RankGrid grid, std::int64_t bytes, int allreduces, std::int64_t iterations) {
    return wavefront({.grid = grid,
                      .tiles = 5,
                      .work = 3 * us + 7,
                      .bytes = bytes,
                      .starts = {3, 1, 2, 0},
                      .allreduces = allreduces,
                      .iterations = iterations});
}

void check_same(const record::Record& one, const record::Record& other) {
    CHECK(one.rank_finish == other.rank_finish);
    CHECK(one.iterations == other.iterations);
    CHECK(one.breakdown->bus_wait == other.breakdown->bus_wait);
    CHECK(one.breakdown->nic_wait == other.breakdown->nic_wait);
    CHECK(one.breakdown->link_wait == other.breakdown->link_wait);
    CHECK(one.breakdown->wait == other.breakdown->wait);
}

struct Choice {
    machine::Links links;
    std::optional<Bytes> packet;
};

/// All that a link may be chosen by.
std::vector<Choice> choices() {
    return {{{1, machine::LinkChoice::deterministic, true}, {}},
            {{2, machine::LinkChoice::adaptive, true}, {}},
            {{2, machine::LinkChoice::adaptive, true}, Bytes{300}},
            {{2, machine::LinkChoice::round_robin, true}, {}}};
}

machine::Machine choosing(machine::Machine machine, const Choice& choice) {
    machine.links = choice.links;
    for (machine::ProfileRow& row : machine.profiles[2]) row.packet.size = choice.packet;
    return machine;
}

}  // namespace

TEST_CASE("a sender that finds the circuit busy waits for it, and that is its link wait") {
    // ranks 0 and 1 of one node send at once to 2 and 3 of another; then rank 1 works 20 us
    const auto program = spmd({2, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        rank.index < 2 ? builder.send(2, 900) : builder.recv(-2);
        if (rank.index == 1) builder.work(20 * us);
        builder.iteration();
        return builder.build();
    });
    const record::Record record = engine::run(program, circuits({2, 2}, {2, 1}), {});
    // both ask at 4; rank 0 has the link until 5.8, then rank 1; its message arrives 1 + 0.9 later, at 7.7; o_recv 4
    CHECK(record.rank_finish[0] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{25 * us + 800'000}});
    CHECK(record.rank_finish[3] == WideTime{Time{11 * us + 700'000}});
    CHECK(record.last == Rank{1});
    CHECK(record.breakdown->link_wait == WideTime{Time{1 * us + 800'000}});
    CHECK(record.breakdown->wait == WideTime{});
}

TEST_CASE("of the senders that wait for a circuit the older wave is first, even if it asked last") {
    const auto program = spmd({3, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) builder.work(250'000).work(250'000);  // its send is its third statement
        if (rank.index == 2) builder.work(1 * us);                 // the second
        rank.index < 3 ? builder.send(3, 900) : builder.recv(-3);
        builder.iteration();
        return builder.build();
    });
    const record::Record record = engine::run(program, circuits({3, 2}, {3, 1}), {});
    // rank 0 has the link 4 .. 5.8; rank 1 asks at 4.5, rank 2 at 5; at 5.8 rank 2 is first, at 7.6 rank 1 follows
    CHECK(record.rank_finish[2] == WideTime{Time{5 * us + 800'000}});
    CHECK(record.rank_finish[1] == WideTime{Time{7 * us + 600'000}});
}

TEST_CASE("as many circuits as there are parallel links") {
    machine::Machine machine = circuits({3, 2}, {3, 1});
    machine.links->parallel = 2;
    machine.links->choice = machine::LinkChoice::adaptive;
    const auto program = spmd({3, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        rank.index < 3 ? builder.send(3, 900) : builder.recv(-3);
        builder.iteration();
        return builder.build();
    });
    const record::Record record = engine::run(program, machine, {});
    CHECK(record.rank_finish[1] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[2] == WideTime{Time{5 * us + 800'000}});
}

TEST_CASE("a circuit over several links takes all at once and holds none while it waits") {
    // a ring of five nodes of two ranks: 2 sends over link 1 -> 2, rank 0 over 0 -> 1 -> 2, rank 1 over 0 -> 1
    const auto program = spmd({10, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        switch (rank.index) {
            case 0: builder.work(500'000).send(5, 900); break;
            case 1: builder.work(1 * us).send(2, 900); break;
            case 2: builder.send(2, 900); break;
            case 3: builder.recv(-2); break;
            case 4: builder.recv(-2); break;
            case 5: builder.recv(-5); break;
            default: break;
        }
        builder.iteration();
        return builder.build();
    });
    const record::Record record = engine::run(program, circuits({10, 1}, {2, 1}), {});
    // 2 has 1 -> 2 from 4 to 5.8. Rank 0 asks at 4.5 and waits for that; rank 1 asks at 5 and finds 0 -> 1 free until
    // 6.8. At 5.8 rank 0 finds 0 -> 1 busy and asks again at 6.8: the message arrives 1 + 0.9 + 0.05 (a link beyond L)
    // later, at 8.75; o_recv 4
    CHECK(record.rank_finish[2] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{5 * us}});
    CHECK(record.rank_finish[0] == WideTime{Time{6 * us + 800'000}});
    CHECK(record.rank_finish[5] == WideTime{Time{12 * us + 750'000}});
}

TEST_CASE("a sender asks for its circuit when the bus and the NIC have let its message go") {
    // ranks 0 and 1 of one node send at once; the bus is held 3 us + 900 B * 0.1 ns/B, the NIC and the link 1.8 us
    const auto program = spmd({2, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        rank.index < 2 ? builder.send(2, 900) : builder.recv(-2);
        builder.iteration();
        return builder.build();
    });
    const record::Record record = engine::run(program, with_circuits(crowded_torus({2, 2}, {2, 1})), {});
    // rank 1 has the bus at 4 + 3.09 = 7.09, when NIC and link, taken at 4, are free again
    CHECK(record.rank_finish[0] == WideTime{Time{4 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{7 * us + 90'000}});
}

TEST_CASE("a sender that waits for the bus does not take the circuit before one that already waits for it") {
    // four ranks of one node; the bus is held 3.09 us as above, the link 900 B * 10 ns/B = 9 us
    machine::Machine machine = circuits({4, 2}, {4, 1});
    std::get<machine::TorusRoutes>(machine.routes.zone).link_gap = {1e-8};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = true;
    const auto program = spmd({4, 2}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 3) builder.work(8 * us + 600'000);
        rank.index < 4 ? builder.send(4, 900) : builder.recv(-4);
        builder.iteration();
        return builder.build();
    });
    const record::Record record = engine::run(program, machine, {});
    // 0, 1, 2 have the bus at 4, 7.09, 10.18; 0 has the link until 13. Rank 3 asks for the bus at 12.6 and has it at
    // 13.27; at 13 rank 1 has taken the link. At 22 rank 2 goes before rank 3: its send is its first statement
    CHECK(record.rank_finish[1] == WideTime{Time{13 * us}});
    CHECK(record.rank_finish[2] == WideTime{Time{22 * us}});
    CHECK(record.rank_finish[3] == WideTime{Time{31 * us}});
}

TEST_CASE("circuits that never are busy change nothing") {
    const RankGrid grid{6, 4};
    machine::Machine free = crowded_torus(grid, {2, 1});
    std::get<machine::TorusRoutes>(free.routes.zone).link_gap = {};
    for (const std::int64_t bytes : {500, 2000}) {
        CAPTURE(bytes);
        const program::Program program = sweeps(grid, bytes, 1, 2);
        check_same(engine::run(program, free, {}), engine::run(program, with_circuits(free), {}));
    }
}

TEST_CASE("circuits of a node's own: three threads and one agree, skipping and not") {
    const RankGrid grid{10, 6};
    for (const std::int64_t bytes : {500, 2000}) {
        const program::Program program = sweeps(grid, bytes, 0, 12);
        for (const Choice& choice : choices()) {
            for (const machine::Machine& each : {crowded_torus(grid, {2, 1}), circuits(grid, {2, 2})}) {
                CAPTURE(bytes);
                const machine::Machine machine = choosing(each, choice);
                const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
                const record::Record three =
                    engine::run(program, machine, {.replay = engine::Replay::full, .threads = 3});
                const record::Record skipped = engine::run(program, machine, {.threads = 3});
                check_same(full, three);
                check_same(full, skipped);
                CHECK(three.work->threads == 3);
                CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
            }
        }
    }
}

TEST_CASE("circuits that several nodes or a collective take are served in order by one thread, skipping and not") {
    const RankGrid grid{6, 6};
    for (const std::int64_t bytes : {500, 2000}) {
        const program::Program program = sweeps(grid, bytes, 1, 30);
        for (const Choice& choice : choices()) {
            for (const machine::Machine& each :
                 {crowded_torus(grid, {2, 1}), scattered_torus(grid, {1, 1}), crowded_star(grid, {2, 1})}) {
                CAPTURE(bytes);
                const machine::Machine machine = choosing(each, choice);
                const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
                const record::Record skipped = engine::run(program, machine, {.threads = 3});
                check_same(full, skipped);
                CHECK(skipped.work->threads == 1);
                REQUIRE_FALSE(skipped.notes.empty());
                CHECK(skipped.notes.front().find("share circuits") != std::string::npos);
                CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
            }
        }
    }
}

TEST_CASE("served in windows or in order, circuits of a node's own give the same") {
    const RankGrid grid{6, 6};
    const program::Program own = spmd(grid, 1, [&](Rank rank) {
        ClassBuilder builder;
        builder.loop(12);
        if (grid.column(rank) > 1) builder.recv(-1);
        if (grid.row(rank) > 1) builder.recv(-6);
        builder.work(1 * us + std::int64_t{rank.index} * 137'003 % 700'000);
        if (grid.column(rank) < 6) builder.send(1, 2000);
        if (grid.row(rank) < 6) builder.send(6, 2000);
        return builder.end().iteration().build();
    });
    program::Program shared = own;  // a channel over two links, on which nothing is sent: they are no node's own now
    shared.classes[shared.class_of[0]].send_endpoints.push_back({35, 0});
    shared.classes[shared.class_of[35]].receive_endpoints.push_back({-35, 0});
    for (const machine::Machine& machine : {circuits(grid, {3, 3}), with_circuits(crowded_torus(grid, {3, 3}))}) {
        const record::Record windows = engine::run(own, machine, {.threads = 2});
        const record::Record in_order = engine::run(shared, machine, {.threads = 2});
        CHECK(windows.work->threads == 2);
        CHECK(in_order.work->threads == 1);
        check_same(windows, in_order);
    }
}

TEST_CASE("a message that waits for a circuit while tiles are skipped is no older for it than one that comes later") {
    const RankGrid grid{4, 2};
    machine::Machine machine = circuits(grid, {1, 2});
    machine.routes = {.zone = machine::StarRoutes{.links_per_route = 5,
                                                  .hosts = 4,
                                                  .link_gap = {2e-9},
                                                  .duplex = false,
                                                  .limiter = Gap{4e-9},
                                                  .backbone = Gap{4e-9}},
                      .links_in_L = 5};
    machine.links->parallel = 2;
    machine.links->choice = machine::LinkChoice::adaptive;
    const auto program = spmd(grid, 1, [&](Rank rank) {
        ClassBuilder builder;
        builder.loop(60);
        if (grid.column(rank) < 4) builder.recv(1);
        if (grid.row(rank) > 1) builder.recv(-4);
        builder.work(3 * us);
        if (grid.column(rank) > 1) builder.send(-1, 900);
        if (grid.row(rank) < 2) builder.send(4, 900);
        return builder.end().iteration().build();
    });
    const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    const record::Record skipped = engine::run(program, machine, {});
    check_same(full, skipped);
    CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
}
