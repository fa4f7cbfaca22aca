// Cores that come and go, nodes that are lost; the arithmetic is by hand.
#include "simulator/tasks/run.hpp"
#include "tests/approx.hpp"
#include "tests/tasks/machines.hpp"

using variation::Availability;

namespace {

/// Returns tasks of a second each on cores, in turns with a barrier between them.
program::Program passes(std::uint32_t ranks, std::int64_t turns, std::int64_t tasks) {
    Lists lists(ranks);
    lists.list(false, {Lists::index(1, turns)});
    program::Task& task = lists.task(0, "pencil", {Lists::index(1, tasks)});
    task.after.push_back({0, {lists.before()}, 0});
    task.steps = {Lists::compute(s)};
    return lists.program();
}

/// Returns bricks that are read in 1 s, have pencils of 1 s, and are written in 1 s.
program::Program even_bricks(std::uint32_t ranks, std::int64_t count) {
    return bricks(ranks, count, [](Indices) { return s.ps; });
}

record::Record run(const program::Program& program, const machine::Machine& machine, Availability availability,
                   std::uint64_t seed = 0) {
    return tasks::run(program, machine, {{}, {seed}, std::move(availability)});
}

}  // namespace

TEST_CASE("a core that goes ends what it has taken, one that comes takes the next task") {
    // Ten tasks of 1 s. Two cores until 2.5 s: four are done, two end at 3; then one core: the other four end at 7.
    Availability availability{.changes = {{Time{5 * s.ps / 2}, Node{0}, 1}}};
    const record::Record record = run(passes(2, 1, 10), cluster(1, 2), availability);
    CHECK(record.finish == WideTime(7 * s));
    CHECK(record.tasks->cores.compute == WideTime(10 * s));
    CHECK(record.tasks->cores.absent == WideTime(4 * s));
    // Back at 4.5: the tasks of 5 to 6 and 4.5 to 5.5.
    availability.changes.push_back({Time{9 * s.ps / 2}, Node{0}, 2});
    CHECK(run(passes(2, 1, 10), cluster(1, 2), availability).finish == WideTime(6 * s));
}

TEST_CASE("by turns cores come and go where a turn begins") {
    // Two turns of four tasks on two cores: 2 s each. From 0.5 s on one core is offered: the first turn keeps two.
    const Availability availability{.changes = {{Time{s.ps / 2}, Node{0}, 1}}, .by_turn = true};
    CHECK(run(passes(2, 2, 4), cluster(1, 2), availability).finish == WideTime(6 * s));
    Availability at_once = availability;
    at_once.by_turn = false;  // two tasks end at 1, then one by one
    CHECK(run(passes(2, 2, 4), cluster(1, 2), at_once).finish == WideTime(7 * s));
}

TEST_CASE("without any core tasks wait until one is offered") {
    const Availability availability{.changes = {{Time{}, Node{0}, 0}, {10 * s, Node{0}, 2}}};
    for (const bool by_turn : {false, true}) {
        Availability each = availability;
        each.by_turn = by_turn;
        const record::Record record = run(passes(2, 2, 4), cluster(1, 2), each);
        CHECK(record.finish == WideTime(14 * s));
        CHECK(record.tasks->cores.absent == WideTime(20 * s));
    }
    CHECK_THROWS_WITH_AS(run(passes(2, 2, 4), cluster(1, 2), {.changes = {{Time{}, Node{0}, 0}}}),
                         "deadlock: no core or node is left that may take the remaining tasks\n"
                         "  tasks are left in the list model.psl:1\n"
                         "  expected a later row of `workers.schedule` with cores, or a time `repaired` of a lost node",
                         tasks::Stuck);
}

TEST_CASE("numbers of cores that are drawn are within their bounds, and those of a seed") {
    const Availability availability{.drawn = variation::DrawnCores{1, 3, 1 * s}, .by_turn = true};
    const auto finish = [&](std::uint64_t seed) {
        return run(passes(4, 40, 12), cluster(1, 4), availability, seed).finish;
    };
    CHECK(finish(1) == finish(1));
    CHECK(finish(1) != finish(2));
    CHECK(finish(1) > WideTime(40 * 4 * s));
    CHECK(finish(1) < WideTime(40 * 12 * s));
}

TEST_CASE("tasks that a lost node had taken are done by others, before all that are left") {
    // Two nodes of two cores, four bricks: node 0 has 1 and 3, node 1 has 2 and 4, until 1 + 2 + 2 + 1 = 6. Node 0 is
    // lost at 2, in brick 1, with brick 3 fetched: node 1 takes them once it may, at 3 (brick 2 computed, 4 fetched): 1
    // is fetched from 3 to 4, computed from 5 to 7, then 3, until 9, and written.
    const Availability availability{.lost = {{2 * s, Node{0}, {}}}};
    const record::Record record = run(even_bricks(4, 4), cluster(2, 2), availability);
    CHECK(run(even_bricks(4, 4), cluster(2, 2), {}).finish == WideTime(6 * s));
    CHECK(record.finish == WideTime(10 * s));
    CHECK(record.tasks->tasks[0].second == 4);
    CHECK(record.tasks->tasks[1].second == 16 + 2);  // two pencils of brick 1 were done in vain
    CHECK(record.tasks->cores.absent == WideTime(2 * 8 * s));
}

