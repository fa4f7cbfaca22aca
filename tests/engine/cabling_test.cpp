// Several NICs of a node, and the cables by which they reach the network, by hand. Figures of fixtures.hpp: an eager
// message of 900 B has o = 4 us, L = 1 us, S*G = 0.9 us.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr Gap kGap{2e-9};  // 1.8 us for a message

}  // namespace

TEST_CASE("NICs that share a cable follow each other on it, those with a cable each do not") {
    // Both leave at 4 us by NICs of their own. On one cable the second is granted at 5.8; they arrive 1.9 us later, at
    // 5.9 and 7.7; o_recv 4 us
    CHECK(finishes(to_the_other_node(false), two_nics(kSharedCable, kGap))[3] == WideTime{Time{11 * us + 700 * ns}});
    for (const machine::Cabling& own : {kCablePerNic, kRails}) {
        const std::vector<WideTime> all = finishes(to_the_other_node(false), two_nics(own, kGap));
        CHECK(all[2] == WideTime{Time{9 * us + 900 * ns}});
        CHECK(all[3] == WideTime{Time{9 * us + 900 * ns}});
    }
}

TEST_CASE("messages of two NICs to one rank meet at the rank's NIC, and with rails enter by two") {
    // Both leave at 4 us. In one plane they meet on the cable down to rank 3's NIC, so the second arrives at 7.7. With
    // rails both arrive, by two NICs, at 5.9. The receiver takes them one after the other, 4 us each: it is done at
    // 13.9 us either way, and waits for no NIC
    CHECK(finishes(to_the_other_node(true), two_nics(kCablePerNic, kGap))[3] == WideTime{Time{13 * us + 900 * ns}});
    CHECK(finishes(to_the_other_node(true), two_nics(kRails, kGap))[3] == WideTime{Time{13 * us + 900 * ns}});
    // Ejection at 10 ns/B takes 9 us: one NIC is free for the second message at 5.9 + 9 = 14.9; two are at once
    const auto slow = [](machine::Cabling cabling) {
        machine::Machine machine = two_nics(cabling, kGap);
        machine.nic->ejection = Gap{10e-9};
        return machine;
    };
    CHECK(finishes(to_the_other_node(true), slow(kCablePerNic))[3] == WideTime{Time{18 * us + 900 * ns}});
    CHECK(finishes(to_the_other_node(true), slow(kRails))[3] == WideTime{Time{13 * us + 900 * ns}});
}

TEST_CASE("cables stay with their NICs where messages hold none") {
    machine::Machine machine = two_nics(kCablePerNic, kGap);
    machine.nic.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_nic = false;
    CHECK(finishes(to_the_other_node(false), machine)[3] == WideTime{Time{9 * us + 900 * ns}});
}

TEST_CASE("waits for a cable are reported by host and NIC") {
    machine::Machine machine = two_nics(kCablePerNic, kGap);
    machine.nic->injection = machine.nic->ejection = Gap{};
    const record::Record record = engine::run(to_the_other_node(true), machine, {});
    REQUIRE(record.link_waits);
    CHECK(record.link_waits->hottest ==
          std::vector{record::LinkWait{"host 1 NIC 1, port 0 down", WideTime{Time{1800 * ns}}}});
}

TEST_CASE("cabled machines give the same times for any number of threads, skipping or not") {
    const RankGrid grid{8, 8};
    const auto program = wavefront({.grid = grid,
                                    .tiles = 6,
                                    .work = 7 * us,
                                    .bytes = 2000,
                                    .starts = {0, 3, 1, 2},
                                    .allreduces = 1,
                                    .iterations = 4});
    for (const machine::Cabling& cabling : {kCablePerNic, kRails}) {
        const std::uint32_t ends = cabling.ends_per_host();
        machine::Machine machine = crowded_torus(grid, {2, 2});
        machine.nic = machine::Nic{{2e-9}, {2e-9}, 2};
        for (const machine::Routes& routes :
             {machine::Routes{.zone = machine::FatTreeRoutes{{4 * ends, 4}, {1, 2}, {1, 1}, Time{50'000}, Gap{2e-9}},
             .links_in_L = 2,
             .cabling = cabling},
              machine::Routes{.zone = machine::HyperXRoutes{{2, 4}, 2 * ends, Time{50'000}, Gap{2e-9}},
              .links_in_L = 2,
              .routing = machine::Routing::adaptive,
              .cabling = cabling}}) {
            machine.routes = routes;
            const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
            check_same_run(full, engine::run(program, machine, {}));
            check_same_run(full, engine::run(program, machine, {.replay = engine::Replay::full, .threads = 3}));
        }
    }
}
