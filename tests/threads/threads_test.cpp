// Any number of threads gives the same bits.
//
// Not pinned here: any time. The suite is small enough for the thread sanitizer, which searches for races.
// tests/properties pins that threads change no result.
#include "tests/engine/same_run.hpp"
#include "tests/threads/machines.hpp"

namespace {

bool in_several_packets(const machine::Machine& machine, std::int64_t bytes) {
    const std::optional<Bytes> packet = machine.profiles[2].front().packet.size;
    return packet && packet->count < bytes;
}

}  // namespace

TEST_CASE("one, two, three, four and seven threads agree on every rank's time and on the breakdown") {
    const RankGrid grid{10, 6};
    for (const std::int64_t bytes : {500, 2000}) {
        const program::Program program = sweeps(grid, bytes);
        for (const Experiment& each : machines(grid, {2, 1})) {
            for (const engine::Replay replay : {engine::Replay::full, engine::Replay::auto_}) {
                INFO("each.name ", each.name, ", bytes ", bytes);
                const record::Record one = engine::run(program, each.machine, {.replay = replay});
                const bool full = replay == engine::Replay::full;
                for (const unsigned threads : {2U, 3U, 4U, 7U}) {
                    if (kSanitized && full != (threads == 2 || threads == 7)) continue;
                    CAPTURE(threads);
                    const record::Record many =
                        engine::run(program, each.machine, {.replay = replay, .threads = threads});
                    check_same_run(many, one);
                    CHECK(many.work->messages_replayed == one.work->messages_replayed);
                    CHECK(many.work->threads == (in_several_packets(each.machine, bytes) ? 1 : threads));
                }
            }
        }
    }
}

TEST_CASE("threads agree under noise") {
    const RankGrid grid{8, 6};
    const program::Program program = sweeps(grid, 2000);
    const machine::Machine machine = crowded_torus(grid, {2, 1});
    const variation::Noise noise{
        .cv = 0.3, .periodic = variation::PeriodicNoise{{100 * us}, {5 * us}}, .classes = {{0.7, 1.0}, {0.3, 0.5}}};
    const record::Record one = engine::run(program, machine, {.noise = noise, .seed = {11}});
    const record::Record three = engine::run(program, machine, {.threads = 3, .noise = noise, .seed = {11}});
    CHECK(one.rank_finish == three.rank_finish);
}

TEST_CASE("there are never more threads than nodes") {
    const RankGrid grid{4, 1};
    const record::Record record = engine::run(sweeps(grid, 2000), crowded_torus(grid, {2, 1}), {.threads = 64});
    CHECK(record.work->threads == 2);
}

TEST_CASE("a machine whose messages have several packets is simulated by one thread, with a note") {
    const machine::Machine machine = in_packets(crowded_torus({4, 4}, {2, 1}), Bytes{600});
    const record::Record record = engine::run(sweeps({4, 4}, 2000), machine, {.threads = 4});
    CHECK(record.work->threads == 1);
    CHECK(record.notes.front() == "one thread: messages have several packets, whose links one thread grants");
}

TEST_CASE("a machine without lookahead is simulated by one thread, with a note") {
    machine::Machine machine = crowded_torus({4, 4}, {2, 1});
    for (machine::ProfileRow& row : machine.profiles[2]) row.L = {};
    std::get<machine::TorusRoutes>(machine.routes.zone).link_latency = {};
    for (machine::ProfileRow& row : machine.profiles[2]) row.G = {};
    const record::Record record = engine::run(sweeps({4, 4}, 2000), machine, {.threads = 4});
    CHECK(record.work->threads == 1);
    REQUIRE_FALSE(record.notes.empty());
    CHECK(record.notes.front().find("no lookahead") != std::string::npos);
}

TEST_CASE("an exception of one thread ends all") {
    const program::Program program = spmd({8, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index > 0) builder.recv(-1);
        builder.loop(16).work(kLongestCost.ps).end();
        if (rank.index < 7) builder.send(1, 2000);
        builder.iteration();
        return builder.build();
    });
    CHECK_THROWS_AS(engine::run(program, crowded_torus({8, 1}, {1, 1}), {.threads = 4}), engine::TimeOverflow);
}
