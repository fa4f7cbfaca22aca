// The event engine and SimGrid: equal to the picosecond if no two flows meet, since both have the same inputs.
//
// Not pinned here: random cases (tests/campaign); the platforms that SimGrid accepts (tests/loading/platform_test.cpp);
// times added up by hand (tests/engine).

#include "simulator/reference/reference.hpp"
#include "tests/engine/shared.hpp"
#include "tests/faults.hpp"
#include "tests/properties/property.hpp"

using reference::RunOutcome;
using test::faults_of;
using test::Kinds;
using test::kinds_of;

namespace {

record::Record on_simgrid(const program::Program& program, const machine::Machine& machine,
                          const variation::Noise& noise = {}, Seed seed = {}) {
    return reference::run(program, machine, {}, noise, seed).record;
}

record::Record stepped(const program::Program& program, const machine::Machine& machine,
                       const variation::Noise& noise = {}, Seed seed = {}) {
    return engine::run(program, machine, {.replay = engine::Replay::full, .noise = noise, .seed = seed});
}

/// Returns the time of all iterations together.
WideTime of_iterations(const record::Record& record) {
    WideTime sum;
    for (const auto& [time, count] : record.iterations) sum += WideTime{time.ps * count};
    return sum;
}

void check_same(const record::Record& a, const record::Record& b) {
    CHECK(a.rank_finish == b.rank_finish);
    CHECK(a.iterations == b.iterations);
    CHECK(a.last == b.last);
    CHECK(a.work->messages_replayed == b.work->messages_replayed);
}

}  // namespace

// Without latency between nodes, events at one moment have consequences at the same moment, which SimGrid's actors
// notice only after the bus is released.
TEST_CASE("on random models and machines without NICs and links every rank finishes at the same picosecond") {
    holds({300, 31}, [] {
        Case each = *any_case();
        each.hardware.nic.reset();
        each.hardware.links.reset();
        if (each.hardware.routing == machine::Routing::adaptive) each.hardware.routing = machine::Routing::minimal;
        for (Row& row : each.hardware.rows.back()) row.L = std::max(row.L, 1);
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        const record::Record ours = stepped(program, machine);
        const record::Record theirs = on_simgrid(program, machine);
        RC_ASSERT(ours.rank_finish.size() == theirs.rank_finish.size());
        for (std::size_t rank = 0; rank < ours.rank_finish.size(); ++rank) {
            RC_ASSERT(static_cast<std::int64_t>(ours.rank_finish[rank].ps) ==
                      static_cast<std::int64_t>(theirs.rank_finish[rank].ps));
        }
        RC_ASSERT(ours.iterations == theirs.iterations);
        RC_ASSERT(of_iterations(ours) == ours.finish);
    });
}

TEST_CASE("with noise and heterogeneous ranks, too, every rank finishes at the same picosecond") {
    holds({200, 33}, [] {
        Case each = *any_case();
        each.hardware.nic.reset();
        each.hardware.links.reset();
        if (each.hardware.routing == machine::Routing::adaptive) each.hardware.routing = machine::Routing::minimal;
        for (Row& row : each.hardware.rows.back()) row.L = std::max(row.L, 1);
        variation::Noise noise = *any_noise(each.unit);
        if (*rc::gen::arbitrary<bool>()) noise.jitter = Time{20 * each.unit};
        if (noise.varies()) noise.repeats_after = *rc::gen::inRange<std::int64_t>(0, 4);
        const Seed seed{*rc::gen::inRange<std::uint64_t>(0, 1000)};
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        const record::Record ours = stepped(program, machine, noise, seed);
        const record::Record theirs = on_simgrid(program, machine, noise, seed);
        RC_ASSERT(ours.rank_finish == theirs.rank_finish);
        RC_ASSERT(ours.iterations == theirs.iterations);
        RC_ASSERT(of_iterations(ours) == ours.finish);
    });
}

TEST_CASE("an iteration lasts from the last rank's end of the one before to the last rank's end of it") {
    // Iteration k of rank r computes: the rank that ends last changes. Rank 0 ends its iterations at 3, 4 and 9 us,
    // rank 1 at 1, 6 and 7 us: the last rank at 3, 6 and 9 us. Rank 1 has finished at 7.
    const auto code = spmd({2, 1}, 3, [](Rank rank) {
        ClassBuilder builder;
        for (const std::int64_t work : rank.index == 0 ? std::array{3, 1, 5} : std::array{1, 5, 1}) {
            builder.work(work * us).iteration();
        }
        return builder.build();
    });
    for (const record::Record& record :
         {stepped(code, simple_machine({2, 1})), on_simgrid(code, simple_machine({2, 1}))}) {
        CHECK(record.iterations == std::vector<std::pair<WideTime, std::int64_t>>{{WideTime{Time{3 * us}}, 3}});
        CHECK(record.finish == WideTime{Time{9 * us}});
        CHECK(of_iterations(record) == record.finish);
    }
}

