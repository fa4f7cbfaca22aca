// Task lists whose shares are fixed: the event engine and SimGrid have the same times and the same breakdowns.
//
// Not pinned here: lists that idle workers take (tests/tasks).
#include <algorithm>
#include <cstdlib>

#include <doctest/doctest.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/reference/run_tasks.hpp"
#include "simulator/tasks/run.hpp"
#include "tests/faults.hpp"
#include "tests/tasks/lists.hpp"
#include "tests/tasks/machines.hpp"

using namespace warpfront;
using namespace warpfront::test;
using input::DiagnosticKind;
using Rule = program::Take::Rule;

namespace {

constexpr program::Take kFixed{Rule::fixed, 1};

record::Record tasks_on_simgrid(const program::Program& program, const machine::Machine& machine,
                                const variation::Noise& noise = {}, Seed seed = {}) {
    return reference::run_tasks(program, machine, {}, noise, seed);
}

struct TaskCase {
    program::Program program;
    machine::Machine machine;
};

/// The features that random cases may have.
struct Allowed {
    bool sharing = false;  // of channels by several nodes, or by reads and writes
    bool manager = false;  // that takes time
    bool conditions = false;
    bool disks = false;  // servers are disks: nodes limit nothing
};

/// Draws steps of bricks with the previous steps of their neighbours as conditions, and passes of pencils within.
TaskCase drawn_tasks(std::uint64_t trial, const Allowed& allowed) {
    Draw draw(trial, 1);
    const auto nodes = static_cast<std::uint32_t>(draw.from(1, 4));
    const auto per_node = static_cast<std::uint32_t>(draw.from(1, 4));
    TaskCase all;
    all.machine = cluster(nodes, per_node, allowed.sharing && draw.one_of(2));
    machine::ClusterMemory& memory = all.machine.cluster_memory;
    if (allowed.sharing) {
        memory.servers = static_cast<std::uint32_t>(draw.from(1, 3));
        if (draw.one_of(2)) memory.server = {Bandwidth{1.5e6}, Bandwidth{2.5e6}, draw.one_of(2)};
        if (memory.server.shared && draw.one_of(2)) memory.server.write.reset();
    }
    if (allowed.disks) {
        memory.node = {};
        if (!memory.server.read) memory.server = {Bandwidth{1.5e6}, Bandwidth{2.5e6}, trial % 2 == 0};
    }
    if (draw.one_of(3)) memory.buffers = static_cast<std::uint32_t>(draw.from(1, 3));
    if (draw.one_of(3)) memory.latency = draw.from(1, 500'000) * us;
    if (allowed.manager) all.machine.task_manager = {draw.from(0, 100'000) * us, draw.from(0, 100'000) * us};
    Lists lists(nodes * per_node);
    const std::int64_t steps = draw.from(1, 3);
    const std::int64_t bricks = draw.from(1, 9);
    program::TaskList& outer = lists.list(true, {Lists::index(1, steps)});
    outer.ahead = draw.from(0, 2);
    outer.take = kFixed;
    if (nodes == 1 && draw.one_of(2)) outer.take = {static_cast<Rule>(draw.from(0, 3)), draw.from(1, 5)};
    lists.outermost(0);
    program::TaskList& inner = lists.list(false, {Lists::index(1, draw.from(1, 3))});
    inner.ahead = draw.from(0, 1);
    inner.take = kFixed;
    if (per_node == 1 && draw.one_of(2)) inner.take = {static_cast<Rule>(draw.from(0, 3)), draw.from(1, 5)};
    lists.record(draw.from(0, 2'000'000), {Lists::index(1, bricks)});
    const auto exists = lists.formula([](Indices indices) { return indices[1] % 3 == 2 ? 0 : 1; });
    program::Task& brick = lists.task(0, "brick", {Lists::index(1, bricks)});
    if (draw.one_of(2)) brick.exists = exists;
    if (allowed.conditions) brick.after.push_back({0, {lists.before(), lists.near(1)}, 0});
    const bool reads_more = allowed.sharing && draw.one_of(2);
    brick.steps = {Lists::read(0, {reads_more ? lists.near(1) : lists.own(1)})};
    brick.prefetched = 1;
    if (draw.one_of(3)) brick.steps.push_back(Lists::compute(draw.from(0, 1'000'000) * us));
    brick.steps.push_back(Lists::inner(1));
    if (allowed.sharing && draw.one_of(3)) brick.steps.push_back(Lists::read(0, {lists.own(1)}));
    if (allowed.sharing && draw.one_of(3)) brick.steps.push_back(Lists::inner(1));
    brick.steps.push_back(Lists::write(0, {lists.own(1)}));
    brick.written_behind = 1;
    const auto cost =
        lists.formula([](Indices indices) { return (1 + (indices[1] * 7 + indices[3] * 3) % 5) * s.ps / 4; });
    program::Task& pencil = lists.task(1, "pencil", {Lists::index(1, draw.from(1, 12))});
    if (allowed.conditions && draw.one_of(2)) pencil.after.push_back({1, {lists.before(2)}, 0});
    pencil.steps = {Lists::compute(cost)};
    all.program = lists.program();
    return all;
}

void check_equal(const record::Record& ours, const record::Record& theirs) {
    CHECK(ours.finish == theirs.finish);
    const record::TaskUse& a = ours.tasks.value();
    const record::TaskUse& b = theirs.tasks.value();
    for (const record::CoreTimePart& part : record::kCoreTimeParts) {
        CAPTURE(part.name);
        CHECK(a.cores.*part.time == b.cores.*part.time);
    }
    CHECK(a.tasks == b.tasks);
    CHECK(a.updates == b.updates);
    CHECK(a.read == b.read);
    CHECK(a.written == b.written);
    CHECK(a.least_margin == b.least_margin);
    CHECK(a.margins == b.margins);
    CHECK(a.prefetched == b.prefetched);
    CHECK(a.server_load == b.server_load);
    CHECK(a.node_load == b.node_load);
    for (std::size_t rank = 0; rank < ours.rank_breakdown.size(); ++rank) {
        CHECK(ours.rank_breakdown[rank].compute == theirs.rank_breakdown[rank].compute);
    }
}

}  // namespace

TEST_CASE("on random machines whose nodes share no channel all is equal to the picosecond") {
    for (const Allowed& allowed :
         {Allowed{false, false, true}, Allowed{false, true, true}, Allowed{false, true, false}}) {
        for (std::uint64_t trial = 0; trial < 200; ++trial) {
            CAPTURE(allowed.manager);
            CAPTURE(trial);
            const TaskCase each = drawn_tasks(trial, allowed);
            check_equal(tasks::run(each.program, each.machine, {}), tasks_on_simgrid(each.program, each.machine));
        }
    }
}

// The event engine ends a transfer at the nearest picosecond, SimGrid between two. That moves the ends of flows that
// share a channel with it. The chains of these cases are short; for long ones see below. Those of disks differ by up to
// 18 ps, and by as much over links of the same rates.
TEST_CASE("if channels or disks are shared, times are equal up to a few picoseconds, most of them identical") {
    for (const bool disks : {false, true}) {
        CAPTURE(disks);
        int equal = 0;
        constexpr int kTrials = 300;
        for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
            CAPTURE(trial);
            const TaskCase each = drawn_tasks(trial, {true, trial % 2 == 0, trial % 3 != 0, disks});
            const record::Record ours = tasks::run(each.program, each.machine, {});
            const record::Record theirs = tasks_on_simgrid(each.program, each.machine);
            const auto difference = static_cast<std::int64_t>(ours.finish.ps - theirs.finish.ps);
            CHECK(std::abs(difference) <= (disks ? 20 : 5));
            if (difference == 0) ++equal;
            CHECK(ours.tasks->tasks == theirs.tasks->tasks);
            CHECK(ours.tasks->read == theirs.tasks->read);
            CHECK(theirs.tasks->cores.total() == WideTime{theirs.finish.ps * each.program.grid.ranks()});
        }
        CHECK(equal >= kTrials * (disks ? 18 : 19) / 20);
    }
}

