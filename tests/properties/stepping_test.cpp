// A result depends on the inputs alone: not on skipped iterations, on the thread that simulates it, or on the
// beginnings of time windows.
#include "simulator/program/mismatches.hpp"
#include "tests/properties/property.hpp"
#include "tests/properties/rewritten.hpp"
#include "tests/validation/validate.hpp"

namespace {

/// Returns the program with every send divided into an isend and its wait.
program::Program with_sends_cut(program::Program program) {
    for (program::RankClass& rank_class : program.classes) {
        std::vector<program::Instruction> code;
        std::vector<std::uint32_t> now_at;
        for (const program::Instruction& step : rank_class.code) {
            now_at.push_back(static_cast<std::uint32_t>(code.size()));
            code.push_back(step);
            if (step.op != program::Op::send) continue;
            code.back().op = program::Op::isend;
            code.push_back({.op = program::Op::wait_send, .site = step.site, .operand = step.operand});
        }
        for (program::Instruction& step : code) {
            const bool loops = step.op == program::Op::loop || step.op == program::Op::end_loop;
            if (loops) step.operand = now_at[step.operand];
        }
        rank_class.code = std::move(code);
    }
    return program;
}

}  // namespace

TEST_CASE("sketches make valid programs whose messages all are received, with blocking sends or not") {
    holds({200, 11}, [] {
        const program::Program program = program_of(*any_case());
        RC_ASSERT(program::validate(program).empty());
        RC_ASSERT(program::validate(with_sends_begun(program)).empty());
        RC_ASSERT(program::mismatches(program, 1).empty());
    });
}

TEST_CASE("skipping ahead changes nothing") {
    bool some_skipped = false;
    holds({1000, 12}, [&some_skipped] {
        const Case each = *any_case();
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        const record::Record skipping = engine::run(program, machine, {.replay = engine::Replay::auto_});
        some_skipped = some_skipped || skipped(skipping);
        assert_same(skipping, engine::run(program, machine, {.replay = engine::Replay::full}));
    });
    CHECK(some_skipped);
}

TEST_CASE("skipping ahead changes nothing if ranks and tiles differ") {
    bool some_skipped = false;
    holds({300, 13}, [&some_skipped] {
        const Case each = *any_case();
        const variation::Noise noise = *recurring_noise(each.unit);
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        const record::Record skipping =
            engine::run(program, machine, {.replay = engine::Replay::auto_, .noise = noise});
        some_skipped = some_skipped || skipped(skipping);
        assert_same(skipping, engine::run(program, machine, {.replay = engine::Replay::full, .noise = noise}));
    });
    CHECK(some_skipped);
}

TEST_CASE("a send is an isend and its wait") {
    holds({400, 16}, [] {
        const Case each = *any_case();
        const machine::Machine machine = machine_of(each);
        const program::Program cut = with_sends_cut(program_of(each));
        RC_ASSERT(program::validate(cut).empty());
        assert_same(engine::run(program_of(each), machine, {.replay = engine::Replay::full}),
                    engine::run(cut, machine, {.threads = 2}));
    });
}

TEST_CASE("two and three threads give the same results as one, and skip as much") {
    bool some_skipped = false;
    holds({350, 14}, [&some_skipped] {
        const Case each = *any_case();
        const auto replay = *rc::gen::element(engine::Replay::auto_, engine::Replay::auto_, engine::Replay::full);
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        const record::Record one = engine::run(program, machine, {.replay = replay});
        some_skipped = some_skipped || skipped(one);
        for (const unsigned threads : {2U, 3U}) {
            const record::Record several = engine::run(program, machine, {.replay = replay, .threads = threads});
            assert_same(one, several);
            RC_ASSERT(several.work->messages_replayed == one.work->messages_replayed);
        }
    });
    CHECK(some_skipped);
}

TEST_CASE("three threads give the same results as one under noise") {
    holds({100, 15}, [] {
        const Case each = *any_case();
        const variation::Noise noise = *any_noise(each.unit);
        const program::Program program = program_of(each);
        const machine::Machine machine = machine_of(each);
        assert_same(engine::run(program, machine, {.noise = noise, .seed = {5}}),
                    engine::run(program, machine, {.threads = 3, .noise = noise, .seed = {5}}));
    });
}

TEST_CASE("starting later shifts every time and nothing else") {
    holds({400, 16}, [] {
        Case each = *any_case();
        const record::Record early = engine::run(program_of(each), machine_of(each), {});
        each.code.lead = *rc::gen::inRange(1, 3000);
        record::Record late = engine::run(program_of(each), machine_of(each), {});
        for (std::size_t rank = 0; rank < late.rank_finish.size(); ++rank) {
            RC_ASSERT(static_cast<std::int64_t>(late.rank_finish[rank].ps) ==
                      static_cast<std::int64_t>(early.rank_finish[rank].ps) + each.code.lead);
        }
    });
}

// Messages that leave while their ranks compute: the result depends on the inputs alone, as that of blocking ones.

namespace {

/// Makes some rows of every other machine make progress in calls, and gives some senders that wait for their bytes.
machine::Machine with_any_progress(machine::Machine machine) {
    if (!*rc::gen::arbitrary<bool>()) return machine;
    using enum machine::SenderGoesOn;
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) {
            row.progress =
                *rc::gen::element(machine::MessageProgress::asynchronous, machine::MessageProgress::in_calls);
            row.sender_goes_on = *rc::gen::element(acknowledged, sent, received);
        }
    }
    return machine;
}

}  // namespace

TEST_CASE("skipping ahead beside nonblocking sends changes nothing, on one thread or three") {
    bool some_skipped = false;
    holds({600, 62}, [&some_skipped] {
        Case each = *any_case();
        for (Phase& phase : each.code.phases) phase.iterations += 10;
        const program::Program program = with_sends_begun(program_of(each));
        const machine::Machine machine = with_any_progress(machine_of(each));
        const record::Record full = engine::run(program, machine, {.replay = engine::Replay::full});
        const record::Record skipping = engine::run(program, machine, {.replay = engine::Replay::auto_, .threads = 3});
        some_skipped = some_skipped || skipped(skipping);
        assert_same(skipping, full);
    });
    CHECK(some_skipped);
}

TEST_CASE("the critical path through nonblocking sends adds up to the time") {
    holds({400, 64}, [] {
        const Case each = *any_case();
        if (program::has_choices(program_of(each))) return;
        const record::Record record =
            engine::run(with_sends_begun(program_of(each)), with_any_progress(machine_of(each)), {.path = true});
        assert_adds_up(record);
    });
}
