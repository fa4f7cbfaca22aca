// Lower bounds of the computing of ranks from one collective to the next, and the known facts about a collective that
// ranks leave.
#include "simulator/engine/stepping/collective_intervals.hpp"

#include "simulator/engine/engine.hpp"
#include "tests/benchmarks/xt4.hpp"
#include "tests/engine/parts.hpp"
#include "tests/engine/shared.hpp"

using engine::CollectiveIntervals;
using engine::CollectivesLeft;
using engine::InstructionId;

namespace {

engine::Layout laid_out(const program::Program& program) {
    return engine::lay_out(program, crowded_torus(program.grid, {1, 1})).layout;
}

engine::Layout of_one_class(const program::RankClass& rank_class) {
    return laid_out(spmd({2, 1}, 1, [&](Rank) { return rank_class; }));
}

}  // namespace

TEST_CASE("the time before the first collective is that of blocks, of delays and of all iterations of loops") {
    // 5 us + 3 * (2 us + 4 * 1 us) = 23 us
    const auto code =
        ClassBuilder().work(5 * us).loop(3).delay(2 * us).loop(4).work(us).end().end().allreduce(8).build();
    const engine::Layout layout = of_one_class(code);
    CHECK(CollectiveIntervals(layout, nullptr).before_first() == Time{23 * us});
}

TEST_CASE(
    "the time after a collective ends at the next, which follows in the same loop iteration, in the next or behind the "
    "loop") {
    const auto code = ClassBuilder()
                          .loop(10)
                          .allreduce(8)  // 1
                          .work(7 * us)
                          .allreduce(8)  // 3: to 1 in the next iteration 2 us, to 7 after the loop 2 us + 1 us
                          .work(2 * us)
                          .end()
                          .work(us)
                          .allreduce(8)  // 7
                          .build();
    const engine::Layout layout = of_one_class(code);
    const CollectiveIntervals intervals(layout, nullptr);
    CHECK(intervals.before_first() == Time{0});
    CHECK(intervals.after({1}) == Time{7 * us});
    CHECK(intervals.after({3}) == Time{2 * us});
    CHECK(intervals.after({7}) == kHorizon);
}

TEST_CASE("the time before the first collective is that of the class with the least work") {
    const engine::Layout layout = laid_out(spmd({2, 1}, 1, [](Rank rank) {
        return ClassBuilder().work(rank.index == 0 ? 9 * us : 4 * us).allreduce(8).build();
    }));
    CHECK(CollectiveIntervals(layout, nullptr).before_first() == Time{4 * us});
}

TEST_CASE("if blocks vary, the time between collectives is no longer than any drawn time") {
    const auto code = ClassBuilder().allreduce(8).work(1000 * us).allreduce(8).build();
    const engine::Layout layout = of_one_class(code);
    const variation::ComputeTime takes({.cv = 0.2}, {1}, 2);
    // s = sqrt(ln 1.04) = 0.198; exp(-9.2 * 0.198 - 0.0196) = 0.1586
    const Time after = CollectiveIntervals(layout, &takes).after({0});
    CHECK(after > Time{158 * us});
    CHECK(after < Time{159 * us});
}

TEST_CASE("a collective is over when its last rank has left; the next is not entered before the soonest rank's work") {
    CollectivesLeft left;
    left.soonest_next = 3 * us;
    CHECK(left.is_over_at(0, 2));
    left.leave(10 * us, {50 * us}, 2);
    CHECK_FALSE(left.is_over_at(100 * us, 2));
    left.leave(12 * us, {40 * us}, 2);
    CHECK_FALSE(left.is_over_at(12 * us, 2));
    CHECK(left.is_over_at(12 * us + 1, 2));
    CHECK(left.soonest_next == 52 * us);
    left.leave(70 * us, {us}, 2);  // the next one
    CHECK(left.soonest_next == 71 * us);
}

TEST_CASE("the remaining iterations of the ranks of two partitions add up") {
    CollectivesLeft here;
    CollectivesLeft there;
    here.leave(10 * us, {50 * us}, 1);
    there.leave(12 * us, {40 * us}, 1);
    here.add(there);
    CHECK(here.ranks == 2);
    CHECK(here.last == 12 * us);
    CHECK(here.soonest_next == 52 * us);
}

TEST_CASE("when iterations are skipped, a collective may be entered at any time") {
    CollectivesLeft left;
    left.leave(10 * us, {50 * us}, 1);
    left.forget_next();
    CHECK(left.soonest_next < 0);
}

TEST_CASE("a message departs without an event of its own as long as no rank can have entered a collective") {
    // Rank 1 sends 50 messages to another node, each after 100 us of work and 3.85 us of overhead. It computes 5000 us
    // before the collective, so 48 messages leave before a rank that works as long can enter it: 48 * 103.85 us is
    // 4984.8 us. If ranks enter at time 0, each message needs an event to depart.
    const auto events = [](bool enter_at_once) {
        const auto program = spmd({6, 1}, 1, [&](Rank rank) {
            ClassBuilder builder;
            if (rank.index == 1) builder.loop(50).work(100 * us).send(1, 1536).end();
            if (rank.index == 2) builder.loop(50).work(100 * us).recv(-1).end();
            if (rank.index != 1 && rank.index != 2 && !enter_at_once) builder.work(5000 * us);
            return builder.allreduce(8).iteration().build();
        });
        return *engine::run(program, xt4_as_shipped(program.grid), {.replay = engine::Replay::full}).work->events;
    };
    CHECK(events(true) >= events(false) + 48);
}