TEST_CASE("five tasks on two nodes of two cores with fixed shares, by hand") {
    // A task is read in 1 s, has small tasks of 1, 2, 3 and 4 s, and is written in 1 s. Its cores have 1 + 2 and 3 + 4
    // of them, so 7 s. Node 0 has tasks 1 and 2, node 1 tasks 3, 4 and 5: 1 + 3 * 7 + 1.
    const record::Record theirs = tasks_on_simgrid(five_bricks(kFixed), cluster(2, 2));
    CHECK(theirs.finish == WideTime(23 * s));
    const record::TaskUse& use = theirs.tasks.value();
    CHECK(use.cores.compute == WideTime(5 * 10 * s));
    CHECK(use.cores.data == WideTime(4 * 1 * s));
    // In each task the core with 1 + 2 waits for 4; node 1 until the last is written, node 0 from 15 on.
    CHECK(use.cores.no_task == WideTime((5 * 4 + 2 * 1 + 2 * 8) * s));
    CHECK(use.cores.total() == WideTime(4 * 23 * s));
    CHECK(use.tasks == std::vector<std::pair<std::string, std::int64_t>>{{"brick", 5}, {"pencil", 20}});
    check_equal(tasks::run(five_bricks(kFixed), cluster(2, 2), {}), theirs);
}

