// Copies at both ends, packets, arbitration and the choice of a link, by hand. Two nodes; rank k of the western one
// sends to rank k of the eastern one. A packet of 100 B moves in 1 us, which is also how long it holds its link.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Nodes of 1 x `rows` ranks; o = 4 us, L = 1 us.
machine::Machine machine_of(std::uint32_t rows, machine::Links links = {}) {
    machine::Machine machine = in_packets(crowded_torus({2, rows}, {1, rows}), Bytes{100});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.protocol = machine::Protocol::eager;
        row.holds_bus = row.holds_nic = false;
        row.G = {1e-8};
    }
    machine.links = links;
    std::get<machine::TorusRoutes>(machine.routes.zone).link_gap = {1e-8};
    return machine;
}

machine::Machine copying(machine::Machine machine, Gap in, Gap out) {
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.G_send = in;
        row.G_recv = out;
    }
    return machine;
}

/// Every western rank sends so many bytes; every eastern one begins to receive after `late`.
program::Program sends(std::uint32_t rows, std::int64_t bytes, std::int64_t late = 0) {
    const RankGrid grid{2, rows};
    return spmd(grid, 1, [=](Rank rank) {
        ClassBuilder builder;
        if (grid.column(rank) == 1) builder.send(1, bytes);
        if (grid.column(rank) == 2) builder.work(late).recv(-1);
        return builder.iteration().build();
    });
}

WideTime at(std::int64_t picoseconds) { return WideTime{Time{picoseconds}}; }

}  // namespace

TEST_CASE("packets are copied in, moved and copied out side by side; the sender is busy until all are in") {
    // o 4; in 2 us a packet, so the sender is busy until 4 + 3 * 2
    const record::Record record = engine::run(sends(1, 300), copying(machine_of(1), {2e-8}, {3e-8}), {});
    CHECK(record.rank_finish[0] == at(10 * us));
    // the first is in at 6, there at 8; the receiver, o 4, copies three times 3 us
    CHECK(record.rank_finish[1] == at(8 * us + 4 * us + 9 * us));
    CHECK(record.breakdown->recv == at(13 * us));
    CHECK(record.breakdown->wait == at(8 * us));
}

TEST_CASE("a receiver that comes late copies all packets out then") {
    const record::Record record = engine::run(sends(1, 300, 50 * us), copying(machine_of(1), {2e-8}, {3e-8}), {});
    CHECK(record.rank_finish[1] == at(50 * us + 4 * us + 9 * us));
}

TEST_CASE("what a sender spends on copying is part of its send") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        rank.index == 0 ? builder.send(1, 300).work(100 * us) : builder.recv(-1);
        return builder.iteration().build();
    });
    const record::Record record = engine::run(program, copying(machine_of(1), {2e-8}, {0.0}), {});
    REQUIRE(record.last == Rank{0});
    CHECK(record.breakdown->send == at(4 * us + 6 * us));
    CHECK(record.breakdown->wait == at(0));
}

TEST_CASE("a message that waits for a link no longer than its copies keep the wire idle is not late") {
    // two senders of two packets, in 4 us each: in at 8 and 12 of both, so alone the wire is idle for 3 us. The first
    // holds the link from 8 for 2 us; the second waits 2 us
    const machine::Machine machine = copying(machine_of(2), {4e-8}, {0.0});
    const record::Record record = engine::run(sends(2, 200), machine, {});
    CHECK(record.rank_finish[1] == at(12 * us + 1 * us + 1 * us + 4 * us));
    CHECK(record.rank_finish[3] == record.rank_finish[1]);
}

TEST_CASE("packets without copies wait for the packets before them") {
    const record::Record record = engine::run(sends(2, 200), machine_of(2), {});
    CHECK(record.rank_finish[1] == at(4 * us + 3 * us + 4 * us));
    CHECK(record.rank_finish[3] == at(4 * us + 3 * us + 4 * us + 2 * us));
}

