// The event engine and SimGrid: equal to the picosecond if no two flows meet, since both have the same inputs.
#include "simulator/engine/engine.hpp"
#include "simulator/reference/reference.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/properties/property.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

record::Record on_simgrid(const program::Program& program, const machine::Machine& machine,
                          const variation::Noise& noise = {}, Seed seed = {}) {
    return reference::run(program, machine, {}, noise, seed).record;
}

record::Record stepped(const program::Program& program, const machine::Machine& machine,
                       const variation::Noise& noise = {}, Seed seed = {}) {
    return engine::run(program, machine, {.replay = engine::Replay::full, .noise = noise, .seed = seed});
}

void check_same(const record::Record& a, const record::Record& b) {
    CHECK(a.rank_finish == b.rank_finish);
    CHECK(a.iterations == b.iterations);
    CHECK(a.last == b.last);
    CHECK(a.work->messages_replayed == b.work->messages_replayed);
}

}  // namespace

// Without latency between nodes what happens at one moment has consequences at that moment, of which SimGrid's actors
// learn only after it has let the bus go.
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
    });
}

TEST_CASE("with noise, detours and ranks that are not alike, too, every rank finishes at the same picosecond") {
    holds({200, 33}, [] {
        Case each = *any_case();
        each.hardware.nic.reset();
        each.hardware.links.reset();
        if (each.hardware.routing == machine::Routing::adaptive) each.hardware.routing = machine::Routing::minimal;
        for (Row& row : each.hardware.rows.back()) row.L = std::max(row.L, 1);
        variation::Noise noise = *any_noise(each.unit);
        if (*rc::gen::arbitrary<bool>()) noise.jitter = Time{20 * each.unit};
        noise.redrawn = !noise.varies() || *rc::gen::arbitrary<bool>();
        const Seed seed{*rc::gen::inRange<std::uint64_t>(0, 1000)};
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        const record::Record ours = stepped(program, machine, noise, seed);
        const record::Record theirs = on_simgrid(program, machine, noise, seed);
        RC_ASSERT(ours.rank_finish == theirs.rank_finish);
        RC_ASSERT(ours.iterations == theirs.iterations);
    });
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
    CHECK(outcome.bus_wait == ours.breakdown->bus_wait);
    CHECK(outcome.bus_wait > WideTime{});
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
