// Big tasks on nodes, whose records are fetched ahead and written behind, and small tasks on their cores; the
// arithmetic is by hand.
#include "simulator/analytic/task_lists.hpp"
#include "simulator/tasks/run.hpp"
#include "tests/approx.hpp"
#include "tests/tasks/machines.hpp"

namespace {

/// Returns tasks on nodes that read a record, compute and write it; 1 MB takes a second.
program::Program streaming(std::int64_t tasks, std::int64_t read, Time compute, std::int64_t write,
                           std::int64_t ahead) {
    Lists lists(1);
    lists.list(true).ahead = ahead;
    lists.record(read);
    lists.record(write, {}, false);
    program::Task& task = lists.task(0, "brick", {Lists::index(1, tasks)});
    task.steps = {Lists::read(0), Lists::compute(compute), Lists::write(1)};
    task.prefetched = 1;
    task.written_behind = 1;
    return lists.program();
}

double seconds_of(const program::Program& program, const machine::Machine& machine) {
    return seconds(tasks::run(program, machine, {}).finish);
}

}  // namespace

TEST_CASE("one task ahead hides its transfers: a period is the longest of computing, reading and writing") {
    // The first is read in 3, then 10 times 5, and 2.
    CHECK(seconds_of(streaming(10, 3'000'000, 5 * s, 2'000'000, 1), cluster(1, 1)) == 55.0);
    // Reading takes 7: 10 times 7, then 5 and 2.
    CHECK(seconds_of(streaming(10, 7'000'000, 5 * s, 2'000'000, 1), cluster(1, 1)) == 77.0);
}

TEST_CASE("if reads and writes share a channel, a period is the longer of computing and both together") {
    const auto period = [](std::int64_t bytes) {
        const auto run = [&](std::int64_t tasks) {
            return seconds_of(streaming(tasks, bytes, 5 * s, bytes, 1), cluster(1, 1, true));
        };
        return (run(60) - run(20)) / 40;
    };
    CHECK(period(2'400'000) == approx(5.0).epsilon(1e-9));  // 4.8 to move
    CHECK(period(3'000'000) == approx(6.0).epsilon(1e-9));
}

TEST_CASE("the closed form of big tasks is what they take where one resource binds throughout") {
    for (const std::int64_t ahead : {0, 1}) {
        for (const std::int64_t read : {3'000'000, 7'000'000}) {
            const program::Program program = streaming(10, read, 5 * s, 2'000'000, ahead);
            const WideTime stepped = tasks::run(program, cluster(1, 1), {}).finish;
            const WideTime formula = analytic::task_list_time(program, cluster(1, 1)).total;
            CAPTURE(ahead);
            CAPTURE(read);
            // Bound by reading, the last task computes after the last read, which the formula has with the first.
            if (ahead == 1 && read == 7'000'000) {
                CHECK(stepped == formula - WideTime(2 * s));
            } else {
                CHECK(stepped == formula);
            }
        }
    }
}

TEST_CASE("five tasks on two nodes of two cores, by hand") {
    // A task is read in 1 s, has four small tasks of 1, 2, 3 and 4 s, and is written in 1 s. On two cores they take
    // 1 + 3 and 2 + 4, so 6 s. Node 0 has tasks 1, 3, 5, node 1 tasks 2, 4: 1 + 3 * 6 + 1.
    const record::Record record = tasks::run(five_bricks(), cluster(2, 2), {});
    CHECK(record.finish == WideTime(20 * s));
    const record::TaskUse& use = record.tasks.value();
    CHECK(use.cores.compute == WideTime(5 * 10 * s));
    CHECK(use.cores.data == WideTime(4 * 1 * s));
    // In each task the core with 1 + 3 waits for 2; node 0 for 1 until the last is written, node 1 from 13 on.
    CHECK(use.cores.no_task == WideTime((5 * 2 + 2 * 1 + 2 * 7) * s));
    CHECK(use.cores.total() == WideTime(4 * 20 * s));
    CHECK(use.tasks == std::vector<std::pair<std::string, std::int64_t>>{{"brick", 5}, {"pencil", 20}});
    CHECK(use.read.count == 5'000'000);
    CHECK(use.written.count == 5'000'000);
    // Tasks 3, 4 and 5 are read from 1 and from 7 on, and needed 6 s later.
    CHECK(use.prefetched == 3);
    CHECK(use.least_margin == 5 * s);
}