TEST_CASE("sweeps, allreduces and iterations by eager messages and by rendezvous") {
    for (const std::int64_t bytes : {500, 2000}) {
        CAPTURE(bytes);
        const RankGrid grid{5, 3};
        const auto code = wavefront({.grid = grid,
                                     .tiles = 4,
                                     .work = 10 * us,
                                     .bytes = bytes,
                                     .starts = {0, 3, 1, 2},
                                     .allreduces = 2,
                                     .iterations = 3});
        check_same(stepped(code, simple_machine(grid)), on_simgrid(code, simple_machine(grid)));
    }
}

TEST_CASE("a bus grants requests of one moment in the same order") {
    const RankGrid grid{8, 4};
    const auto code = wavefront({.grid = grid,
                                 .tiles = 5,
                                 .work = 10 * us,
                                 .bytes = 2000,
                                 .starts = {0, 3, 1, 2},
                                 .allreduces = 1,
                                 .iterations = 2});
    const machine::Machine machine = simple_machine(grid, {4, 2}, true);
    const reference::RunOutcome outcome = reference::run(code, machine, {});
    const record::Record ours = stepped(code, machine);
    check_same(ours, outcome.record);
    CHECK(outcome.server_wait == ours.breakdown->bus_wait);
    CHECK(outcome.server_wait > WideTime{});
}

TEST_CASE("sends that continue while their ranks compute") {
    const auto code = [](std::int64_t bytes) {
        return spmd({6, 1}, 1, [bytes](Rank rank) {
            ClassBuilder builder;
            for (int k = 0; k < 5; ++k) {
                if (rank.index > 0) builder.post(-1);
                if (rank.index < 5) builder.isend(1, k % 2 == 0 ? bytes : 500);
                builder.work((rank.index * 7 % 5 + 1) * us);
                if (rank.index > 0) builder.await(-1);
                if (rank.index < 5) builder.await_sent(1);
            }
            return builder.iteration().build();
        });
    };
    for (const bool bus : {false, true}) {
        CAPTURE(bus);
        const machine::Machine machine = simple_machine({6, 1}, {2, 1}, bus);
        check_same(stepped(code(2000), machine), on_simgrid(code(2000), machine));
        check_same(stepped(code(400), machine), on_simgrid(code(400), machine));
    }
}

TEST_CASE("a NIC without other users costs nothing, even where its hold lies within the receiver's time per byte") {
    // 2000 B: 2 us in each NIC, none on the wire (G = 0), 4 us in the receiver. One message at a time on each NIC.
    machine::Machine machine = simple_machine({2, 1});
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-9}};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.G = {};
        row.G_recv = {2e-9};
        row.holds_nic = true;
    }
    const auto code = wavefront({.grid = {2, 1}, .tiles = 3, .work = 10 * us, .bytes = 2000, .starts = {0, 1}});
    const reference::RunOutcome outcome = reference::run(code, machine, {});
    check_same(stepped(code, machine), outcome.record);
    CHECK(outcome.flow_wait == WideTime{});
}

