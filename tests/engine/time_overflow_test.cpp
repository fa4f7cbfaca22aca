// Virtual time ends after 53 days: whatever leads beyond is a fault that names rank and statement, on every path.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// A ring in which each of four ranks passes 16 messages of `bytes` on; sites: 0 loop, 1 recv or send, 2 the other.
program::Program ring(std::int64_t bytes) {
    return spmd({4, 1}, 1, [bytes](Rank rank) {
        ClassBuilder builder;
        builder.loop(16);
        if (rank.index == 0) {
            builder.send(1, bytes).recv(3);
        } else {
            builder.recv(-1).send(rank.index == 3 ? -3 : 1, bytes);
        }
        return builder.end().iteration().build();
    });
}

/// Every message between nodes takes 6.7 days, the longest that a cost may: 4 x 16 of them take 426 days.
machine::Machine slow(machine::Machine machine) {
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = kLongestCost;
    for (machine::ProfileRow& row : machine.profiles[2]) row.G = {};
    if (auto* torus = std::get_if<machine::TorusRoutes>(&machine.routes.zone)) torus->link_latency = {};
    return machine;
}

void check_overflow(const program::Program& program, const machine::Machine& machine) {
    for (const engine::Replay replay : {engine::Replay::full, engine::Replay::auto_}) {
        for (const unsigned threads : {1U, 2U}) {
            CAPTURE(threads);
            bool passed = false;
            try {
                engine::run(program, machine, {.replay = replay, .threads = threads});
            } catch (const engine::TimeOverflow& overflow) {
                passed = true;
                const std::uint32_t rank = overflow.rank().index;
                CHECK(rank < 4);
                CHECK(program.of({rank}).code[overflow.site()].op == program::Op::send);
            }
            CHECK(passed);
        }
    }
}

}  // namespace

TEST_CASE("messages that arrive after the end of virtual time are a fault, never a deadlock or a wrap") {
    for (const std::int64_t bytes : {500, 2000}) {
        CAPTURE(bytes);
        check_overflow(ring(bytes), slow(simple_machine({4, 1})));                // nothing shared
        check_overflow(ring(bytes), slow(simple_machine({4, 1}, {1, 1}, true)));  // a bus
        check_overflow(ring(bytes), slow(crowded_torus({4, 1}, {1, 1})));         // bus, NIC and links
    }
}

TEST_CASE("a machine served one request at a time has the same end of virtual time") {
    machine::Machine machine = crowded_torus({4, 1}, {1, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.L = {};
        row.G = {};
        row.o_send = kLongestCost;
    }
    std::get<machine::TorusRoutes>(machine.routes.zone).link_latency = {};
    check_overflow(ring(500), machine);
}

TEST_CASE("where a resource is held for days, waiting for it reaches the end of virtual time") {
    // Two ranks of a node share a bus that each message holds for 6.7 days; the sender's o alone is 4 us.
    machine::Machine machine = simple_machine({4, 1}, {2, 1}, true);
    machine.bus->o_dma = kLongestCost;
    CHECK_THROWS_AS(engine::run(ring(500), machine, {.replay = engine::Replay::full}), engine::TimeOverflow);
}
