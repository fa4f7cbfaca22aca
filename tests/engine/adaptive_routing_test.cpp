// Adaptive routing by hand, and its equality in full and skipping, on any number of threads.
//
// Three switches in a full mesh with two hosts each: 0 and 1, 2 and 3, 4 and 5, a rank on each. The minimal route from
// the first switch to the second has three links; the only Valiant route, over the third switch, has four.
//
// Not pinned here: that random programs on random machines run identically when skipping, on several threads and one
// request at a time (tests/properties); costs of a message and grants of a server alone (tests/network); routes
// (tests/machine); draws of noise (tests/variation); agreement with SimGrid (tests/reference) and with closed forms
// (tests/agreement); data races (tests/threads); speed (tests/clock, tests/benchmarks).
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

namespace {

/// Returns a machine with one rank to a host; L = 1 us includes three links. A link carries a byte in 2 ns, so 900 B
/// take 1.8 us (G is 1 ns/B).
machine::Machine mesh(Time link_latency, Time overhead = {4 * us}) {
    machine::Machine machine = simple_machine({6, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.holds_links = true;
        row.o_send = row.o_recv = overhead;
    }
    machine.links = machine::Links{};
    machine.routes = {.zone = machine::HyperXRoutes{{3}, 2, link_latency, {2e-9}},
                      .links_in_L = 3,
                      .routing = machine::Routing::adaptive};
    return machine;
}

/// Returns a program in which rank 0 sends 900 B to rank 2 and rank 1, half a microsecond later, to rank 3.
program::Program two_senders() {
    return program_of({6, 1},
                      {does().send(2, 900), does().work(500 * ns).send(2, 900), does().recv(-2), does().recv(-2)});
}

std::int64_t finish(const program::Program& program, const machine::Machine& machine, std::uint32_t rank) {
    return static_cast<std::int64_t>(engine::run(program, machine, {}).rank_finish[rank].ps);
}

/// Returns random places on a network with Valiant routes.
machine::Machine scattered(RankGrid grid, const machine::Zone& zone, machine::LinkChoice choice) {
    machine::Machine machine = scattered_torus(grid, {2, 1});
    machine.links = machine::Links{choice == machine::LinkChoice::deterministic ? 1U : 2U, choice};
    machine.routes = {.zone = zone, .links_in_L = 2, .routing = machine::Routing::adaptive};
    return machine;
}

}  // namespace

TEST_CASE("a message takes the Valiant route past a busy link, and arrives later only by its additional latency") {
    // The link between the switches is busy from 4 to 5.8 us. Rank 1 requests it at 4.5: 1.3 us against 50 ns of one
    // more link. It arrives at 4.5 + 1 + 1.8 + 0.05 = 7.35 and is received until 11.35.
    const machine::Machine adaptive = mesh({50 * ns});
    CHECK(finish(two_senders(), adaptive, 3) == 11'350 * ns);
    // The minimal route: 4.5 + 1.3 + 1 + 1.8 + 4 = 12.6.
    machine::Machine minimal = adaptive;
    minimal.routes.routing = machine::Routing::minimal;
    CHECK(finish(two_senders(), minimal, 3) == 12'600 * ns);
    CHECK(finish(two_senders(), adaptive, 2) == finish(two_senders(), minimal, 2));
}

TEST_CASE("if both routes cost the same the message stays on the minimal one") {
    // 1.3 us of waiting against one more link of 1.3 us; of 1 ps less, the Valiant route arrives 1 ps sooner
    const record::Record tie = engine::run(two_senders(), mesh({1'300 * ns}), {});
    CHECK(tie.rank_finish[3] == WideTime{Time{12'600 * ns}});
    CHECK(tie.link_waits->all == WideTime{Time{1'300 * ns}});
    const record::Record detour = engine::run(two_senders(), mesh({1'300 * ns - 1}), {});
    CHECK(detour.rank_finish[3] == WideTime{Time{12'600 * ns - 1}});
    CHECK(detour.link_waits->all == WideTime{});
}

TEST_CASE("a message that overtakes one on a Valiant route is received after it") {
    // o = 0.1 us. The link is busy from 0.1 to 1.9. Rank 1 sends 900 B at 0.2: waiting would take 1.7 us, the Valiant
    // route takes 1.6 us more. It takes the latter and arrives at 0.2 + 1 + 1.8 + 1.6 = 4.6. It sends 8 B at 0.3, when
    // its own link is busy until 2.0 on either route, the link between the switches until 1.9 and those of the Valiant
    // route until 2.0. This message takes the minimal route and arrives at 2.0 + 1 + 0.016 = 3.016. The first is
    // received until 4.7, the second until 4.8.
    const auto program = program_of({6, 1}, {does().send(2, 900), does().work(100 * ns).send(2, 900).send(2, 8),
                                             does().recv(-2), does().recv(-2).recv(-2)});
    CHECK(finish(program, mesh({1'600 * ns}, {100 * ns}), 3) == 4'800 * ns);
}

TEST_CASE("the first switch decides, when a message or its first packet has been granted the cable of its host") {
    // o = 0.1 us. The link between the switches is busy from 0.1 to 1.9, and the cable of rank 1 with its message to
    // rank 0 as well. Rank 1 sends 900 B to rank 3 at 0.2. When it has the cable, at 1.9, the link is free as well, so
    // it takes the minimal route, arrives at 1.9 + 1 + 1.8 = 4.7 and is received until 4.8. At 0.2 the Valiant route
    // would have seemed to be shorter, and the message would be received 0.05 later.
    const auto program = program_of(
        {6, 1}, {does().send(2, 900).recv(1), does().send(-1, 900).send(2, 900), does().recv(-2), does().recv(-2)});
    CHECK(finish(program, mesh({50 * ns}, {100 * ns}), 3) == 4'800 * ns);
    // In packets of 450 B, 0.9 us each, the two messages of rank 1 take turns on its cable: at 0.1, 1.0, 1.9 and 2.8.
    // The second has it first at 1.0, when the link is busy until 1.9: it takes the Valiant route, whose last packet
    // is granted the cable at 2.8, and is received at 2.8 + 0.9 + 1 + 0.05 + 0.1 = 4.85.
    CHECK(finish(program, in_packets(mesh({50 * ns}, {100 * ns}), Bytes{450}), 3) == 4'850 * ns);
}

TEST_CASE("messages of one packet or several, in full or skipping, on one thread or two: the same run") {
    machine::DragonflyRoutes dragonfly{.groups = 4, .chassis = 1, .blades = 3, .nodes = 2, .global = 2};
    dragonfly.link_latency = {50 * ns};
    dragonfly.local = dragonfly.green = dragonfly.black = {1e-8};
    dragonfly.blue = {2e-8};
    dragonfly.forgets_chassis = false;
    const machine::HyperXRoutes hyperx{{3, 3}, 3, {50 * ns}, {1e-8}};
    const machine::TorusRoutes torus{{6, 4}, {50 * ns}, {1e-8}};
    const RankGrid grid{8, 6};
    for (const machine::LinkChoice choice :
         {machine::LinkChoice::deterministic, machine::LinkChoice::adaptive, machine::LinkChoice::round_robin}) {
        for (const machine::Zone& zone : {machine::Zone{dragonfly}, machine::Zone{hyperx}, machine::Zone{torus}}) {
            for (const std::int64_t bytes : {500, 2000}) {
                const machine::Machine machine = in_packets(scattered(grid, zone, choice), Bytes{800});
                const auto program = four_sweeps(grid, bytes, 20, 6, 3 * us);
                const record::Record full = check_all_ways(program, machine).full;
                machine::Machine minimal = machine;
                minimal.routes.routing = machine::Routing::minimal;
                CHECK(engine::run(program, minimal, {}).rank_finish != full.rank_finish);  // some take detours
            }
        }
    }
}

TEST_CASE("a machine without lookahead uses Valiant routes as well") {
    // L = 0, and an empty message from rank 4 to rank 5 takes no time. Rank 1 requests at 4.5, its message arrives at
    // 4.5 + 0.05 + 1.8 = 6.35 and is received until 10.35.
    machine::Machine machine = mesh({50 * ns});
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = {}, row.G = {};
    const auto program = program_of({6, 1}, {does().send(2, 900), does().work(500 * ns).send(2, 900), does().recv(-2),
                                             does().recv(-2), does().send(1, 0), does().recv(-1)});
    CHECK(finish(program, machine, 3) == (4'500 + 50 + 1'800 + 4'000) * ns);
}
