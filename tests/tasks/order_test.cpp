// Tasks that wait for ever: the findings before a run agree with the end of the run.
#include "simulator/program/task_order.hpp"

#include "simulator/tasks/run.hpp"
#include "tests/tasks/machines.hpp"

using program::TaskPlace;
using Rule = program::Take::Rule;

namespace {

bool gets_stuck(const program::Program& program, std::uint32_t cores) {
    try {
        tasks::run(program, cluster(1, cores, false), {});
        return false;
    } catch (const tasks::Stuck&) {
        return true;
    }
}

/// Draws two kinds of tasks over two indices with conditions at random distances, on two cores.
program::Program drawn_lists(std::uint64_t trial) {
    Draw draw(trial);
    const auto from = [&draw](std::int64_t least, std::int64_t most) { return draw.from(least, most); };
    Lists lists(2);
    program::TaskList& list = lists.list(false, {Lists::index(1, from(1, 3))});
    list.window = from(1, 2) == 1 ? 1 : from(2, 8);
    if (list.window == 1 && from(1, 2) == 1) list.take = {static_cast<Rule>(from(0, 4)), from(1, 3)};
    for (const char* name : {"x", "y"}) {
        const std::int64_t modulus = from(1, 5);
        const auto exists = lists.formula([modulus](Indices i) { return (i[0] + i[1]) % modulus == 0 ? 0 : 1; });
        const std::int64_t of_list = from(-2, 1);
        const std::int64_t of_task = from(-2, 2);
        const auto turn = lists.formula([of_list](Indices i) { return i[0] + of_list; });
        const auto own = lists.formula([of_task](Indices i) { return i[1] + of_task; });
        const auto end = lists.formula([of_task](Indices i) { return i[1] + of_task + 1; });
        program::Task& task = lists.task(0, name, {Lists::index(1, from(0, 3))});
        if (modulus > 1) task.exists = exists;
        const auto other = static_cast<std::uint32_t>(from(0, 1));
        if (from(1, 4) > 1) {
            task.after.push_back({other, {Lists::one(turn)}, 0});
            const std::int64_t subscripts = from(1, 3);
            if (subscripts == 2) task.after.back().subscripts.push_back(Lists::one(own));
            if (subscripts == 3) task.after.back().subscripts.push_back(Lists::range(own, end));
        }
        task.steps = {Lists::compute(us)};
    }
    return lists.program();
}

}  // namespace

TEST_CASE(
    "whatever is found to wait for ever ends the run, of 3,000 random lists; most of those that end so are found") {
    int found = 0;
    int stuck = 0;
    int in_order = 0;
    int in_window = 0;
    for (std::uint64_t trial = 0; trial < 3'000; ++trial) {
        const program::Program program = drawn_lists(trial);
        const bool is_found = program::endless_wait(*program.tasks).has_value();
        const bool is_stuck = gets_stuck(program, 2);
        CAPTURE(trial);
        CHECK(is_found <= is_stuck);
        const program::TaskList& list = program.tasks->lists[0];
        if (list.take.rule == Rule::chunk && list.take.chunk == 1) {
            CHECK(is_found == is_stuck);
            (list.window == 1 ? in_order : in_window) += is_stuck ? 1 : 0;
        }
        found += is_found ? 1 : 0;
        stuck += is_stuck ? 1 : 0;
    }
    CHECK(stuck > 400);
    CHECK(in_order > 150);
    CHECK(in_window > 140);
    CHECK(found > stuck / 2);
}

namespace {

/// Draws a list in order on a node, whose tasks have a list in order of tasks that exist or not by all indices around.
program::Program drawn_lists_within_tasks(std::uint64_t trial) {
    Random random({trial}, Purpose::figure, 1, 0);
    const auto from = [&random](std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
    };
    Lists lists(2);
    lists.list(true, {Lists::index(1, from(1, 3))});
    lists.list(false, {Lists::index(1, from(1, 2))});
    const std::int64_t modulus = from(2, 6);
    const std::int64_t rest = from(0, modulus - 1);
    const std::int64_t weight = from(1, 4);
    const auto brick = lists.formula([modulus](Indices i) { return (i[0] + i[1]) % modulus == 0 ? 0 : 1; });
    const auto pencil = lists.formula([=](Indices i) {  // few of them
        return (weight * i[0] + 3 * i[1] + 5 * i[2] + i[3]) % modulus == rest ? 1 : 0;
    });
    const std::int64_t behind = from(0, 3);
    const auto first = lists.formula([](Indices i) { return i[3] - 1; });
    const auto last = lists.formula([behind](Indices i) { return i[3] + behind - (i[0] + i[1]) % 4; });
    const auto pass = lists.formula([](Indices i) { return i[2]; });
    program::Task& outer = lists.task(0, "brick", {Lists::index(1, from(1, 4))});
    outer.exists = brick;
    outer.steps = {Lists::inner(1)};
    program::Task& inner = lists.task(1, "pencil", {Lists::index(1, from(1, 9))});
    inner.exists = pencil;
    inner.after.push_back({1, {Lists::one(pass), Lists::range(first, last)}, 0});
    const auto before = lists.formula([](Indices i) { return i[3] - 1; });
    if (from(1, 2) == 1) inner.after[0].subscripts[1] = Lists::range(before, before);
    inner.steps = {Lists::compute(us)};
    return lists.program();
}

}  // namespace

