// A timeline depends on the run, not on how the run is simulated, and recording it changes nothing.
#include "tests/properties/property.hpp"

namespace {

/// Returns a window of all ranks, or of the first alone; until the end of its first iteration, or until some time of
/// the run.
record::TimelineWindow any_window(const program::Program& program, Time finish) {
    const auto last = *rc::gen::element(0U, program.grid.columns * program.grid.rows - 1);
    record::TimelineWindow window{.first = {0}, .last = {last}};
    if (*rc::gen::arbitrary<bool>()) return window;
    const auto percent = *rc::gen::inRange<std::int64_t>(1, 101);
    window.until = Time{finish.ps / 100 * percent + 1};
    window.from = Time{*rc::gen::element<std::int64_t>(0, window.until->ps / 2)};
    return window;
}

engine::Options recording(record::TimelineWindow window, engine::Replay replay, const variation::Noise& noise) {
    engine::Options options{.replay = replay, .noise = noise};
    options.timeline = window;
    return options;
}

}  // namespace

TEST_CASE("a timeline is the same skipping and on three threads") {
    bool some_skipped = false;
    holds({300, 61}, [&some_skipped] {
        const Case each = with_time_between(*any_case());
        const variation::Noise noise = *rc::gen::oneOf(rc::gen::just(variation::Noise{}), recurring_noise(each.unit));
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        const record::Record plain = engine::run(program, machine, {.noise = noise});
        const Time finish{static_cast<std::int64_t>(plain.finish.ps)};
        const record::TimelineWindow window = any_window(program, finish);

        engine::Options options = recording(window, engine::Replay::auto_, noise);
        const record::Record skipping = engine::run(program, machine, options);
        some_skipped = some_skipped || skipped(skipping);
        assert_same(skipping, plain);
        options.threads = 3;
        RC_ASSERT(engine::run(program, machine, options).timeline == skipping.timeline);
        options = recording(window, engine::Replay::full, noise);
        RC_ASSERT(engine::run(program, machine, options).timeline == skipping.timeline);
    });
    CHECK(some_skipped);
}
