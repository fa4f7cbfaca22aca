// Where flows meet SimGrid shares bandwidth among them; the arithmetic by hand. The machine
// (tests/engine/fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "simulator/reference/reference.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Ranks 0 and 2 send 500 bytes each to rank 1, which receives from 0 first.
program::Program two_to_one() {
    return spmd({3, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) return builder.recv(-1).recv(1).iteration().build();
        return builder.send(rank.index == 0 ? 1 : -1, 500).iteration().build();
    });
}

machine::Machine with_nics() {
    machine::Machine machine = simple_machine({3, 1});
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = true;
    return machine;
}

}  // namespace

TEST_CASE("two flows into one NIC take twice as long, where the event engine serves one after the other") {
    // Both set out at 4 and have half a GB/s each: 1 us instead of 0.5 us, there at 4 + 1 + 0.5 + 0.5 = 6.
    // SimGrid: received 6-10 and 10-14. Event engine: the first is there at 5.5: received 5.5-9.5, 9.5-13.5.
    const reference::RunOutcome outcome = reference::run(two_to_one(), with_nics(), {});
    CHECK(outcome.record.finish == WideTime{Time{14 * us}});
    CHECK(outcome.flow_wait == WideTime{Time{us / 2}});
    CHECK(engine::run(two_to_one(), with_nics(), {}).finish == WideTime{Time{13'500'000}});
}

TEST_CASE("two flows over one link of the platform share it, over a bundle of two they do not") {
    // A backbone of 1 GB/s: as above. Two of them side by side: there at 5.5, received 5.5-9.5 and 9.5-13.5.
    machine::Machine machine = simple_machine({3, 1});
    machine.routes = {
        .zone =
            machine::StarRoutes{
                .links_per_route = 3, .route_latency = {}, .hosts = 3, .link_gap = {1e-12}, .backbone = Gap{1e-9}},
        .links_in_L = 3};
    machine.links = machine::Links{};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_links = true;
    CHECK(reference::run(two_to_one(), machine, {}).record.finish == WideTime{Time{14 * us}});
    machine.links->parallel = 2;
    CHECK(reference::run(two_to_one(), machine, {}).record.finish == WideTime{Time{13'500'000}});
}

TEST_CASE("a message that holds nothing is not slowed down by those that hold the NIC") {
    // Messages of 8 bytes hold it (4 us + 0.008 us, alone at 8 ns); those of 500 bytes do not.
    machine::Machine machine = with_nics();
    machine::ProfileRow small = machine.profiles[2].front();
    small.up_to = Bytes{100};
    machine.profiles[2].front().holds_nic = false;
    machine.profiles[2].insert(machine.profiles[2].begin(), small);
    CHECK(reference::run(two_to_one(), machine, {}).record.finish == WideTime{Time{13'500'000}});
}

TEST_CASE("flows of two NICs share one cable, or have a cable each") {
    // 900 B at 1 ns/B set out at 4 us: there at 4 + 0.9 + 1 = 5.9, or, at half the bandwidth, 0.9 us later; o_recv 4 us
    const auto finish = [](bool to_one, machine::Cabling cabling) {
        return reference::run(to_the_other_node(to_one), two_nics(cabling, Gap{1e-9}), {}).record.finish;
    };
    CHECK(finish(false, kSharedCable) == WideTime{Time{10 * us + 800 * ns}});
    CHECK(finish(false, kCablePerNic) == WideTime{Time{9 * us + 900 * ns}});
    CHECK(finish(false, kRails) == WideTime{Time{9 * us + 900 * ns}});
    // to one rank: in one plane over its NIC and cable, with rails by two
    CHECK(finish(true, kCablePerNic) == WideTime{Time{14 * us + 800 * ns}});
    CHECK(finish(true, kRails) == WideTime{Time{13 * us + 900 * ns}});
}
