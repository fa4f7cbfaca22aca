// Random lists on random machines: every task is done once, every core's time is accounted for, nothing ends before the
// work allows, and the division of a list into chunks affects only the time.
#include "simulator/program/task_order.hpp"
#include "simulator/tasks/intervals.hpp"
#include "simulator/tasks/run.hpp"
#include "tests/tasks/machines.hpp"
#include "tests/tasks/plain_run.hpp"

using Rule = program::Take::Rule;

namespace {

struct Drawn {
    program::Program program;
    machine::Machine machine;
    tasks::Options options;
    std::int64_t bricks = 0;  // tasks on nodes that exist
};

/// Draws steps of bricks with the previous steps of their neighbours as conditions, and passes of pencils within; in
/// some cases half of the bricks of odd steps are left out.
Drawn drawn(std::uint64_t trial) {
    Draw draw(trial);
    Drawn all;
    const auto nodes = static_cast<std::uint32_t>(draw.from(1, 4));
    const auto per_node = static_cast<std::uint32_t>(draw.from(1, 4));
    all.machine = cluster(nodes, per_node, draw.one_of(2));
    if (draw.one_of(3)) all.machine.cluster_memory.buffers = static_cast<std::uint32_t>(draw.from(2, 3));
    if (draw.one_of(3)) all.machine.cluster_memory.latency = draw.from(1, 500'000) * us;
    if (draw.one_of(3)) all.machine.task_manager = {draw.from(0, 100'000) * us, draw.from(0, 100'000) * us};
    Lists lists(nodes * per_node);
    const std::int64_t steps = draw.from(1, 4);
    const std::int64_t bricks = draw.from(1, 9);
    program::TaskList& outer = lists.list(true, {Lists::index(1, steps)});
    outer.ahead = draw.from(0, 1);
    outer.window = draw.from(1, 3);
    program::TaskList& inner = lists.list(false, {Lists::index(1, draw.from(1, 3))});
    inner.take = {static_cast<Rule>(draw.from(0, 4)), draw.from(1, 5)};
    inner.ahead = draw.from(0, 1);
    lists.record(draw.from(0, 2'000'000), {Lists::index(1, bricks)});
    const bool left_out = draw.one_of(2);
    const auto exists =
        lists.formula([](Indices indices) { return indices[0] % 2 == 1 && indices[1] % 2 == 0 ? 0 : 1; });
    program::Task& brick = lists.task(0, "brick", {Lists::index(1, bricks)});
    if (left_out) brick.exists = exists;
    brick.after.push_back({0, {lists.before(), lists.near(1)}, 0});
    brick.steps = {Lists::read(0, {lists.own(1)}), Lists::inner(1), Lists::write(0, {lists.own(1)})};
    brick.prefetched = brick.written_behind = 1;
    const auto cost =
        lists.formula([](Indices indices) { return (1 + (indices[1] * 7 + indices[3] * 3) % 5) * s.ps / 4; });
    program::Task& pencil = lists.task(1, "pencil", {Lists::index(1, draw.from(0, 12))});
    if (draw.one_of(2)) pencil.after.push_back({1, {lists.before(2)}, 0});
    if (draw.one_of(3)) pencil.exists = lists.formula([](Indices indices) { return indices[3] % 3 == 1 ? 1 : 0; });
    pencil.steps = {Lists::compute(cost)};
    all.program = lists.program();
    for (std::int64_t step = 1; step <= steps; ++step) {
        for (std::int64_t each = 1; each <= bricks; ++each) {
            if (!left_out || step % 2 == 0 || each % 2 == 1) ++all.bricks;
        }
    }
    if (draw.one_of(2)) {
        variation::Availability& availability = all.options.availability;
        availability.by_turn = draw.one_of(2);
        availability.drawn = variation::DrawnCores{0, per_node, draw.from(1, 4) * s};
        if (draw.one_of(2)) {
            const Node node{static_cast<std::uint32_t>(draw.from(0, nodes - 1))};
            availability.lost.push_back({draw.from(0, 20'000'000) * us, node, draw.from(1, 5) * s});
        }
    }
    all.options.seed = {trial};
    return all;
}

/// Checks that the intervals follow each other to the end, and contain all time of all cores.
void check_intervals(const record::Intervals<record::CoreTime>& over_time, const record::CoreTime& cores,
                     WideTime finish, std::int64_t count) {
    CHECK(over_time.sums.size() <= tasks::Intervals<record::CoreTime>::kMostIntervals);
    record::CoreTime all;
    WideTime begin;
    for (const record::CoreTime& each : over_time.sums) {
        const WideTime end = std::min(begin + over_time.width, finish);
        CHECK(each.total() == WideTime{(end - begin).ps * count});
        all = all + each;
        begin = end;
    }
    CHECK(begin == finish);
    CHECK(all == cores);
}

}  // namespace

TEST_CASE("random lists: every task once, every second accounted for") {
    std::int64_t pencils = 0;
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
        CAPTURE(trial);
        const Drawn all = drawn(trial);
        const record::Record record = tasks::run(all.program, all.machine, all.options);
        CHECK_FALSE(program::endless_wait(*all.program.tasks));  // it has ended
        const record::TaskUse& use = record.tasks.value();
        CHECK(use.tasks[0].second == all.bricks);
        CHECK(use.updates == all.bricks);
        pencils += use.tasks[1].second;
        const auto cores = static_cast<std::int64_t>(all.program.grid.ranks());
        CHECK(use.cores.total() == WideTime{cores * record.finish.ps});
        CHECK(use.cores.compute.ps <= cores * record.finish.ps);
        WideTime of_ranks;
        for (const record::Breakdown& each : record.rank_breakdown) {
            CHECK(each.total() == record.finish);
            of_ranks += each.compute;
        }
        CHECK(of_ranks == use.cores.compute);
        tasks::Options with_path = all.options;
        with_path.path = true;
        const record::Record again = tasks::run(all.program, all.machine, with_path);
        CHECK(again.finish == record.finish);
        CHECK(again.tasks->path.value().total() == record.finish);
        check_intervals(use.over_time, use.cores, record.finish, cores);
    }
    CHECK(pencils > 100'000);
}

// The ends of transfers that share channels are rounded from sums in another order, so in a few cases they differ by a
// picosecond or two.
TEST_CASE("random lists with all workers there end as in a plain simulation, with servers and fixed shares as well") {
    int equal = 0;
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
        CAPTURE(trial);
        Drawn all = drawn(trial);
        Draw draw(trial, 1);
        machine::ClusterMemory& memory = all.machine.cluster_memory;
        if (draw.one_of(2)) {
            memory.servers = static_cast<std::uint32_t>(draw.from(1, 3));
            memory.server = {Bandwidth{1.5e6}, Bandwidth{2.5e6}, draw.one_of(2)};
            if (memory.server.shared && draw.one_of(2)) memory.server.write.reset();
            if (draw.one_of(2)) memory.node = {};
        }
        program::TaskLists lists = *all.program.tasks;
        if (draw.one_of(3)) lists.lists[0].window = 1;
        if (lists.lists[0].window == 1) lists.lists[0].take = {static_cast<Rule>(draw.from(0, 4)), draw.from(1, 5)};
        all.program.tasks = std::make_shared<const program::TaskLists>(std::move(lists));
        const record::Record record = tasks::run(all.program, all.machine, {});
        const record::TaskUse& use = record.tasks.value();
        const PlainRun plain = plain_run(all.program, all.machine);
        CHECK(record.finish <= WideTime{plain.finish + 5});
        CHECK(record.finish >= WideTime{plain.finish - 5});
        CHECK(use.tasks == plain.use.tasks);
        CHECK(use.updates == plain.use.updates);
        CHECK(use.read == plain.use.read);
        CHECK(use.written == plain.use.written);
        CHECK(use.prefetched == plain.use.prefetched);
        for (std::size_t rank = 0; rank < plain.compute.size(); ++rank) {
            CHECK(record.rank_breakdown[rank].compute == WideTime{plain.compute[rank]});
        }
        if (record.finish != WideTime{plain.finish}) continue;
        ++equal;
        CHECK(use.least_margin == plain.use.least_margin);
        CHECK(use.margins == plain.use.margins);
    }
    CHECK(equal > 990);
}