TEST_CASE("bricks of PPM with fixed shares: transfers are hidden, but for the first brick behind a neighbour's") {
    // Two nodes of four cores have four bricks each; a brick takes 6 passes of 16 pencils of 0.625 s, so 15 s, and is
    // read in 3.5 s and written in 3.5 s meanwhile. Node 1 cannot read brick 5 for its second step before node 0 has
    // written brick 4, at 3.5 + 4 * 15 + 3.5; so it begins at 70.5 in place of 63.5, and ends 4 * 15 + 3.5 later.
    Lists lists(8);
    program::TaskList& steps = lists.list(true, {Lists::index(1, 2)});
    steps.ahead = 1;
    steps.take = kFixed;
    lists.outermost(0);
    lists.list(false, {Lists::index(1, 6)}).take = kFixed;
    lists.record(3'500'000, {Lists::index(1, 8)});
    program::Task& brick = lists.task(0, "brick", {Lists::index(1, 8)});
    brick.after.push_back({0, {lists.before(), lists.near(1)}, 0});
    brick.steps = {Lists::read(0, {lists.own(1)}), Lists::inner(1), Lists::write(0, {lists.own(1)})};
    brick.prefetched = brick.written_behind = 1;
    program::Task& pencil = lists.task(1, "pencil", {Lists::index(1, 16)});
    pencil.after.push_back({1, {lists.before(2)}, 0});
    pencil.steps = {Lists::compute(625 * 1000 * us)};
    const record::Record theirs = tasks_on_simgrid(lists.program(), cluster(2, 4));
    CHECK(theirs.finish == WideTime(134 * s));
    check_equal(tasks::run(lists.program(), cluster(2, 4), {}), theirs);
}

TEST_CASE("varying blocks, and cores of different speeds or with OS noise, compute for the same time on both") {
    variation::Noise noise;
    noise.cv = 0.3;
    noise.jitter = Time{us};
    noise.map = {{Rank{0}, {}, 1.25}};
    noise.classes = {{0.5, 1.0}, {0.5, 0.75}};
    noise.detours = variation::Detours{Time{10 * us}, Time{us}};
    for (std::uint64_t trial = 0; trial < 100; ++trial) {
        CAPTURE(trial);
        const TaskCase each = drawn_tasks(trial, {false, false, true});
        tasks::Options options;
        options.noise = noise;
        options.seed = {trial};
        check_equal(tasks::run(each.program, each.machine, options),
                    tasks_on_simgrid(each.program, each.machine, noise, {trial}));
    }
}

TEST_CASE("servers are shared by all nodes, and reached after a latency") {
    // Two nodes read 4 MB each from one server of 2 MB/s, or from two, after 1 s.
    machine::Machine machine = served(2, {Bandwidth{2e6}, Bandwidth{2e6}, false});
    machine.cluster_memory.latency = 1 * s;
    CHECK(tasks_on_simgrid(two_readers(kFixed), machine).finish == WideTime(5 * s));
    machine.cluster_memory.servers = 2;
    CHECK(tasks_on_simgrid(two_readers(kFixed), machine).finish == WideTime(3 * s));
    machine.cluster_memory.server = {};
    CHECK(tasks_on_simgrid(two_readers(kFixed), machine).finish == WideTime(1 * s));
}

TEST_CASE("a disk that is shared moves as much as the faster of its directions, by SimGrid's own rule") {
    for (const auto& [reading, writing] : {std::pair{1, 1}, std::pair{1, 2}, std::pair{2, 1}}) {
        CAPTURE(reading);
        CAPTURE(writing);
        const program::Program program = readers_and_writers(reading, writing, kFixed);
        const machine::Machine machine =
            served(static_cast<std::uint32_t>(reading + writing), {Bandwidth{100e6}, Bandwidth{40e6}, true});
        check_equal(tasks::run(program, machine, {}), tasks_on_simgrid(program, machine));
    }
}