TEST_CASE("a timeline has what each core does, without gaps") {
    // Two cores, a brick of three pencils of 1 s: read in 1 s, 2 s of pencils, written in 1 s.
    Lists lists(2);
    lists.list(true);
    lists.list(false);
    lists.record(1'000'000);
    program::Task& task = lists.task(0, "brick");
    task.steps = {Lists::read(0), Lists::inner(1), Lists::write(0)};
    task.prefetched = task.written_behind = 1;
    lists.task(1, "pencil", {Lists::index(1, 3)}).steps = {Lists::compute(s)};
    tasks::Options options;
    options.timeline = record::TimelineWindow{Rank{0}, Rank{1}};
    const record::Timeline timeline = tasks::run(lists.program(), cluster(1, 2), options).timeline.value();
    const auto text = [&](std::size_t rank) {
        std::string all;
        for (const record::Span& span : timeline.ranks[rank].spans) {
            all += fmt::format("{}..{} {}, ", span.begin.ps / s.ps, span.end.ps / s.ps,
                               record::kActivityNames[static_cast<std::size_t>(span.activity)]);
        }
        return all;
    };
    CHECK(text(0) == "0..1 wait, 1..2 compute, 2..3 compute, 3..4 wait, ");
    CHECK(text(1) == "0..1 wait, 1..2 compute, 2..4 wait, ");
}

TEST_CASE("a worker takes the task that it prefers among those in its window") {
    // The first core prefers even tasks, the second odd ones; task k takes 1 s and k us.
    Lists lists(2);
    lists.list(false).window = 4;
    const auto own = lists.formula([](Indices indices) { return indices[0] % 2 == indices[1] ? 1 : 0; });
    const auto cost = lists.formula([](Indices indices) { return s.ps + indices[0] * us.ps; });
    program::Task& task = lists.task(0, "body", {Lists::index(1, 4)});
    task.preference = own;
    task.steps = {Lists::compute(cost)};
    const record::Record record = tasks::run(lists.program(), cluster(1, 2), {});
    CHECK(record.rank_breakdown[0].compute == WideTime(2 * s + 6 * us));  // 2 and 4
    CHECK(record.rank_breakdown[1].compute == WideTime(2 * s + 4 * us));  // 1 and 3
}

TEST_CASE("a shared channel moves as much as the faster of its directions, as a disk of SimGrid 3.32 does") {
    // Nodes read or write 1 GB each on one disk of 100 and 40 MB/s. The times are those of SimGrid's disk.
    const auto time = [](std::int64_t reading, std::int64_t writing) {
        const auto nodes = static_cast<std::uint32_t>(reading + writing);
        return seconds_of(readers_and_writers(reading, writing),
                          served(nodes, {Bandwidth{100e6}, Bandwidth{40e6}, true}));
    };
    CHECK(time(1, 1) == approx(16.666666667 + 20.0).epsilon(1e-9));  // the write ends at 25
    CHECK(time(1, 2) == approx(50.0).epsilon(1e-9));                 // the read at 16.67, writes at 20 MB/s
    CHECK(time(2, 1) == approx(30.0 + 20.0).epsilon(1e-9));          // all three at 33.3 MB/s
}

TEST_CASE("the closed form bounds a shared channel of two rates by both directions together") {
    machine::Machine machine = cluster(1, 1);
    machine.cluster_memory.node = {Bandwidth{2e6}, Bandwidth{1e6}, true};
    // A task reads 4 MB and writes 2 MB, 2 s each; both together take 3 s on the channel, computing takes 1 s.
    const auto period = [&](const auto& time) { return (time(60) - time(20)) / 40; };
    const auto tasks = [](std::int64_t count) { return streaming(count, 4'000'000, 1 * s, 2'000'000, 1); };
    CHECK(period([&](std::int64_t count) { return seconds_of(tasks(count), machine); }) == approx(3.0));
    CHECK(period([&](std::int64_t count) { return seconds(analytic::task_list_time(tasks(count), machine).total); }) ==
          approx(3.0));
}

