// Runs that are refused for SimGrid, and runs that fail.
#include <doctest/doctest.h>

#include "simulator/reference/reference.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/faults.hpp"

using namespace warpfront;
using namespace warpfront::test;
using input::DiagnosticKind;
using reference::RunOutcome;
using test::faults_of;
using test::Kinds;
using test::kinds_of;

namespace {

Kinds refused(const program::Program& program, const machine::Machine& machine) {
    return kinds_of(faults_of([&] { reference::run(program, machine, {}); }));
}

}  // namespace

TEST_CASE("too many ranks and too many instructions are refused before anything runs") {
    const RankGrid grid{4097, 1};
    CHECK(refused(wavefront({.grid = grid}), simple_machine(grid)) == Kinds{DiagnosticKind::reference_limits});
    const RankGrid pair{2, 1};
    CHECK(refused(wavefront({.grid = pair, .tiles = 100'000, .iterations = 10'000}), simple_machine(pair)) ==
          Kinds{DiagnosticKind::reference_limits});
}

TEST_CASE("rows that hold the NIC beside rows that hold links are refused") {
    machine::Machine machine = simple_machine({2, 1});
    machine.nic = machine::Nic{};
    machine.links = machine::Links{};
    machine.profiles[2].front().holds_nic = true;
    machine.profiles[2].back().holds_links = true;
    CHECK(refused(wavefront({.grid = {2, 1}}), machine) == Kinds{DiagnosticKind::reference_holds});
}

TEST_CASE("memory bandwidth that cores share is refused") {
    machine::Machine machine = simple_machine({2, 1});
    machine.memory = machine::Memory{.bandwidth = {10e9}, .per_core = {10e9}};
    CHECK(refused(wavefront({.grid = {2, 1}}), machine) == Kinds{DiagnosticKind::reference_limits});
}

TEST_CASE("routes that are chosen message by message are refused") {
    machine::Machine machine = simple_machine({3, 1});
    machine.routes = {.zone = machine::TorusRoutes{{3}}, .routing = machine::Routing::adaptive};
    CHECK(refused(wavefront({.grid = {3, 1}}), machine) == Kinds{DiagnosticKind::reference_limits});
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