TEST_CASE("behind a task that takes no time nothing is fetched ahead") {
    // The first task's list has a task without work. So the reader, taken at the same moment, is waited for.
    Lists lists(1);
    program::TaskList& list = lists.list(true);
    list.ahead = 1;
    list.take = kFixed;
    lists.outermost(0);
    lists.list(false).take = kFixed;
    lists.record(1'000'000);
    lists.task(0, "first", {Lists::index(1, 2)}).steps = {Lists::inner(1)};
    program::Task& reader = lists.task(0, "reader");
    reader.steps = {Lists::read(0), Lists::compute(s)};
    reader.prefetched = 1;
    lists.task(1, "nothing");
    const record::Record ours = tasks::run(lists.program(), cluster(1, 1), {});
    CHECK(ours.finish == WideTime(2 * s));
    CHECK(ours.tasks->prefetched == 0);
    check_equal(ours, tasks_on_simgrid(lists.program(), cluster(1, 1)));
}

TEST_CASE("a task that is taken when another begins is fetched ahead of its end") {
    // The second task of 2 s waits for the first; as it begins, at 2 s, the reader is taken, whose record is there at
    // 3 s. It begins at 4 s.
    machine::Machine machine = cluster(1, 1);
    Lists lists(1);
    program::TaskList& list = lists.list(false);
    list.ahead = 1;
    list.take = kFixed;
    lists.outermost(0);
    lists.record(1'000'000);
    program::Task& chain = lists.task(0, "chain", {Lists::index(1, 2)});
    chain.after.push_back({0, {lists.before()}, 0});
    chain.steps = {Lists::compute(2 * s)};
    program::Task& reader = lists.task(0, "reader");
    reader.steps = {Lists::read(0), Lists::compute(s)};
    reader.prefetched = 1;
    const record::Record theirs = tasks_on_simgrid(lists.program(), machine);
    CHECK(theirs.finish == WideTime(5 * s));
    CHECK(theirs.tasks->prefetched == 1);
    CHECK(theirs.tasks->least_margin == Time{s});
    check_equal(tasks::run(lists.program(), machine, {}), theirs);
}

