// The critical path of any run: its parts add up to the time, and skipping changes none of them.
#include "tests/properties/property.hpp"

using record::PathParts;

namespace {

record::Record with_path(const Case& each, engine::Replay replay) {
    return engine::run(program_of(each), machine_of(each), {.replay = replay, .path = true});
}

void assert_same_path(const record::PathParts& a, const record::PathParts& b) {
    for (const record::PathPart& part : record::kPathParts) RC_ASSERT((a.*part.time).ps == (b.*part.time).ps);
}

}  // namespace

TEST_CASE("the parts of the critical path add up to the time") {
    holds({600, 31}, [] {
        const Case each = *any_case();
        if (program::has_choices(program_of(each))) return;
        const record::Record record = with_path(each, engine::Replay::full);
        assert_same(record, engine::run(program_of(each), machine_of(each), {.replay = engine::Replay::full}));
        assert_adds_up(record);
    });
}

TEST_CASE("skipping changes no part of the critical path, nor the fill") {
    bool some_skipped = false;
    holds({600, 32}, [&some_skipped] {
        Case each = *any_case();
        for (Phase& phase : each.code.phases) phase.iterations += 20;
        if (program::has_choices(program_of(each))) return;
        const record::Record full = with_path(each, engine::Replay::full);
        const record::Record skipping = with_path(each, engine::Replay::auto_);
        some_skipped = some_skipped || skipped(skipping);
        assert_same_path(*full.path, *skipping.path);
        RC_ASSERT(full.fill == skipping.fill);
        RC_ASSERT(full.saturated == skipping.saturated);
    });
    CHECK(some_skipped);
}

/// Without shared resources a time is the longest of many sums of costs, for any costs. So if one kind of cost is
/// doubled, the time grows at least by that kind's part of the path. If it is left out, the time falls by at most that
/// part: the same path still exists.
TEST_CASE("if nothing is shared, each part is a bound on the effect of a change of its costs") {
    holds({400, 33}, [] {
        const Case each = *any_case();
        const auto part = *rc::gen::element(&PathParts::compute, &PathParts::overhead, &PathParts::latency,
                                            &PathParts::bandwidth, &PathParts::packets);
        const program::Program program = program_of(each);
        machine::Machine machine = machine_of(each);
        machine.bus.reset();
        machine.processing.reset();
        machine.nic.reset();
        machine.nic_wires = {};  // a wire that limits messages takes back the time of copies
        machine.links.reset();
        machine.memory.reset();
        machine.routes = {};
        const auto scaled = [&](std::int64_t factor) {
            const auto of = [&](auto cost) { return part == cost ? factor : 1; };
            program::Program work = program;
            machine::Machine costs = machine;
            for (program::RankClass& rank_class : work.classes) {
                for (program::Instruction& step : rank_class.code) {
                    if (step.op == program::Op::compute) step.amount *= of(&PathParts::compute);
                }
            }
            for (machine::Profile& profile : costs.profiles) {
                for (machine::ProfileRow& row : profile) {
                    row.holds_bus = row.holds_nic = row.holds_links = false;
                    // unexpected messages make waiting cheaper than being late
                    if (row.eager) row.eager = machine::EagerSends{.limit = row.eager->limit};
                    for (Time* const time : {&row.o_send, &row.o_recv}) time->ps *= of(&PathParts::overhead);
                    for (Gap* const gap : {&row.G_send, &row.G_recv}) {
                        gap->seconds_per_byte *= static_cast<double>(of(&PathParts::overhead));
                    }
                    for (Time* const time : {&row.L, &row.o_request, &row.o_ack}) {
                        time->ps *= of(&PathParts::latency);
                    }
                    row.G.seconds_per_byte *= static_cast<double>(of(&PathParts::bandwidth));
                    for (Time* const time : {&row.packet.overhead, &row.packet.full}) {
                        time->ps *= of(&PathParts::packets);
                    }
                }
            }
            return engine::run(work, costs, {.replay = engine::Replay::full, .path = true});
        };
        if (program::has_choices(program)) return;
        const record::Record once = scaled(1);
        const Wide of_part = (*once.path.*part).ps;
        RC_ASSERT(scaled(2).finish.ps >= once.finish.ps + of_part);
        RC_ASSERT(scaled(0).finish.ps >= once.finish.ps - of_part);
    });
}