TEST_CASE("a node that is repaired takes tasks again") {
    const Availability availability{.lost = {{2 * s, Node{0}, 1 * s}}};
    // Back at 3, it fetches brick 1, or node 1 does; both continue: brick 1 from 4 to 6, brick 3 on node 1 from 5 to 7.
    CHECK(run(even_bricks(4, 4), cluster(2, 2), availability).finish == WideTime(8 * s));
}

TEST_CASE("every task is done once, and every record written once, whenever a node is lost: 1,000 moments") {
    const program::Program program = even_bricks(6, 12);
    const machine::Machine machine = cluster(3, 2);
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
        Random random({trial}, Purpose::figure, 0, 0);
        Availability availability;
        for (std::uint32_t lost = 0; lost < 1 + trial % 3; ++lost) {
            const Time at{static_cast<std::int64_t>(random.below(12 * static_cast<std::uint64_t>(s.ps)))};
            const Node node{static_cast<std::uint32_t>(random.below(3))};
            const Time repaired{static_cast<std::int64_t>(random.below(4 * static_cast<std::uint64_t>(s.ps)))};
            availability.lost.push_back({at, node, lost == 2 ? std::nullopt : std::optional(repaired)});
        }
        CAPTURE(trial);
        const record::Record record = run(program, machine, availability);
        CHECK(record.tasks->tasks[0].second == 12);
        CHECK(record.tasks->updates == 12);
        CHECK(record.tasks->cores.total() == WideTime{6 * record.finish.ps});
    }
}

TEST_CASE("draws of cores end no run while a task computes or a node is to be repaired") {
    // A draw each millisecond, of at least one core, and one task of 101 s: 101,000 draws.
    Availability availability;
    availability.drawn = variation::DrawnCores{1, 1, Time{s.ps / 1000}};
    CHECK(run(loop(1, 1, 101 * s), cluster(1, 1), availability).finish == WideTime(101 * s));
    // the node is away until 101 s
    availability.lost = {{Time{0}, Node{0}, 101 * s}};
    CHECK(run(loop(1, 1, 101 * s), cluster(1, 1), availability).finish == WideTime(202 * s));
}

TEST_CASE("the moved part of an incomplete read of a lost node counts") {
    // 10 MB at 1 MB/s; lost at 5 s, back at 6 s: read again from there
    Lists lists(1);
    lists.list(true);
    lists.record(10'000'000);
    program::Task& task = lists.task(0, "brick");
    task.steps = {Lists::read(0), Lists::compute(s)};
    task.prefetched = 1;
    Availability availability;
    availability.lost = {{5 * s, Node{0}, s}};
    const record::Record record = run(lists.program(), cluster(1, 1), availability);
    CHECK(record.finish == WideTime(17 * s));
    CHECK(record.tasks->read == Bytes{15'000'000});
    CHECK(record.tasks->node_load == approx(15.0 / 17.0));
}

TEST_CASE("a core that goes while no task is left had none, not conditions") {
    // Two tasks of 1 s for four cores; at 0.5 s three cores are to go: two have had nothing to do, one ends its task.
    const Availability availability{.changes = {{Time{s.ps / 2}, Node{0}, 1}}};
    const record::Record record = run(passes(4, 1, 2), cluster(1, 4), availability);
    const record::CoreTime cores = record.tasks->cores;
    CHECK(cores.no_task == WideTime(Time{2 * s.ps / 2}));
    CHECK(cores.conditions == WideTime{});
}

TEST_CASE("if a lost node gives a task back, cores that had none left take it and wait for conditions again") {
    // Two tasks of 1 s on two of three nodes. Node 0 is lost at 0.4 s: node 2, which had no task until then, does its
    // task from 0.4 to 1.4 s. Node 1 has none from 1 s on.
    Availability availability;
    availability.lost = {{Time{4 * s.ps / 10}, Node{0}, {}}};
    const record::Record record = run(passes(3, 1, 2), cluster(3, 1), availability);
    CHECK(record.finish == WideTime(Time{14 * s.ps / 10}));
    CHECK(record.tasks->cores.no_task == WideTime(Time{8 * s.ps / 10}));  // 0.4 of node 2, 0.4 of node 1
    CHECK(record.tasks->cores.conditions == WideTime{});
}