TEST_CASE("links without other users cost nothing") {
    machine::Machine machine = simple_machine({4, 1});
    machine.links = machine::Links{};
    machine.routes = {.zone = machine::TorusRoutes{{4}, Time{50'000}, {5e-10}, true}, .links_in_L = 1};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_links = true;
    const auto code = wavefront({.grid = {4, 1}, .tiles = 3, .work = 10 * us, .bytes = 2000, .starts = {0, 1}});
    check_same(stepped(code, machine), on_simgrid(code, machine));
}

TEST_CASE("a wire carries bytes during their copies, on both engines") {
    // 100,000 B: 30 us of copying in, 30 us of copying out, 100 us on the link; no overheads, no latency. An eager
    // message takes 100 us. So does a rendezvous, since its receive is posted; and with a block of 50 us between the
    // copying in and the post, the copying out ends at 30 + 50 + (100 - 30). Two pairs that share the link end at 200
    // us on SimGrid.
    machine::Machine machine = simple_machine({4, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = row.o_recv = row.L = {};
        row.G = {1e-10};
        row.G_send = row.G_recv = {3e-10};
    }
    machine.routes = {
        .zone = machine::StarRoutes{.links_per_route = 3, .hosts = 4, .link_gap = {1e-12}, .backbone = Gap{1e-9}},
        .links_in_L = 3};
    const auto pair = [](std::int64_t late) {
        return program_of({4, 1}, {does().send(1, 100'000), does().work(late).recv(-1), does(), does()});
    };
    for (const bool rendezvous : {false, true}) {
        for (machine::ProfileRow& row : machine.profiles[2]) {
            row.protocol = rendezvous ? machine::Protocol::rendezvous : machine::Protocol::eager;
        }
        CHECK(on_simgrid(pair(0), machine).finish == WideTime{Time{100 * us}});
        check_same(stepped(pair(0), machine), on_simgrid(pair(0), machine));
        check_same(stepped(pair(80 * us), machine), on_simgrid(pair(80 * us), machine));
    }
    CHECK(on_simgrid(pair(80 * us), machine).finish == WideTime{Time{150 * us}});

    for (machine::ProfileRow& row : machine.profiles[2])
        row.protocol = machine::Protocol::eager, row.holds_links = true;
    machine.links = machine::Links{};
    const auto two =
        program_of({4, 1}, {does().send(1, 100'000), does().recv(-1), does().send(1, 100'000), does().recv(-1)});
    CHECK(on_simgrid(two, machine).finish == WideTime{Time{200 * us}});
}

// SimGrid shares bandwidth among flows that meet; the arithmetic is by hand. The machine
// (tests/engine/fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000 bytes.

namespace {

/// Returns a program in which ranks 0 and 2 send 500 bytes each to rank 1, which receives from 0 first.
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
        .zone = machine::StarRoutes{.links_per_route = 3, .hosts = 3, .link_gap = {1e-12}, .backbone = Gap{1e-9}},
        .links_in_L = 3};
    machine.links = machine::Links{};
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_links = true;
    CHECK(reference::run(two_to_one(), machine, {}).record.finish == WideTime{Time{14 * us}});
    machine.links->parallel = 2;
    CHECK(reference::run(two_to_one(), machine, {}).record.finish == WideTime{Time{13'500'000}});
}

TEST_CASE("edges of a graph have the bandwidths of the graph on SimGrid as well") {
    // Two switches of two hosts; 500 B at 1 ns/B from either host of the first. Sent 4 us, on the wire 0.5 us, or 1 us
    // if both share an edge of 1 GB/s, 1 us, received 4 us.
    const auto code = spmd({4, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        return rank.index < 2 ? builder.send(2, 500).iteration().build() : builder.recv(-2).iteration().build();
    });
    const auto finish = [&](Gap edge) {
        machine::Machine machine = simple_machine({4, 1});
        machine::GraphRoutes graph{.graph = machine::SwitchGraph(2, {{0, 1}}), .hosts_each = 2, .link_gap = {1e-12}};
        graph.own.assign(2, {edge, Time{}});
        graph.find_routes();
        machine.routes = {.zone = graph, .links_in_L = 3};
        machine.links = machine::Links{};
        for (machine::ProfileRow& row : machine.profiles[2]) row.holds_links = true;
        return static_cast<std::int64_t>(on_simgrid(code, machine).finish.ps);
    };
    CHECK(finish(Gap{1e-12}) == 9'500 * ns);
    CHECK(finish(Gap{1e-9}) == 10 * us);
}

TEST_CASE("a message that holds nothing is not slowed down by those that hold the NIC") {
    // Messages of 8 bytes occupy it (4 us + 0.008 us, alone at 8 ns); those of 500 bytes do not.
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
        return reference::run(to_one ? to_the_last_rank() : to_the_ranks_below(), two_nics(cabling, Gap{1e-9}), {})
            .record.finish;
    };
    CHECK(finish(false, kSharedCable) == WideTime{Time{10 * us + 800 * ns}});
    CHECK(finish(false, kCablePerNic) == WideTime{Time{9 * us + 900 * ns}});
    CHECK(finish(false, kRails) == WideTime{Time{9 * us + 900 * ns}});
    // to one rank: in one plane over its NIC and cable, with rails by two
    CHECK(finish(true, kCablePerNic) == WideTime{Time{14 * us + 800 * ns}});
    CHECK(finish(true, kRails) == WideTime{Time{13 * us + 900 * ns}});
}

// Runs that are refused for SimGrid, and runs that fail.

namespace {

Kinds refused(const program::Program& program, const machine::Machine& machine) {
    return kinds_of(faults_of([&] { reference::run(program, machine, {}); }));
}

}  // namespace

TEST_CASE("too many ranks and too many instructions are refused before anything runs") {
    const RankGrid grid{4097, 1};
    CHECK(refused(wavefront({.grid = grid}), simple_machine(grid)) == Kinds{reference_limits});
    const RankGrid pair{2, 1};
    CHECK(refused(wavefront({.grid = pair, .tiles = 100'000, .iterations = 10'000}), simple_machine(pair)) ==
          Kinds{reference_limits});
}

TEST_CASE("rows that hold the NIC beside rows that hold links are refused") {
    machine::Machine machine = simple_machine({2, 1});
    machine.nic = machine::Nic{};
    machine.links = machine::Links{};
    machine.profiles[2].front().holds_nic = true;
    machine.profiles[2].back().holds_links = true;
    CHECK(refused(wavefront({.grid = {2, 1}}), machine) == Kinds{reference_holds});
}

TEST_CASE("memory bandwidth that cores share is refused") {
    machine::Machine machine = simple_machine({2, 1});
    machine.memory = machine::Memory{.bandwidth = {10e9}, .per_core = {10e9}};
    CHECK(refused(wavefront({.grid = {2, 1}}), machine) == Kinds{reference_limits});
}

TEST_CASE("a gap between messages at the NIC is refused; its remedy is the machine without it") {
    machine::Machine machine = with_nics();
    machine.nic->g = {1 * us};
    const input::Diagnostics found = faults_of([&] { reference::run(two_to_one(), machine, {}); });
    REQUIRE(found.count() == 1);
    CHECK(found.all().front().kind == reference_limits);
    CHECK(found.all().front().expected == "expected `--set platform.nic.g=0ns`");
}

TEST_CASE("rows that make progress in calls, or whose senders wait for their bytes, are refused") {
    machine::Machine machine = simple_machine({2, 1});
    machine.profiles[2].back().progress = machine::MessageProgress::in_calls;
    CHECK(refused(wavefront({.grid = {2, 1}}), machine) == Kinds{reference_limits});
    machine = simple_machine({2, 1});
    machine.profiles[2].back().sender_goes_on = machine::SenderGoesOn::sent;
    CHECK(refused(wavefront({.grid = {2, 1}}), machine) == Kinds{reference_limits});
}

TEST_CASE("routes that are chosen message by message are refused") {
    machine::Machine machine = simple_machine({3, 1});
    machine.routes = {.zone = machine::TorusRoutes{{3}}, .routing = machine::Routing::adaptive};
    CHECK(refused(wavefront({.grid = {3, 1}}), machine) == Kinds{reference_limits});
    machine.routes.routing = machine::Routing::valiant;
    CHECK(reference::run(wavefront({.grid = {3, 1}}), machine, {}).end == RunOutcome::End::finished);
}

TEST_CASE("a deadlock is reported with the waiting ranks, their statements and peers") {
    // Rank 0 works 3 us and waits for rank 1, which requests a rendezvous at 4 us that it never posts.
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) return builder.work(3 * us).recv(1, 7).recv(1, 9).iteration().build();
        return builder.send(-1, 2000, 9).send(-1, 8, 7).iteration().build();
    });
    const RunOutcome outcome = reference::run(program, simple_machine({2, 1}), {});
    REQUIRE(outcome.end == RunOutcome::End::deadlock);
    REQUIRE(outcome.blocked.size() == 2);
    const record::Blocked& receiver = outcome.blocked[0];
    CHECK(receiver.rank == Rank{0});
    CHECK(receiver.peer == Rank{1});
    CHECK(receiver.tag == 7);
    CHECK(receiver.site == 1);
    CHECK(receiver.what == record::Blocked::What::recv);
    CHECK(*receiver.since == WideTime{Time{3 * us}});
    const record::Blocked& sender = outcome.blocked[1];
    CHECK(sender.peer == Rank{0});
    CHECK(sender.tag == 9);
    CHECK(sender.what == record::Blocked::What::send);
    CHECK(*sender.since == WideTime{Time{4 * us}});
}

TEST_CASE("a block that noise or its rank's speed makes too long is refused, like in the event engine") {
    const auto program = spmd({1, 1}, 1, [](Rank) { return ClassBuilder().work(us).iteration().build(); });
    const variation::Noise stopped{.classes = {{1.0, 1e-320}}};
    CHECK_THROWS_AS(reference::run(program, simple_machine({1, 1}), {}, stopped), std::overflow_error);
}

TEST_CASE("virtual time that runs out ends the run") {
    const auto program = spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 1) return builder.recv(-1).iteration().build();
        return builder.loop(20).work(kLongestCost.ps).end().send(1, 8).iteration().build();
    });
    CHECK(reference::run(program, simple_machine({2, 1}), {}).end == RunOutcome::End::overflow);
}