TEST_CASE("of 2,000 random lists in order within tasks, all with conditions on what exists, just those end that do") {
    int stuck = 0;
    for (std::uint64_t trial = 0; trial < 2'000; ++trial) {
        const program::Program program = drawn_lists_within_tasks(trial);
        const bool is_stuck = gets_stuck(program, 2);
        CAPTURE(trial);
        CHECK(program::endless_wait(*program.tasks).has_value() == is_stuck);
        stuck += is_stuck ? 1 : 0;
    }
    CHECK(stuck > 200);
    CHECK(stuck < 1'800);
}

TEST_CASE("a condition waits for the last existing task among those that it names") {
    Lists lists(1);
    lists.list(false);
    const auto odd = lists.formula([](Indices i) { return i[0] % 2; });
    program::Task& task = lists.task(0, "x", {Lists::index(1, 1'000)});
    task.exists = odd;
    task.after.push_back({0, {Lists::range(Lists::known(1), Lists::known(1'000))}, 0});
    const auto wait = program::endless_wait(*lists.program().tasks);
    REQUIRE(wait.has_value());
    CHECK(wait->chain == std::vector<TaskPlace>{{0, {1}}, {0, {999}}});
    CHECK(wait->is_later);
}

TEST_CASE("a chain of tasks that wait for each other is named from the first that does to itself") {
    Lists lists(2);
    lists.list(false, {Lists::index(1, 4)}).window = 8;
    const auto mirrored = lists.formula([](Indices i) { return 5 - i[0]; });
    lists.task(0, "x");
    lists.task(0, "y").after.push_back({1, {Lists::one(mirrored)}, 0});
    const auto wait = program::endless_wait(*lists.program().tasks);
    REQUIRE(wait.has_value());
    CHECK(wait->chain == std::vector<TaskPlace>{{1, {1}}, {1, {4}}, {1, {1}}});
    CHECK(wait->condition == 0);
    CHECK_FALSE(wait->is_later);
}

TEST_CASE(
    "a window of three tasks that all wait for one another or for tasks behind it is found, one of four goes on") {
    Lists lists(2);
    lists.list(false).window = 3;
    const auto behind = lists.formula([](Indices i) { return i[0] == 1 ? 2 : i[0] + 3; });
    const auto exists = lists.formula([](Indices i) { return i[0] == 4 ? 0 : 1; });
    program::Task& task = lists.task(0, "x", {Lists::index(1, 6)});
    task.after.push_back({0, {Lists::one(behind)}, 0});
    task.exists = exists;
    // 1 waits for 2, 2 for 5, 3 for 6; 4 has no task
    const auto wait = program::endless_wait(*lists.program().tasks);
    REQUIRE(wait.has_value());
    CHECK(wait->chain == std::vector<TaskPlace>{{0, {1}}, {0, {2}}, {0, {5}}});
    CHECK(wait->beyond == 3);
    program::TaskLists wider = *lists.program().tasks;
    wider.lists[0].window = 4;  // 5, then 2 and 1, and 6
    CHECK_FALSE(program::endless_wait(wider).has_value());
}

TEST_CASE("only the first tasks of a long list are looked at") {
    Lists lists(1);
    lists.list(false);
    const auto never = lists.formula([](Indices i) { return i[0] == 0 ? 1 : 0; });
    const auto next = lists.formula([](Indices i) { return i[0] + 1; });
    program::Task& task = lists.task(0, "x", {Lists::index(1, 1'000'000'000'000)});
    task.exists = never;
    task.after.push_back({0, {Lists::one(next)}, 0});
    CHECK_FALSE(program::endless_wait(*lists.program().tasks).has_value());
}
