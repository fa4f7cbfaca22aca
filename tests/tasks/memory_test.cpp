// Tasks on cores that share memory bandwidth; the arithmetic is by hand.
#include "simulator/analytic/task_lists.hpp"
#include "simulator/tasks/run.hpp"
#include "tests/tasks/machines.hpp"

namespace {

/// Returns nodes in which every two cores share the bandwidth that one of them uses: while both compute, each takes
/// twice as long.
machine::Machine sharing(std::uint32_t nodes, std::uint32_t per_node) {
    machine::Machine machine = cluster(nodes, per_node);
    machine.memory = machine::Memory{.bandwidth = {1e9}, .per_core = {1e9}, .count = per_node / 2};
    return machine;
}

/// Returns tasks of these seconds on cores.
program::Program tasks_of(std::uint32_t ranks, const std::vector<std::int64_t>& seconds) {
    Lists lists(ranks);
    lists.list(false);
    for (const std::int64_t each : seconds) lists.task(0, "task").steps = {Lists::compute(each * s)};
    return lists.program();
}

WideTime time_of(const program::Program& program, const machine::Machine& machine, tasks::Options options = {}) {
    return tasks::run(program, machine, options).finish;
}

}  // namespace

TEST_CASE("while two cores compute, each takes twice as long; then the other continues alone") {
    // 1 s is done at 2; of 3 s two are left then, and done at 4.
    CHECK(time_of(tasks_of(2, {1, 3}), sharing(1, 2)) == WideTime(4 * s));
    CHECK(time_of(tasks_of(1, {1, 3}), sharing(1, 2)) == WideTime(4 * s));  // one core alone
    // Eight tasks of 1 s on four cores, two memories: each pair does its four in 4 s.
    CHECK(time_of(tasks_of(4, std::vector<std::int64_t>(8, 1)), sharing(1, 4)) == WideTime(4 * s));
}

TEST_CASE("cores of other nodes and of other memories do not share") {
    // A task on a core of each node; on cores 0 and 1 of one node, and core 2 of another memory: 2 s and 1 s.
    CHECK(time_of(tasks_of(4, {1, 1}), sharing(2, 2)) == WideTime(2 * s));
    machine::Machine spread = sharing(2, 2);
    spread.placement = machine::cut(RankGrid{{2, 1, 1}}, machine::Patch{{1, 1, 1}});
    CHECK(time_of(tasks_of(2, {1, 1}), spread) == WideTime(1 * s));
}

TEST_CASE("a block of a node computes on all its cores, which share") {
    Lists lists(4);
    lists.list(true);
    lists.task(0, "block").steps = {Lists::compute(3 * s)};
    CHECK(time_of(lists.program(), sharing(1, 4)) == WideTime(6 * s));
}

TEST_CASE("the computing of a lost node slows nothing after its return") {
    // Two tasks of 2 s on a node of two cores; at 1 s it is lost, and back at 2 s: both begin anew and take 4 s.
    tasks::Options options;
    options.availability.lost = {{Time{s}, Node{0}, Time{s}}};
    CHECK(time_of(tasks_of(2, {2, 2}), sharing(1, 2), options) == WideTime(6 * s));
}

TEST_CASE("the path through shared memory is computing as long as it takes alone, and memory") {
    // The task of 3 s takes 4.
    tasks::Options options;
    options.path = true;
    const record::Record record = tasks::run(tasks_of(2, {1, 3}), sharing(1, 2), options);
    CHECK(record.tasks->path.value().compute == WideTime(3 * s));
    CHECK(record.tasks->path.value().memory == WideTime(1 * s));
    CHECK(record.tasks->cores.compute == WideTime(6 * s));  // 2 s and 4 s
}

TEST_CASE("the closed form takes all cores to share the memory throughout") {
    CHECK(analytic::task_list_time(tasks_of(2, {1, 1, 1, 1}), sharing(1, 2)).total == WideTime(4 * s));
}
