// The critical path through tasks: the chain that determines the end of the last of them.
#include "simulator/tasks/run.hpp"
#include "tests/approx.hpp"
#include "tests/tasks/machines.hpp"

namespace {

record::TaskPath path_of(const program::Program& program, const machine::Machine& machine,
                         tasks::Options options = {}) {
    options.path = true;
    const record::Record record = tasks::run(program, machine, options);
    const record::TaskPath path = record.tasks->path.value();
    CHECK(path.total() == record.finish);
    return path;
}

WideTime wide(Time time) { return WideTime{time}; }

}  // namespace

TEST_CASE("tasks of one core follow each other: all but the first had waited for it") {
    const record::TaskPath path = path_of(loop(1, 3, 2 * s), cluster(1, 1));
    CHECK(path.compute == wide(6 * s));
    CHECK(path.tasks[0].blocks == 3);
    CHECK(path.tasks[0].queued == wide(4 * s));
}

TEST_CASE("a path leads through a barrier along the longest task, of another core") {
    // pass 1: 1 s on core 0, 3 s on core 1; pass 2: 5 s on core 0, from 3 s on, and 1 s
    Lists lists(2);
    lists.list(false, {Lists::index(1, 2)});
    const auto cost = lists.formula([](Indices indices) {
        const std::int64_t of_pass_1 = indices[1] == 1 ? 1 : 3;
        const std::int64_t of_pass_2 = indices[1] == 1 ? 5 : 1;
        return (indices[0] == 1 ? of_pass_1 : of_pass_2) * s.ps;
    });
    program::Task& pencil = lists.task(0, "pencil", {Lists::index(1, 2)});
    pencil.after.push_back({0, {lists.before()}, 0});
    pencil.steps = {Lists::compute(cost)};
    const record::TaskPath path = path_of(lists.program(), cluster(1, 2));
    CHECK(path.compute == wide(3 * s + 5 * s));
    CHECK(path.tasks[0].blocks == 2);
    CHECK(path.tasks[0].queued == WideTime{});  // both began once they could
}

TEST_CASE("a task that is read, computed and written is its own path") {
    Lists lists(1);
    lists.list(true);
    lists.record(2'000'000);
    program::Task& brick = lists.task(0, "brick");
    brick.steps = {Lists::read(0), Lists::compute(7 * s), Lists::write(0)};
    brick.prefetched = brick.written_behind = 1;
    machine::Machine machine = cluster(1, 1);
    machine.cluster_memory.latency = 3 * s;
    const record::TaskPath path = path_of(lists.program(), machine);
    CHECK(path.data == wide(2 * s + 2 * s));  // at 1 MB/s
    CHECK(path.latency == wide(3 * s + 3 * s));
    CHECK(path.compute == wide(7 * s));
}

TEST_CASE("transfers hidden behind computing are not on the path") {
    // reads of 2 s, blocks of 7 s; the second is read while the first computes
    Lists lists(1);
    lists.list(true).ahead = 1;
    lists.record(2'000'000);
    program::Task& brick = lists.task(0, "brick", {Lists::index(1, 2)});
    brick.steps = {Lists::read(0), Lists::compute(7 * s)};
    brick.prefetched = 1;
    const record::TaskPath path = path_of(lists.program(), cluster(1, 1));
    CHECK(path.data == wide(2 * s));
    CHECK(path.compute == wide(14 * s));
}

TEST_CASE("the additional time of a transfer beside another one is sharing") {
    // two nodes read 2 MB each from one server of 1 MB/s, at once: 4 s, of which 2 alone
    Lists lists(2);
    lists.list(true);
    lists.record(2'000'000);
    program::Task& brick = lists.task(0, "brick", {Lists::index(1, 2)});
    brick.steps = {Lists::read(0)};
    brick.prefetched = 1;
    machine::Machine machine = cluster(2, 1);
    machine.cluster_memory.server = machine.cluster_memory.node;
    const record::TaskPath path = path_of(lists.program(), machine);
    CHECK(path.data == wide(2 * s));
    CHECK(path.sharing == wide(2 * s));
}

TEST_CASE("a request waits for the manager, whose earlier service is on the path") {
    // services of 1 s for one core after another: the third is given its task at 3 s, takes 2 s of overhead, computes 4
    // s
    machine::Machine machine = cluster(1, 3);
    machine.task_manager = {2 * s, 1 * s};
    const record::TaskPath path = path_of(loop(3, 3, 4 * s), machine);
    CHECK(path.manager == wide(3 * s + 2 * s));
    CHECK(path.compute == wide(4 * s));
}

TEST_CASE("a path leads through the absence of the only core") {
    tasks::Options options;
    options.availability.changes = {{Time{0}, Node{0}, 0}, {5 * s, Node{0}, 1}};
    const record::TaskPath path = path_of(loop(1, 1, 4 * s), cluster(1, 1), options);
    CHECK(path.absent == wide(5 * s));
    CHECK(path.compute == wide(4 * s));
}

