// Messages that queue up without end are stopped before the memory is, and the channel is named.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/shared.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Rank 0 sends two messages a microsecond, rank 1 takes one in 100 us; sites of rank 0: 0 loop, 1 work, 2 and 3 sends.
program::Program drifting() {
    return spmd({2, 1}, 1, [](Rank rank) {
        ClassBuilder builder;
        if (rank.index == 0) builder.loop(1'000'000).work(us).send(1, 8, 7).send(1, 8, 7);
        if (rank.index == 1) builder.loop(2'000'000).work(100 * us).recv(-1, 7);
        return builder.end().iteration().build();
    });
}

}  // namespace

TEST_CASE("queues that grow beyond their memory name sender, receiver, tag and statement") {
    for (const bool bus : {false, true}) {
        for (const unsigned threads : {1U, 2U}) {
            CAPTURE(bus);
            CAPTURE(threads);
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
