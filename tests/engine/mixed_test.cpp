// Messages of one channel that do not all hold the same resources.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Up to 1000 bytes or beyond: eager, o_send = o_recv = 1 us, L = 2 us, nothing per byte, nothing held.
machine::Machine plain(RankGrid grid) {
    machine::Machine machine = crowded_torus(grid, {});
    machine.bus.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = row.o_recv = {1 * us};
        row.L = {2 * us};
        row.G = {};
        row.protocol = machine::Protocol::eager;
        row.holds_bus = row.holds_nic = row.holds_links = false;
    }
    return machine;
}

std::vector<WideTime> finish_times(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {}).rank_finish;
}

}  // namespace

// Rank 0 sends 8 bytes over a link, then 2000 bytes that no link is held for. Rank 1 is busy 1 us for the small one,
// which is there at 1 + 2 us, and not at all for the large one: there at 2 + 2 us. Then it works 7 us: until 11.
// Had it taken the large one first, at 4, it would be busy until 5 and done at 12.
TEST_CASE("a message that holds no link does not overtake one of its channel that holds some") {
    const RankGrid grid{3, 1};
    machine::Machine machine = plain(grid);
    machine.profiles[2][0].holds_links = true;
    machine.profiles[2][1].o_recv = {};
    std::get<machine::TorusRoutes>(machine.routes.zone).duplex = false;  // so that no link is one node's own
    const program::Program program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.send(1, 8).send(1, 2000);
        if (rank.index == 1) builder.recv(-1).recv(-1).work(7 * us).send(-1, 8, 1);
        if (rank.index == 0) builder.recv(1, 1);
        return builder.iteration().build();
    });
    CHECK(finish_times(program, machine)[1] == WideTime{Wide{12 * us}});  // 11, and o_send to rank 0
}

// Three messages wait behind each other: one that a NIC takes in, one that none does, one that it does again. They are
// there at 1 + 2, 2 + 2 and 3 + 2 us; the receiver works 10 us, then is busy 1 us for each.
TEST_CASE("a NIC passes by the messages of a queue that do not hold it") {
    const RankGrid grid{2, 1};
    machine::Machine machine = plain(grid);
    machine.profiles[2][0].holds_nic = true;
    machine.nic = machine::Nic{};
    const program::Program program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.send(1, 8).send(1, 2000).send(1, 8).send(1, 2000);
        if (rank.index == 1) builder.work(10 * us).recv(-1).recv(-1).recv(-1).recv(-1);
        return builder.iteration().build();
    });
    CHECK(finish_times(program, machine)[1] == WideTime{Wide{14 * us}});
}

// Rank 3 has posted both; the large message, for which it does not wait yet, arrives from rank 1 at its NIC at
// 1 + 2 + 3 = 6 us, the small one from rank 2 at 1 + 3 + 1 + 2 = 7 us. (A large one takes 3 us and no o, a small one
// 1 + 2.) Only when the small one is there is the large one asked for.
TEST_CASE("a message that has arrived is found by a rank that comes to wait for it later") {
    const RankGrid grid{2, 2};
    machine::Machine machine = plain(grid);
    machine.profiles[2][0].o_recv = {};
    machine.profiles[2][1].o_send = machine.profiles[2][1].o_recv = {};
    machine.profiles[2][1].L = {3 * us};
    machine.profiles[2][1].holds_nic = true;
    machine.nic = machine::Nic{};
    const program::Program program = spmd(grid, 1, [](Rank rank) {
        ClassBuilder builder;
        switch (rank.index) {
            case 0: builder.send(1, 8).send(2, 2000); break;
            case 1: builder.recv(-1).send(2, 2000); break;
            case 2: builder.recv(-2).send(1, 8); break;
            default: builder.post(-1).post(-2).await(-1).await(-2);
        }
        return builder.iteration().build();
    });
    CHECK(finish_times(program, machine)[3] == WideTime{Wide{7 * us}});
}