TEST_CASE("the work of a lost node is absence on the path of the repeated task") {
    // node 0 is lost at 3 s, within its task of 4 s; node 1 ends its own at 4 s and does the other one then
    Lists lists(2);
    lists.list(true);
    lists.task(0, "brick", {Lists::index(1, 2)}).steps = {Lists::compute(4 * s)};
    tasks::Options options;
    options.availability.lost = {{3 * s, Node{0}, std::nullopt}};
    const record::TaskPath again = path_of(lists.program(), cluster(2, 1), options);
    CHECK(again.compute == wide(8 * s));
    CHECK(again.tasks[0].queued == wide(4 * s));

    // three nodes, two tasks: the third has waited, and begins at once
    const record::TaskPath at_once = [&] {
        Lists three(3);
        three.list(true);
        three.task(0, "brick", {Lists::index(1, 2)}).steps = {Lists::compute(4 * s)};
        return path_of(three.program(), cluster(3, 1), options);
    }();
    CHECK(at_once.absent == wide(3 * s));
    CHECK(at_once.compute == wide(4 * s));
}

TEST_CASE("the core time over time has what each interval had") {
    // core 0: 6 s of work; core 1: 2 s, then no task is left
    Lists lists(2);
    lists.list(false);
    const auto cost = lists.formula([](Indices indices) { return (indices[0] == 1 ? 6 : 2) * s.ps; });
    lists.task(0, "work", {Lists::index(1, 2)}).steps = {Lists::compute(cost)};
    const record::Record record = tasks::run(lists.program(), cluster(1, 2), {});
    const record::Intervals<record::CoreTime>& over_time = record.tasks->over_time;
    const auto at = [&](Time time) { return over_time.sums[static_cast<std::size_t>(time.ps / over_time.width.ps)]; };
    const WideTime width = wide(over_time.width);
    CHECK(at(1 * s).compute == width + width);
    CHECK(at(5 * s).compute == width);
    CHECK(at(5 * s).no_task == width);
}

TEST_CASE("the bytes that transfers move over time are those read and written") {
    // 2 MB read at 1 MB/s, then 5 s of computing, then 1 MB written
    Lists lists(1);
    lists.list(true);
    lists.record(2'000'000);
    lists.record(1'000'000);
    program::Task& brick = lists.task(0, "brick");
    brick.steps = {Lists::read(0), Lists::compute(5 * s), Lists::write(1)};
    brick.prefetched = brick.written_behind = 1;
    const record::Record record = tasks::run(lists.program(), cluster(1, 1), {});
    const record::Intervals<double>& moved = record.tasks->moved;
    const auto rate = [&](Time time) {
        return moved.sums.at(static_cast<std::size_t>(time.ps / moved.width.ps)) / seconds(moved.width);
    };
    CHECK(rate(1 * s) == approx(1e6));
    CHECK(rate(4 * s) == 0.0);
    double all = 0.0;
    for (const double each : moved.sums) all += each;
    CHECK(all == approx(3e6));
}

TEST_CASE("tasks that a worker has taken ahead wait for it") {
    // one core takes four at once: all but the first wait
    Lists lists(1);
    lists.list(false).ahead = 3;
    lists.task(0, "work", {Lists::index(1, 4)}).steps = {Lists::compute(s)};
    CHECK(path_of(lists.program(), cluster(1, 1)).tasks[0].queued == wide(3 * s));
}

