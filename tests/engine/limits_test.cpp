// The limits of the engine's counters, and runs that it refuses before they begin.
#include "simulator/engine/engine.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/units/wave.hpp"
#include "tests/engine/shared.hpp"

TEST_CASE("65,536 ranks may share a node, one more may not") {
    const auto run = [](std::uint32_t ranks) {
        const RankGrid grid{ranks, 1};
        const auto program = spmd(grid, 1, [](Rank) { return ClassBuilder().work(1000).iteration().build(); });
        return engine::run(program, simple_machine(grid, {ranks, 1}, true), {});
    };
    CHECK(run(65'536).finish == WideTime{Wide{1000}});
    CHECK_THROWS_WITH_AS(run(65'537), "a node holds more ranks than the engine can number (2^16)", std::length_error);
}

// Rank 0 sends 5000 eager messages while rank 1 works, 4 us each, and then requests a rendezvous at 20,004 us, beside a
// channel on which both kinds are sent. Rank 1 takes the first at 30,000 us, 4 us each: the last eager one at 49,996.
// Then it posts the large one, whose request arrived at 20,005 us: acknowledged after 1 us, it leaves at 50,001 us.
TEST_CASE("a sender may be thousands of messages ahead of its receiver before it requests a rendezvous") {
    const auto program = program_of({2, 1}, {does().loop(5000).send(1, 8).end().send(1, 2000),
                                             does().work(30'000 * us).loop(5000).recv(-1).end().recv(-1)});
    for (const bool bus : {false, true}) {
        machine::Machine machine = simple_machine({2, 1}, {1, 1}, bus);
        if (bus) machine.bus = machine::Bus{};  // occupied for no time
        for (machine::ProfileRow& row : machine.profiles[2]) row.G = {};
        for (const unsigned threads : {1U, 2U}) {
            CAPTURE(threads);
            const record::Record record = engine::run(program, machine, {.threads = threads});
            CHECK(record.rank_finish[0] == WideTime{Wide{50'001 * us}});
            CHECK(record.rank_finish[1] == WideTime{Wide{50'001 * us + 1 * us + 4 * us}});
        }
    }
}

TEST_CASE("an iteration may have more than 2^20 waves") {
    const auto program = wavefront({.grid = {1, 1}, .tiles = (1 << 20) + 5, .work = 1000, .iterations = 3});
    const record::Record record = engine::run(program, simple_machine({1, 1}), {.replay = engine::Replay::full});
    REQUIRE(record.iterations.size() == 1);
    CHECK(record.iterations.front().first == WideTime{Wide{((1 << 20) + 5) * 1000}});
    CHECK(record.iterations.front().second == 3);
}

TEST_CASE("more waves in an iteration than can be counted are refused") {
    engine::RankLine line;
    line.wave = (std::uint64_t{1} << kWaveBits) - 2;
    engine::add_waves(line, 1);
    CHECK_THROWS_WITH_AS(engine::add_waves(line, 1),
                         "an iteration has more iterations of loops than the engine can count (2^34)",
                         std::length_error);
}

// A run whose messages queue up without end is stopped before the memory is exhausted, and the channel is named.

namespace {

/// Rank 0 sends two messages a microsecond, rank 1 takes one in 100 us; sites of rank 0: 0 loop, 1 work, 2 and 3 sends.
program::Program drifting() {
    return program_of({2, 1}, {does().loop(1'000'000).work(us).send(1, 8, 7).send(1, 8, 7).end(),
                               does().loop(2'000'000).work(100 * us).recv(-1, 7).end()});
}

}  // namespace

TEST_CASE("queues that grow beyond their memory name sender, receiver, tag and statement") {
    for (const bool bus : {false, true}) {
        for (const unsigned threads : {1U, 2U}) {
            INFO("bus ", bus, ", threads ", threads);
            bool stopped = false;
            try {
                engine::run(drifting(), simple_machine({2, 1}, {1, 1}, bus),
                            {.threads = threads, .queue_memory = Bytes{1 << 20}});
            } catch (const engine::MemoryExhausted& exhausted) {
                stopped = true;
                const engine::MemoryExhausted::Found& found = exhausted.found();
                CHECK(found.from == Rank{0});
                CHECK(found.to == Rank{1});
                CHECK(found.tag == 7);
                CHECK(found.site == 2);
                CHECK(found.queued > 1000);
                CHECK(found.limit == Bytes{1 << 20});
                CHECK(found.queued * 16 <= (1 << 20));  // a message takes 16 bytes or more
            }
            CHECK(stopped);
        }
    }
}

TEST_CASE("a run whose queues fit goes to its end, whatever the limit") {
    const auto program = wavefront({.grid = {4, 4}, .tiles = 20, .work = 5 * us, .bytes = 500, .starts = {0, 3}});
    const record::Record record = engine::run(program, crowded_torus({4, 4}, {1, 1}), {.queue_memory = Bytes{1 << 20}});
    CHECK(record.rank_finish == engine::run(program, crowded_torus({4, 4}, {1, 1}), {}).rank_finish);
}

// Virtual time ends after 53 days: exceeding it is a fault that names rank and statement, on every path.

namespace {

/// Returns a ring in which each of four ranks passes 16 messages of `bytes` on; sites: 0 loop, 1 recv or send, 2 the
/// other.
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

/// Returns the machine with messages between nodes of 6.7 days, the longest allowed cost: 4 x 16 of them take 426 days.
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

TEST_CASE("a machine without lookahead has the same end of virtual time") {
    machine::Machine machine = crowded_torus({4, 1}, {1, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.L = {};
        row.G = {};
        row.o_send = kLongestCost;
    }
    std::get<machine::TorusRoutes>(machine.routes.zone).link_latency = {};
    check_overflow(ring(500), machine);
}

TEST_CASE("if a resource is occupied for days, waiting for it reaches the end of virtual time") {
    // Two ranks of a node share a bus that each message occupies for 6.7 days; the sender's o alone is 4 us.
    machine::Machine machine = simple_machine({4, 1}, {2, 1}, true);
    machine.bus->o_dma = kLongestCost;
    CHECK_THROWS_AS(engine::run(ring(500), machine, {.replay = engine::Replay::full}), engine::TimeOverflow);
}