TEST_CASE("a packet's overhead holds the link and delays the message") {
    machine::Machine machine = machine_of(2);
    for (machine::ProfileRow& row : machine.profiles[2]) row.packet.overhead = {us / 2};
    const record::Record record = engine::run(sends(2, 200), machine, {});
    CHECK(record.rank_finish[1] == at(4 * us + 1 * us + 3 * us + 4 * us));
    CHECK(record.rank_finish[3] == at(4 * us + 1 * us + 6 * us + 4 * us));
}

TEST_CASE("arbitration: each packet of each pair takes longer for every pair beyond those that lose nothing") {
    const machine::Arbitration two{.pairs = 2, .overhead = {us / 4}};
    const auto last = [&](std::uint32_t pairs) {
        const record::Record record = engine::run(sends(pairs, 100), machine_of(pairs, {.arbitration = two}), {});
        return record.rank_finish.back();
    };
    CHECK(last(1) == at(4 * us + 1 * us + 1 * us + 4 * us));
    CHECK(last(2) == at(4 * us + 1 * us + 2 * us + 4 * us));
    CHECK(last(3) == at(4 * us + 1 * us + 3 * (us + us / 4) + 4 * us));
    CHECK(last(4) == at(4 * us + 1 * us + 4 * (us + us / 2) + 4 * us));
}

TEST_CASE("arbitration is over the link that most pairs of the route share") {
    // a row of three nodes: 0 sends to 2 over 0 -> 1 and 1 -> 2, 1 sends to 2 over the latter
    machine::Machine machine = in_packets(crowded_torus({5, 1}, {1, 1}), Bytes{100});
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = row.holds_nic = false;
    machine.links->arbitration = machine::Arbitration{.pairs = 1, .overhead = {us}};
    std::get<machine::TorusRoutes>(machine.routes.zone).link_gap = {};
    const auto program = spmd({5, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.work(50 * us).send(2, 100);
        if (rank.index == 1) builder.send(1, 100);
        if (rank.index == 2) builder.recv(-1).recv(-2);
        return builder.iteration().build();
    });
    const record::Record record = engine::run(program, machine, {});
    // o 4, L 1 and a link beyond it 0.05, S*G 0.1, arbitration 1, o 4
    CHECK(record.rank_finish[2] == at(50 * us + 4 * us + 1'050'000 + 100'000 + 1 * us + 4 * us));
}

TEST_CASE("by sender, neighbours along the side of a node take different links") {
    const machine::Links two{.parallel = 2, .choice = machine::LinkChoice::deterministic};
    const record::Record record = engine::run(sends(3, 100), machine_of(3, two), {});
    // ranks 0 and 1 do not meet; rank 2 has the link of rank 0
    CHECK(record.rank_finish[1] == at(4 * us + 2 * us + 4 * us));
    CHECK(record.rank_finish[3] == at(4 * us + 2 * us + 4 * us));
    CHECK(record.rank_finish[5] == at(4 * us + 3 * us + 4 * us));
}

TEST_CASE("copies, packets and arbitration: skipping and threads change nothing") {
    const RankGrid grid{8, 6};
    const program::Program program = wavefront({.grid = grid,
                                                .tiles = 6,
                                                .work = 3 * us + 7,
                                                .bytes = 950,
                                                .starts = {3, 1, 2, 0},
                                                .allreduces = 1,
                                                .iterations = 30});
    for (const machine::LinkChoice choice :
         {machine::LinkChoice::deterministic, machine::LinkChoice::adaptive, machine::LinkChoice::round_robin}) {
        machine::Machine machine = in_packets(crowded_torus(grid, {2, 3}), Bytes{300});
        for (machine::ProfileRow& row : machine.profiles[2]) {
            row.G_send = row.G_recv = {3e-9};
            row.packet.overhead = {100'003};
            row.packet.buffers = Bytes{500};
            row.packet.full = {50'001};
        }
        machine.links = {.parallel = 2, .choice = choice, .arbitration = machine::Arbitration{1, {20'001}}};
        const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
        const record::Record skipped = engine::run(program, machine, {.threads = 3});
        check_same_run(full, skipped);
        CHECK(skipped.work->messages_replayed < full.work->messages_replayed);
    }
}