TEST_CASE("tasks that wait for later ones of a strict list end the run, named with their lines") {
    CHECK_THROWS_WITH_AS(tasks::run(first_waits_for_second(), cluster(1, 1), {}),
                         "deadlock: none of the remaining tasks may begin\n  task first (model.psl:1) waits for task "
                         "second (model.psl:1), which comes no earlier in the list",
                         tasks::Stuck);
}

TEST_CASE("a record that nothing has written cannot be read") {
    CHECK_THROWS_WITH_AS(tasks::run(reader_of_nothing(), cluster(1, 1), {}),
                         "task reader (model.psl:1) reads `data` before any task has written it (model.psl:1: `task`)",
                         tasks::Stuck);
}

TEST_CASE("records in the memory of nodes move between these, and not at all for a node's own tasks") {
    // Two nodes with fixed shares: brick i on node i, reads item i or the other one, 2 MB at 1 MB/s, and computes 1 s.
    const auto finish = [](bool other) {
        Lists lists(2);
        lists.list(true).take = {program::Take::Rule::fixed, 1};
        lists.record(2'000'000, {Lists::index(1, 2)});
        const auto item = lists.formula([=](Indices indices) { return other ? 3 - indices[0] : indices[0]; });
        program::Task& brick = lists.task(0, "brick", {Lists::index(1, 2)});
        brick.steps = {Lists::read(0, {Lists::one(item)}), Lists::compute(s)};
        brick.prefetched = 1;
        machine::Machine machine = cluster(2, 1);
        machine.cluster_memory.in_nodes = true;
        return tasks::run(lists.program(), machine, {});
    };
    CHECK(finish(false).finish == WideTime(s));
    CHECK(finish(false).tasks->read == Bytes{0});
    CHECK(finish(true).finish == WideTime(3 * s));
    CHECK(finish(true).tasks->read == Bytes{4'000'000});
}

TEST_CASE("a node's channel of writes has what others read from its memory") {
    // Node 1 writes its 2 MB to node 0's memory, and node 0 reads 2 MB from node 1's: both leave by node 1's channel of
    // writes, of 1 MB/s, at once: 4 s.
    Lists lists(2);
    lists.list(true).take = {program::Take::Rule::fixed, 1};
    lists.record(2'000'000, {Lists::index(1, 2)});
    lists.record(2'000'000, {Lists::index(1, 2)}, false);
    program::Task& reader = lists.task(0, "reader");
    reader.steps = {Lists::read(0, {Lists::one(Lists::known(2))})};
    reader.prefetched = 1;
    program::Task& writer = lists.task(0, "writer");
    writer.steps = {Lists::write(1, {Lists::one(Lists::known(1))})};
    writer.written_behind = 1;
    machine::Machine machine = cluster(2, 1);
    machine.cluster_memory.in_nodes = true;
    CHECK(tasks::run(lists.program(), machine, {}).finish == WideTime(4 * s));
}

TEST_CASE("nodes whose tasks end in the same moment all request before one takes a task ahead") {
    // Turns of two tasks on two nodes, of which the second waits for the first: (s, 0) and (s, 1) after (s - 1, 1).
    // Each has four pencils of 1 s on four cores. Were (s, 1) taken ahead by the node that computes (s, 0), it took 4
    // s.
    Lists lists(8);
    program::TaskList& list = lists.list(true, {Lists::index(1, 3), Lists::index(0, 1)});
    list.ahead = 1;
    list.window = 100;
    lists.list(false);
    program::Task& brick = lists.task(0, "brick");
    brick.after.push_back({0, {lists.before(), {{lists.shifted(1, 0), Lists::known(1)}, false}}, 0});
    brick.steps = {Lists::inner(1)};
    lists.task(1, "pencil", {Lists::index(1, 4)}).steps = {Lists::compute(s)};
    CHECK(tasks::run(lists.program(), cluster(2, 4), {}).finish == WideTime(3 * s));
}

TEST_CASE("a block of a node is done once the slowest of its cores is") {
    Lists lists(4);
    lists.list(true);
    lists.task(0, "block").steps = {Lists::compute(s)};
    tasks::Options options;
    options.noise.map = {{Rank{2}, {}, 1.5}};
    CHECK(tasks::run(lists.program(), cluster(1, 4), options).finish == WideTime(Time{3 * s.ps / 2}));
}