TEST_CASE("a core that comes back while it computes a taken task requests then, and continues its path") {
    // A task ahead, requests of 0.7 s: task 1 is there at 0.7 s, task 2 at 1.4 s. The core, away from 1.2 s to 2.2 s,
    // computes both, from 0.7 s to 2.7 s. Task 3, requested at 2.2 s in place of 1.7 s, arrives at 2.9 s; task 4 at
    // 3.6 s, computed from 3.9 s to 4.9 s. So the path has tasks 1, 3 and 4, of which 3 and 4 had waited.
    constexpr Time kTenth{100'000'000'000};
    Lists lists(1);
    lists.list(false).ahead = 1;
    lists.task(0, "work", {Lists::index(1, 4)}).steps = {Lists::compute(s)};
    machine::Machine machine = cluster(1, 1);
    machine.task_manager.overhead = 7 * kTenth;
    tasks::Options options;
    options.availability.changes = {{12 * kTenth, Node{0}, 0}, {22 * kTenth, Node{0}, 1}};
    const record::TaskPath path = path_of(lists.program(), machine, options);
    CHECK(path.total() == wide(49 * kTenth));
    CHECK(path.manager == wide(2 * 7 * kTenth));  // of tasks 1 and 3
    CHECK(path.absent == wide(5 * kTenth));       // from the end of task 1 on
    CHECK(path.compute == wide(3 * s));
    CHECK(path.tasks[0].blocks == 3);
    CHECK(path.tasks[0].queued == wide(2 * s));
}

TEST_CASE("a core that is away and back while it waits for a condition does not change the path") {
    // Core 0 has tasks 1 and 2, of 2 s; core 1 has 3 and 4, of 1 s, and 4 waits for 2, from 1 s to 4 s.
    Lists lists(2);
    lists.list(false).take = {program::Take::Rule::chunk, 2};
    const auto waits_for = lists.formula([](Indices indices) { return indices[0] == 4 ? 2 : 0; });
    const auto cost = lists.formula([](Indices indices) { return indices[0] <= 2 ? 2 * s.ps : s.ps; });
    program::Task& task = lists.task(0, "work", {Lists::index(1, 4)});
    task.after.push_back({0, {Lists::one(waits_for)}, 0});
    task.steps = {Lists::compute(cost)};
    tasks::Options options;
    options.availability.changes = {{2 * s, Node{0}, 1}, {3 * s, Node{0}, 2}};
    const record::TaskPath path = path_of(lists.program(), cluster(1, 2), options);
    CHECK(path.compute == wide(2 * s + 2 * s + s));  // tasks 1, 2 and 4
    CHECK(path.tasks[0].queued == wide(2 * s));      // task 2
    CHECK(path.absent == WideTime{});
}

TEST_CASE("after a barrier the tasks of a turn begin once they can, in the order of the list") {
    // three turns of two tasks of 1 s on two cores: nothing waits for a core; with three tasks a turn one always does
    const auto path = [](std::int64_t tasks) {
        Lists lists(2);
        lists.list(false, {Lists::index(1, 3)});
        program::Task& pencil = lists.task(0, "pencil", {Lists::index(1, tasks)});
        pencil.after.push_back({0, {lists.before()}, 0});
        pencil.steps = {Lists::compute(s)};
        return path_of(lists.program(), cluster(1, 2));
    };
    CHECK(path(2).compute == wide(3 * s));
    CHECK(path(2).tasks[0].queued == WideTime{});
    CHECK(path(3).compute == wide(6 * s));
    CHECK(path(3).tasks[0].queued == wide(3 * s));
}

TEST_CASE("of equal tasks all but the first on each core wait for a core") {
    // eight tasks of 1 s on two cores that end at the same moments
    CHECK(path_of(loop(2, 8, s), cluster(1, 2)).tasks[0].queued == wide(3 * s));
}

TEST_CASE("within a task that waited for a node everything has waited, whatever its cores did") {
    // Six tasks on two nodes, each of four pencils of 3 s on four cores: three rounds, of which the first did not wait.
    Lists lists(8);
    lists.list(true);
    lists.list(false);
    lists.task(0, "brick", {Lists::index(1, 6)}).steps = {Lists::inner(1)};
    lists.task(1, "pencil", {Lists::index(1, 4)}).steps = {Lists::compute(3 * s)};
    const record::TaskPath path = path_of(lists.program(), cluster(2, 4));
    CHECK(path.compute == wide(9 * s));
    CHECK(path.queued == wide(6 * s));
    CHECK(path.tasks[1].queued == wide(6 * s));
}

TEST_CASE("tasks that only read wait for a worker too") {
    // Eight reads of 1 s on one core: all but the first had to wait for it.
    Lists lists(1);
    lists.list(false);
    lists.record(1'000'000);
    program::Task& reader = lists.task(0, "reader", {Lists::index(1, 8)});
    reader.steps = {Lists::read(0)};
    reader.prefetched = 1;
    const record::TaskPath path = path_of(lists.program(), cluster(1, 1));
    CHECK(path.data == wide(8 * s));
    CHECK(path.queued == wide(7 * s));
}

TEST_CASE("a request counts as waiting if its worker had waited, but not if the manager was busy") {
    // Two tasks of no work: the worker spends 1 s on each request, and requests again only then.
    Lists lists(1);
    lists.list(false);
    lists.task(0, "task", {Lists::index(1, 2)});
    machine::Machine machine = cluster(1, 1);
    machine.task_manager.overhead = s;
    CHECK(path_of(lists.program(), machine).manager == wide(2 * s));
    CHECK(path_of(lists.program(), machine).queued == wide(1 * s));
    // Four requests of two workers: the manager is busy throughout, so more workers would be served no earlier.
    Lists busy(2);
    busy.list(false);
    busy.task(0, "task", {Lists::index(1, 4)});
    machine::Machine served_one_by_one = cluster(1, 2);
    served_one_by_one.task_manager.service = s;
    const record::TaskPath path = path_of(busy.program(), served_one_by_one);
    CHECK(path.manager == wide(4 * s));
    CHECK(path.queued == WideTime{});
}

TEST_CASE("in its fixed share a worker's later tasks wait for it") {
    // Six tasks of 1 s in shares of four workers: 2, 2, 1, 1. The second of a share waits for the first.
    const record::TaskPath path = path_of(loop(4, 6, s, program::Take::Rule::fixed), cluster(1, 4));
    CHECK(path.compute == wide(2 * s));
    CHECK(path.queued == wide(1 * s));
}
