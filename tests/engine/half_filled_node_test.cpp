// Nodes with more cores than ranks: the cores of the ranks decide which bus, NIC and memory they share, in every
// engine. Eager messages of 900 B take o = 4 us, L = 1 us, S*G = 0.9 us.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Returns two ranks on each of two nodes of eight cores; the ranks have the cores of this list.
machine::Machine on_cores(std::vector<std::uint32_t> cores) {
    machine::Machine machine = simple_machine({2, 2}, {2, 1});
    machine.cores = 8;
    machine.placement.cores = std::move(cores);
    return machine;
}

/// Returns the machine with two NICs of four cores each, which take 2 ns/B: 1.8 us for a message.
machine::Machine with_nics(machine::Machine machine) {
    machine.nic = machine::Nic{{2e-9}, {2e-9}, 2};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = true;
    return machine;
}

}  // namespace

TEST_CASE("two ranks on one NIC send one after the other, on two at once") {
    // Both have sent at 4 us. On one NIC the second message waits 1.8 us for injection. It arrives 1 + 1.8 us later,
    // and is received in 4 us.
    CHECK(finishes(to_the_ranks_below(), with_nics(on_cores({0, 1})))[3] == WideTime{Time{12 * us + 600 * ns}});
    CHECK(finishes(to_the_ranks_below(), with_nics(on_cores({0, 4})))[3] == WideTime{Time{10 * us + 800 * ns}});
    CHECK(finishes(to_the_ranks_below(), with_nics(on_cores({7, 2})))[3] == WideTime{Time{10 * us + 800 * ns}});
}

TEST_CASE("two ranks on one bus take turns at it, on two they do not") {
    const auto last = [](std::vector<std::uint32_t> cores) {
        machine::Machine machine = on_cores(std::move(cores));
        machine.bus = machine::Bus{.o_dma = {3 * us}, .G_dma = {}, .count = 2};
        for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = true;
        return finishes(to_the_ranks_below(), machine)[3];
    };
    // The message of rank 1 requests the bus at 4 us. It waits 3 us for that of rank 0, and arrives 1.9 us later; there
    // that of rank 0 has come 3 us earlier and left the bus. On two buses nobody waits.
    CHECK(last({0, 1}) - last({3, 4}) == WideTime{Time{3 * us}});
    CHECK(last({3, 4}) == WideTime{Time{9 * us + 900 * ns}});
}

TEST_CASE("three ranks share memory as their cores do, whatever their order") {
    // ranks 0 and 2 on cores 4 and 5, rank 1 on core 0
    machine::Machine machine = simple_machine({3, 1}, {3, 1});
    machine.cores = 8;
    machine.placement.cores = {4, 0, 5};
    machine.memory = machine::Memory{.bandwidth = {10e9}, .per_core = {10e9}, .count = 2};
    const auto program = program_of({3, 1}, {does().work(10 * us), does().work(10 * us), does().work(10 * us)});
    CHECK(finishes(program, machine) == at({20 * us, 10 * us, 20 * us}));
}

TEST_CASE("messages within a node take the costs of the parts that the cores share") {
    machine::Machine machine = on_cores({0, 4});
    machine.parts.front().count = 2;
    machine.profiles[1].front().o_send = {3 * us};  // between chips
    const auto program = program_of({2, 2}, {does().send(1, 8), does().recv(-1)});
    CHECK(finishes(program, machine)[0] == WideTime{Time{3 * us}});
    machine.placement.cores = {0, 3};
    CHECK(finishes(program, machine)[0] == WideTime{Time{2 * us}});
}