TEST_CASE("transfers that nobody shares end at the nearest picosecond, on SimGrid only if the next has a latency") {
    // 1 MB at 3 MB/s take a third of a second, so a third of a picosecond more than whole ones.
    Lists lists(1);
    lists.list(false).take = kFixed;
    lists.outermost(0);
    lists.record(1'000'000);
    program::Task& task = lists.task(0, "reader", {Lists::index(1, 100)});
    task.steps = {Lists::read(0)};
    task.prefetched = 1;
    machine::Machine machine = cluster(1, 1);
    machine.cluster_memory.node.read = Bandwidth{3e6};
    constexpr Time kThird{333'333'333'333};
    CHECK(tasks::run(lists.program(), machine, {}).finish == WideTime(100 * kThird));
    const auto finish = static_cast<std::int64_t>(tasks_on_simgrid(lists.program(), machine).finish.ps);
    const Time late{finish - 100 * kThird.ps};
    CHECK(late.ps > 0);
    CHECK(late.ps <= 50);
    machine.cluster_memory.latency = Time{1};
    const record::Record theirs = tasks_on_simgrid(lists.program(), machine);
    CHECK(theirs.finish == WideTime(100 * (kThird + Time{1})));
    check_equal(tasks::run(lists.program(), machine, {}), theirs);
}

// Reads and writes of 15 nodes over three servers. A transfer that begins or ends a picosecond later changes the rates
// of others a picosecond later, and so their ends. Transfers that begin then pass the delay on, and it doubles every
// few transfers.
TEST_CASE("along chains of transfers that share channels a picosecond grows, in the event engine alone as much") {
    Lists lists(15);
    program::TaskList& list = lists.list(true, {Lists::index(1, 3)});
    list.take = kFixed;
    lists.outermost(0);
    lists.record(1'000'000, {Lists::index(1, 6)});
    program::Task& task = lists.task(0, "link", {Lists::index(1, 26)});
    task.after.push_back({0, {lists.own(), lists.before(1)}, 0});
    task.steps = {Lists::read(0, {Lists::one(Lists::known(6))}), Lists::write(0, {Lists::one(Lists::known(4))})};
    task.prefetched = task.written_behind = 1;
    machine::Machine machine = cluster(15, 1);
    machine.cluster_memory.node = {Bandwidth{50e6}, Bandwidth{270e6}, false};
    machine.cluster_memory.server = {Bandwidth{50e6}, Bandwidth{50e6}, false};
    machine.cluster_memory.servers = 3;
    machine.task_manager.service = Time{200'003'000};
    const auto finish = [&](std::int64_t latency, bool on_simgrid) {
        machine.cluster_memory.latency = Time{latency};
        const program::Program program = lists.program();
        const record::Record record =
            on_simgrid ? tasks_on_simgrid(program, machine) : tasks::run(program, machine, {});
        return static_cast<std::int64_t>(record.finish.ps);
    };
    constexpr std::int64_t kMicrosecond = us.ps;
    const std::int64_t ours = finish(0, false);
    CHECK(std::abs(ours - 1'895'840 * kMicrosecond) < 150 * kMicrosecond);
    for (const bool on_simgrid : {false, true}) {
        CAPTURE(on_simgrid);
        const std::int64_t moved = std::abs(finish(1, on_simgrid) - ours);
        CHECK(moved > kMicrosecond);
        CHECK(moved < 150 * kMicrosecond);
    }
    const std::int64_t apart = std::abs(finish(0, true) - ours);
    CHECK(apart > kMicrosecond);
    CHECK(apart < 150 * kMicrosecond);
}

TEST_CASE("nothing waits for a place without a task, whichever worker has the place in its share") {
    // The first of two cores has tasks 1 and 2, of 1 s each; the second has task 3, of 5 s, and would have 4, for which
    // task 2 waits.
    Lists lists(2);
    lists.list(false).take = kFixed;
    lists.outermost(0);
    const auto exists = lists.formula([](Indices indices) { return indices[0] == 4 ? 0 : 1; });
    const auto waits_for = lists.formula([](Indices indices) { return indices[0] == 2 ? 4 : 0; });
    const auto cost = lists.formula([](Indices indices) { return (indices[0] == 3 ? 5 : 1) * s.ps; });
    program::Task& task = lists.task(0, "body", {Lists::index(1, 4)});
    task.exists = exists;
    task.after.push_back({0, {Lists::one(waits_for)}, 0});
    task.steps = {Lists::compute(cost)};
    const record::Record record = tasks_on_simgrid(lists.program(), cluster(1, 2));
    CHECK(record.finish == WideTime(5 * s));
    CHECK(record.tasks->cores.conditions == WideTime{});
    check_equal(tasks::run(lists.program(), cluster(1, 2), {}), record);
}

TEST_CASE("lists that idle workers take are refused, and features that SimGrid's tasks lack") {
    const auto refused = [](const program::TaskList& shape, const variation::Availability& availability = {},
                            std::int64_t tasks = 4) {
        Lists lists(2);
        program::TaskList& list = lists.list(false);
        list.name = "loop";
        list.take = shape.take;
        list.window = shape.window;
        lists.outermost(0);
        lists.task(0, "body", {Lists::index(1, tasks)}).steps = {Lists::compute(s)};
        return faults_of([&] { reference::run_tasks(lists.program(), cluster(1, 2), {}, {}, {}, availability); });
    };
    program::TaskList shape;
    const input::Diagnostics free = refused(shape);
    CHECK(kinds_of(free) == Kinds{DiagnosticKind::tasks_unknown});
    CHECK(free.all().front().message ==
          "simgrid runs tasks whose workers are fixed; the list `loop` (model.psl:1) is taken by 2 workers as they are "
          "free");
    shape.window = 2;
    CHECK(kinds_of(refused(shape)) == Kinds{DiagnosticKind::tasks_unknown});
    CHECK(refused(shape, {}, 0).all().empty());
    shape = {};
    shape.take = kFixed;
    CHECK(refused(shape).all().empty());
    const Kinds limits{DiagnosticKind::reference_limits};
    variation::Availability availability;
    availability.changes.push_back({Time{}, Node{0}, 1});
    CHECK(kinds_of(refused(shape, availability)) == limits);
    CHECK(kinds_of(refused(shape, {}, 2'000'000)) == limits);
}

TEST_CASE("tasks that wait for one another, and reads of records that nothing has written, end the run") {
    CHECK_THROWS_WITH_AS(
        tasks_on_simgrid(first_waits_for_second(), cluster(1, 1)),
        "deadlock: no task that is left may begin\n  task first (model.psl:1) waits for task second (model.psl:1)",
        reference::TasksStuck);
    CHECK_THROWS_WITH_AS(tasks_on_simgrid(reader_of_nothing(), cluster(1, 1)),
                         "task reader (model.psl:1) reads `data` before anything has written it (model.psl:1: `task`)",
                         reference::TasksStuck);
}

TEST_CASE("times beyond the horizon end the run") {
    Lists lists(1);
    lists.list(false);
    lists.outermost(0);
    lists.task(0, "body", {Lists::index(1, 10)}).steps = {Lists::compute(500'000 * s)};
    CHECK_THROWS_AS(tasks_on_simgrid(lists.program(), cluster(1, 1)), std::overflow_error);
}
