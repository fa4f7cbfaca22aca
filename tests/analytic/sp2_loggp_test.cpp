// The SP/2 model by hand, in microseconds. Up to 10 bytes eager: o 2, L 10, G 1 per byte; above rendezvous: o 2, o_l 3.
// A tile works 100; two tiles per octant.
//   1 byte     Send 2, Recv 2, Total 2 + 1 + 10 + 2 = 15
//   20 bytes   Send 2 + 10 + 2 + 2 + 10 + 3 = 29, Recv 2 + 10 + 3 + 20 + 10 + 3 = 48, Total 29 + 20 + 10 + 3 = 62
// No figures of the paper are at hand but its constants, which platforms/sp2.yaml has.
#include <doctest/doctest.h>

#include <string>

#include "simulator/analytic/sp2_loggp.hpp"
#include "tests/analytic/forms.hpp"
#include "tests/analytic/machines.hpp"

using namespace warpfront;
using namespace warpfront::analytic;
using program::WavefrontPhase;
using test::time_by;
using test::us;
using enum program::Corner;

namespace {

machine::Profile sp2_profile(double L) {
    const machine::ProfileRow eager{
        .up_to = Bytes{10}, .o_send = us(2), .o_recv = us(2), .L = us(L), .G = test::us_per_byte(1), .G_recv = {}};
    machine::ProfileRow large = eager;
    large.up_to = std::nullopt;
    large.protocol = machine::Protocol::rendezvous;
    large.o_request = us(2);
    large.o_ack = us(2 + 3);
    large.o_recv = us(3);
    return {eager, large};
}

machine::Machine sp2(RankGrid grid, machine::Patch patch = {1, 1}) {
    machine::Machine machine = test::uniform(grid, patch, {});
    machine.profiles = {sp2_profile(0), sp2_profile(0), sp2_profile(10)};
    return machine;
}

WavefrontPhase octants(std::int64_t east_west, std::int64_t north_south) {
    WavefrontPhase phase;
    phase.work = us(100);
    phase.tiles = 2;
    phase.east_west = Bytes{east_west};
    phase.north_south = Bytes{north_south};
    phase.corners = {southeast, southeast, northeast, northeast, southwest, southwest, northwest, northwest};
    return phase;
}

std::string sp2_misfit(std::string_view name, const WavefrontPhase& phase, const machine::Machine& machine) {
    const UnequalWork unequal;
    const program::Program program = test::declaring(machine.placement.grid, {phase});
    return test::form_named(name).misfit({program, machine, unequal}).value_or("none");
}

}  // namespace

TEST_SUITE("Sweep3D on the SP/2 by LogGP") {
    TEST_CASE("messages: eager as LogGP has it, rendezvous with request and acknowledgement") {
        const machine::Profile profile = sp2_profile(10);
        CHECK(sp2_message_cost(profile[0], Bytes{1}) == MessageTime{.send = us(2), .recv = us(2), .total = us(15)});
        CHECK(sp2_message_cost(profile[1], Bytes{20}) == MessageTime{.send = us(29), .recv = us(48), .total = us(62)});
    }

    TEST_CASE("eager messages have no synchronisation terms: 3 x 2 ranks") {
        // Start(1,2) = 100 + 2 + 15 = 117; Start(2,1) = 115
        // Start(2,2) = max(117 + 100 + 15 + 2, 115 + 100 + 2 + 15) = 234
        // T56 = 117 + 2 (100 + 2 + 2) * 2 = 533; T78 = 234 + 2 (100 + 2 + 2 + 2) * 2 + 2 + 100 = 760
        CHECK(time_by("sp2-loggp", octants(1, 1), sp2({3, 2})) == us(2 * (533 + 760)));
    }

    TEST_CASE("rendezvous delay the ranks behind by (m-1) L and (n-2) L: 3 x 2 ranks") {
        // Start(1,2) = 100 + 29 + 62 = 191; Start(2,1) = 162; Start(2,2) = max(191 + 100 + 62 + 48, 162 + 191) = 401
        // T56 = 191 + 2 (100 + 29 + 48 + 10) * 2 = 939
        // T78 = 401 + 2 (100 + 29 + 48 + 48 + 10 + 10) * 2 + 48 + 100 = 1529
        CHECK(time_by("sp2-loggp", octants(20, 20), sp2({3, 2})) == us(2 * (939 + 1529)));
    }

    TEST_CASE("each direction has its own protocol: eager east-west, rendezvous north-south") {
        // Start(1,2) = 100 + 2 + 62 = 164; Start(2,1) = 115; Start(2,2) = max(164 + 100 + 15 + 48, 115 + 164) = 327
        // T56 = 164 + 2 (100 + 2 + 48 + 10) * 2 = 804; T78 = 327 + 2 (100 + 2 + 2 + 48 + 10) * 2 + 2 + 100 = 1077
        CHECK(time_by("sp2-loggp", octants(1, 20), sp2({3, 2})) == us(2 * (804 + 1077)));
    }

    TEST_CASE("a node for each rank whatever the machine's patch") {
        CHECK(time_by("sp2-loggp", octants(20, 20), sp2({4, 2}, {2, 2})) ==
              time_by("sp2-loggp", octants(20, 20), sp2({4, 2})));
    }

    TEST_CASE("2 x 2 ranks per node: L is local or remote, and their mean in the synchronisation terms: 4 x 2 ranks") {
        // Local, L = 0: Send 9, Recv 28, Total 32. Columns 1-2 and 3-4 are local, 2-3 remote, the rows local.
        // Start(2,1) = 132, Start(3,1) = 132 + 162 = 294, Start(1,2) = 100 + 9 + 32 = 141
        // Start(2,2) = max(141 + 100 + 32 + 28, 132 + 100 + 29 + 32) = 301
        // Start(3,2) = max(301 + 100 + 62 + 28, 294 + 100 + 9 + 32) = 491
        // T56 = 141 + 2 (100 + 9 + 28 + 5) * 2 = 709                      Send_E 1-2 local, L_avg = 5
        // T78 = 491 + 2 (100 + 9 + 48 + 28 + 5 + 2 * 5) * 2 + 28 + 100 = 1419
        //                                                Send_E 3-4 local, Recv_W 2-3 remote, the last Recv_W 3-4 local
        CHECK(time_by("sp2-loggp-smp", octants(20, 20), sp2({4, 2}, {2, 2})) == us(2 * (709 + 1419)));
    }

    TEST_CASE("what it needs: Sweep3D's order, no work before the receives, two ranks each way, nodes of 2 x 2") {
        CHECK(sp2_misfit("sp2-loggp", octants(1, 1), sp2({2, 2})) == "none");
        CHECK(sp2_misfit("sp2-loggp", octants(1, 1), sp2({1, 2})) == "the array has 1 x 2 ranks");
        WavefrontPhase other = octants(1, 1);
        std::swap(other.corners.front(), other.corners.back());
        CHECK(sp2_misfit("sp2-loggp", other, sp2({2, 2})) == "the sweeps of `example` have another order");
        WavefrontPhase working = octants(1, 1);
        working.pre_work = us(1);
        CHECK(sp2_misfit("sp2-loggp", working, sp2({2, 2})) == "`example` works before its receives");
        CHECK(sp2_misfit("sp2-loggp-smp", octants(1, 1), sp2({4, 4}, {2, 1})) == "nodes have 2 x 1 ranks");
        CHECK(sp2_misfit("sp2-loggp-smp", octants(1, 1), sp2({4, 4}, {2, 2})) == "none");
    }
}
