// Copies at both ends, packets, arbitration and the choice of a link, by hand. There are two nodes; rank k of the
// western one sends to rank k of the eastern one. A packet of 100 B moves in 1 us, and occupies its link for the same
// time.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Returns nodes of 1 x `rows` ranks; o = 4 us, L = 1 us.
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

/// Every western rank sends `bytes`; every eastern one begins to receive after `late`.
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
    CHECK(in_us(*record.breakdown) == "recv 13, wait 8");
}

TEST_CASE("a receiver that comes late copies all packets out then") {
    const record::Record record = engine::run(sends(1, 300, 50 * us), copying(machine_of(1), {2e-8}, {3e-8}), {});
    CHECK(record.rank_finish[1] == at(50 * us + 4 * us + 9 * us));
}

TEST_CASE("the copying time of a sender is part of its send") {
    const auto program = program_of({2, 1}, {does().send(1, 300).work(100 * us), does().recv(-1)});
    const record::Record record = engine::run(program, copying(machine_of(1), {2e-8}, {0.0}), {});
    REQUIRE(record.last == Rank{0});
    CHECK(in_us(*record.breakdown) == "compute 100, send 10");
}

TEST_CASE("messages whose packets take turns on a link enter a NIC side by side") {
    // Two senders of 500 B, five packets each, which leave at 4 us. The packets take turns on the link: the last one of
    // the first message ends at 13, that of the second at 14; L = 1. The NIC is as fast as the link, so it has received
    // the messages as soon as they arrive, at 14 and 15; o_recv 4.
    machine::Machine machine = machine_of(2);
    machine.nic = machine::Nic{.injection = {0.0}, .ejection = {1e-8}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = true;
    const record::Record record = engine::run(sends(2, 500), machine, {});
    CHECK(record.rank_finish[1] == at(18 * us));
    CHECK(record.rank_finish[3] == at(19 * us));
    machine.nic->ejection = {2e-8};  // half as fast: 10 us for each message, from 5 on, when the first bytes arrive
    CHECK(engine::run(sends(2, 500), machine, {}).finish == at(5 * us + 20 * us + 4 * us));
}

TEST_CASE("packets that come to a link at one time wait for each other, and not for packets that come later") {
    // two senders of two packets, in 4 us each: in at 8 and 12 of both, so the link is idle from 10 to 12. Packets move
    // from 8, 9 (waited for 1 us), 12, 13 on; L = 1
    const record::Record record = engine::run(sends(2, 200), copying(machine_of(2), {4e-8}, {0.0}), {});
    CHECK(record.rank_finish[1] == at(12 * us + 1 * us + 1 * us + 4 * us));
    CHECK(record.rank_finish[3] == at(13 * us + 1 * us + 1 * us + 4 * us));
}

TEST_CASE("a message that waits no longer than its copies keep the wire idle is not late") {
    // the first is one packet of 100 B, from 8 to 9 on the link; the first of the other's three is in at 8 as well and
    // moves from 9 to 10, the others are in at 12 and 16 and do not wait
    const program::Program program =
        program_of({2, 2}, {does().send(1, 100), does().recv(-1), does().send(1, 300), does().recv(-1)});
    const record::Record record = engine::run(program, copying(machine_of(2), {4e-8}, {0.0}), {});
    CHECK(record.rank_finish[1] == at(8 * us + 1 * us + 1 * us + 4 * us));
    CHECK(record.rank_finish[3] == at(16 * us + 1 * us + 1 * us + 4 * us));
    CHECK(record.link_waits->all == at(1 * us));
}

TEST_CASE("packets of two messages take turns on a link") {
    // from 4 on: of rank 0, of rank 2, of rank 0, of rank 2, 1 us each
    const record::Record record = engine::run(sends(2, 200), machine_of(2), {});
    CHECK(record.rank_finish[1] == at(4 * us + 3 * us + 1 * us + 4 * us));
    CHECK(record.rank_finish[3] == at(4 * us + 4 * us + 1 * us + 4 * us));
}

TEST_CASE("a packet's overhead holds the link and delays the message") {
    machine::Machine machine = machine_of(2);
    for (machine::ProfileRow& row : machine.profiles[2]) row.packet.overhead = {us / 2};
    const record::Record record = engine::run(sends(2, 200), machine, {});
    // four packets of 1.5 us by turns
    CHECK(record.rank_finish[1] == at(4 * us + 3 * 3 * us / 2 + 1 * us + 4 * us));
    CHECK(record.rank_finish[3] == at(4 * us + 4 * 3 * us / 2 + 1 * us + 4 * us));
}

TEST_CASE("a small message waits for one packet of a large one, which then continues") {
    // 1,000 packets move from 4 on, one in every us; the small message leaves at 500.5 + 4 and is granted the link at
    // 505, when the packet before has left; so all packets of the large one after that are 1 us late
    const program::Program program = program_of(
        {2, 2}, {does().send(1, 100'000), does().recv(-1), does().work(500'500'000).send(1, 100), does().recv(-1)});
    const record::Record record = engine::run(program, machine_of(2), {});
    CHECK(record.rank_finish[3] == at(505 * us + 1 * us + 1 * us + 4 * us));
    CHECK(record.rank_finish[1] == at(4 * us + 1'001 * us + 1 * us + 4 * us));
}

TEST_CASE("the packets of a large message that nothing disturbs are granted without an event each") {
    const program::Program program = program_of({2, 1}, {does().send(1, 100 * 1'000'000), does().recv(-1)});
    const record::Record record = engine::run(program, machine_of(1), {});
    CHECK(record.rank_finish[1] == at(4 * us + 1'000'000 * us + 1 * us + 4 * us));
    CHECK(record.work->events < 100);
}

TEST_CASE("a small message that passes a large one of its channel on the link is received after it") {
    // the large one moves from 4 to 15, with the small one, which leaves at 8, between its packets
    const program::Program program = program_of({2, 1}, {does().send(1, 1000).send(1, 100), does().recv(-1).recv(-1)});
    const record::Record record = engine::run(program, machine_of(1), {});
    CHECK(record.rank_finish[0] == at(8 * us));
    CHECK(record.rank_finish[1] == at(15 * us + 1 * us + 4 * us + 4 * us));
}

TEST_CASE("a receiver copies out what is delayed when it comes") {
    // three packets each, in 2 us, out 3 us: in at 6, 8, 10. On the link those of rank 0 move from 6, 8, 10, those of
    // rank 2 from 7, 9, 11; the latter are there at 9, 11, 13 and copied out from 9 to 18
    const record::Record record = engine::run(sends(2, 300), copying(machine_of(2), {2e-8}, {3e-8}), {});
    CHECK(record.rank_finish[1] == at(8 * us + 4 * us + 9 * us));
    CHECK(record.rank_finish[3] == at(9 * us + 4 * us + 9 * us));
}

TEST_CASE("packets that are under way over parallel links where iterations end recur, and iterations are skipped") {
    // five pairs to and fro over two links each way, out of step because rank k begins 1.7 k us late
    constexpr std::uint32_t kPairs = 5;
    const program::Program program = spmd({2, kPairs}, 60, [](Rank rank) {
        ClassBuilder builder;
        const bool west = rank.index % 2 == 0;
        builder.work(rank.index / 2 * 1'700'000).loop(60);
        if (west) builder.send(1, 1'000).recv(1);
        if (!west) builder.recv(-1).send(-1, 1'000);
        return builder.iteration().end().build();
    });
    const machine::Machine machine = machine_of(kPairs, {.parallel = 2, .choice = machine::LinkChoice::adaptive});
    const record::Record skipping = engine::run(program, machine, {});
    const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
    check_same_run(skipping, full);
    CHECK(skipping.work->messages_replayed < full.work->messages_replayed / 2);
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
    machine.nic.reset();
    const auto program =
        program_of({5, 1}, {does().work(50 * us).send(2, 100), does().send(1, 100), does().recv(-1).recv(-2)});
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

// Cores that share memory bandwidth: while k of them compute, each takes max(1, k * per_core / bandwidth) times as
// long.

namespace {

/// Returns a node of four cores with `memories` memories of 10 GB/s; one computing core uses 10 GB/s.
machine::Machine four_cores(std::uint32_t memories, double per_core = 10e9) {
    machine::Machine machine = simple_machine({4, 1}, {4, 1});
    machine.memory = machine::Memory{.bandwidth = {10e9}, .per_core = {per_core}, .count = memories};
    return machine;
}

/// Returns a program in which rank r computes one block of work[r]; ranks beyond do nothing.
program::Program blocks(const std::vector<std::int64_t>& work) {
    std::vector<ClassBuilder> ranks(4);
    for (std::size_t rank = 0; rank < work.size(); ++rank) ranks[rank].work(work[rank]);
    return program_of({4, 1}, ranks);
}

}  // namespace

TEST_CASE("a block is slowed only while another computes") {
    // Both at half speed until rank 0 has done its 4 us, at 8; rank 1 has 6 us of its 10 left: done at 14.
    const record::Record record = engine::run(blocks({4 * us, 10 * us}), four_cores(1), {});
    CHECK(record.rank_finish[0] == WideTime{Time{8 * us}});
    CHECK(record.rank_finish[1] == WideTime{Time{14 * us}});
    CHECK(record.breakdown->compute == WideTime{Time{14 * us}});
}

TEST_CASE("a block that begins later slows those that began earlier") {
    // Rank 0 sends to rank 1 on the chip (2 us busy, there at 2, received to 4) and computes 10 us from 2 on. Rank 1
    // computes 3 us from 4 on: at half speed to 10. Rank 0 has 8 us left at 4, 5 at 10: done at 15.
    const auto program = program_of({4, 1}, {does().send(1, 8).work(10 * us), does().recv(-1).work(3 * us)});
    const record::Record record = engine::run(program, four_cores(1), {});
    CHECK(record.rank_finish[1] == WideTime{Time{10 * us}});
    CHECK(record.rank_finish[0] == WideTime{Time{15 * us}});
}

TEST_CASE("cores of different memories do not slow each other") {
    // two memories: cores 0 and 1, 2 and 3
    const record::Record apart = engine::run(blocks({10 * us, 0, 10 * us}), four_cores(2), {});
    CHECK(apart.rank_finish[0] == WideTime{Time{10 * us}});
    CHECK(apart.rank_finish[2] == WideTime{Time{10 * us}});
}

TEST_CASE("computing takes the same time as alone while the bandwidth suffices for all") {
    // four cores of 2.5 GB/s draw the 10 GB/s that there are
    const record::Record record = engine::run(blocks({10 * us, 9 * us, 8 * us, 7 * us}), four_cores(1, 2.5e9), {});
    CHECK(record.rank_finish[0] == WideTime{Time{10 * us}});
    CHECK(record.rank_finish[3] == WideTime{Time{7 * us}});
}

TEST_CASE("with shared memory bandwidth runs are the same full and skipped, on one thread and three") {
    const RankGrid grid{8, 6};
    for (const std::int64_t bytes : {500, 2000}) {
        const auto program = four_sweeps(grid, bytes, 12, 40);
        machine::Machine machine = crowded_torus(grid, {4, 2});
        machine.memory = machine::Memory{.bandwidth = {25e9}, .per_core = {10e9}, .count = 2};
        check_all_ways(program, machine);
    }
}

TEST_CASE("a machine without lookahead gives the same as one whose windows are narrow, with shared memory bandwidth") {
    const RankGrid grid{4, 2};
    const auto program = wavefront({grid, 20, 7 * us, 500, {0, 3, 1, 2}, 0, 4});
    machine::Machine machine = simple_machine(grid, {2, 2}, true);
    machine.memory = machine::Memory{.bandwidth = {25e9}, .per_core = {10e9}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = row.o_send = row.o_recv = {}, row.G = {};
    const record::Record in_order = engine::run(program, machine, {.replay = engine::Replay::full});
    check_same_run(in_order, engine::run(program, machine, {}));
    // a latency of 1.024 ns, the least window, changes every path by no more than that per message
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = Time{1024};
    const record::Record in_windows = engine::run(program, machine, {.replay = engine::Replay::full});
    CHECK(in_windows.finish >= in_order.finish);
    CHECK(in_windows.finish - in_order.finish < WideTime{Time{1 * us}});
}
