// What messages waited for which links, in all.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Only links are shared, one rank to a node.
machine::Machine on_links(machine::Machine machine) {
    machine.bus.reset();
    machine.nic.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_bus = row.holds_nic = false;
    return machine;
}

program::Program sweeps(RankGrid grid, std::int64_t iterations) {
    return wavefront(
        {.grid = grid, .tiles = 30, .work = 2 * us, .bytes = 2000, .starts = {0, 3, 1, 2}, .iterations = iterations});
}

record::LinkWaits waits(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {}).link_waits.value();
}

}  // namespace

TEST_CASE("a message's waiting counts for the link that was busy") {
    // a ring of five: rank 0 sends two links up to 2, rank 1 one link up to 2, half a microsecond later
    const auto program = meeting_on_a_link();
    const record::LinkWaits all = waits(program, on_links(crowded_torus({5, 1}, {1, 1})));
    // link 1 -> 2 is busy from 4 to 5.8 us, rank 1 asks at 4.5
    CHECK(all.all == WideTime{Time{1'300'000}});
    REQUIRE(all.hottest.size() == 1);
    CHECK(all.hottest[0] == record::LinkWait{"(1, 0) to (2, 0)", WideTime{Time{1'300'000}}});
}

TEST_CASE("neighbours of the array that are neighbours of the torus do not wait for each other's links") {
    const record::LinkWaits ideal = waits(sweeps({8, 6}, 1), on_links(crowded_torus({8, 6}, {1, 1})));
    CHECK(ideal.all == WideTime{});
    CHECK(ideal.hottest.empty());
}

TEST_CASE("scattered over the torus they do, and the links most waited for are reported, the hottest first") {
    const record::LinkWaits scattered = waits(sweeps({8, 6}, 1), on_links(scattered_torus({8, 6}, {1, 1})));
    CHECK(scattered.all > WideTime{});
    REQUIRE(scattered.hottest.size() == record::LinkWaits::kMostNamed);
    WideTime named;
    for (std::size_t k = 0; k < scattered.hottest.size(); ++k) {
        if (k > 0) CHECK(scattered.hottest[k].waited <= scattered.hottest[k - 1].waited);
        named += scattered.hottest[k].waited;
    }
    CHECK(named <= scattered.all);
}

TEST_CASE("waiting that was skipped is counted as if it had been stepped, whatever the threads") {
    const auto program = sweeps({8, 6}, 12);
    for (const machine::Machine& machine :
         {on_links(scattered_torus({8, 6}, {1, 1})), scattered_torus({8, 6}, {2, 1})}) {
        engine::Options full;
        full.replay = engine::Replay::full;
        const record::Record stepped = engine::run(program, machine, full);
        const record::Record skipped = engine::run(program, machine, {});
        CHECK(skipped.work->messages_replayed < stepped.work->messages_replayed);
        check_same_run(skipped, stepped);
        engine::Options threads;
        threads.threads = 3;
        check_same_run(engine::run(program, machine, threads), stepped);
    }
}

TEST_CASE("if links are not shared there are no link waits") {
    machine::Machine machine = crowded_torus({8, 6}, {1, 1});
    machine.links.reset();
    for (machine::ProfileRow& row : machine.profiles[2]) row.holds_links = false;
    CHECK_FALSE(engine::run(sweeps({8, 6}, 1), machine, {}).link_waits);
}
