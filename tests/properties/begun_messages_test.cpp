// Messages that leave while their ranks compute: the result depends on the inputs alone, as that of blocking ones.
#include "tests/properties/property.hpp"
#include "tests/properties/rewritten.hpp"

using namespace warpfront;
using namespace warpfront::test;

TEST_CASE("begun messages make valid programs") {
    holds({200, 61}, [] { RC_ASSERT(program::validate(with_sends_begun(program_of(*any_case()))).empty()); });
}

TEST_CASE("skipping ahead beside begun messages changes nothing, on one thread or three") {
    bool some_skipped = false;
    holds({600, 62}, [&some_skipped] {
        Case each = *any_case();
        for (Phase& phase : each.code.phases) phase.iterations += 10;
        const program::Program program = with_sends_begun(program_of(each));
        const machine::Machine machine = machine_of(each);
        const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
        const record::Record skipping = engine::run(program, machine, {.replay = engine::Replay::auto_, .threads = 3});
        some_skipped = some_skipped || skipped(skipping);
        assert_same(skipping, full);
    });
    CHECK(some_skipped);
}

TEST_CASE("windows give what one request at a time gives, messages begun included") {
    holds({1000, 63}, [] {
        const Case each = with_time_between(*any_case());
        const program::Program program = with_sends_begun(program_of(each));
        const machine::Machine machine = machine_of(each);
        assert_same(engine::run(program, machine, {.replay = engine::Replay::full, .in_order = true}),
                    engine::run(program, machine, {.replay = engine::Replay::full}));
    });
}

TEST_CASE("the critical path through begun messages adds up to the time") {
    holds({400, 64}, [] {
        const Case each = *any_case();
        if (program::has_choices(program_of(each))) return;
        const record::Record record = engine::run(with_sends_begun(program_of(each)), machine_of(each), {.path = true});
        RC_ASSERT(record.path->total().ps == record.finish.ps);
        for (const record::PathPart& part : record::kPathParts) RC_ASSERT((*record.path.*part.time).ps >= 0);
    });
}
