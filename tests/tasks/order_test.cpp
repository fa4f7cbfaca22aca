// Tasks that wait for ever: what is found before a run is what the run ends by.
#include "simulator/program/task_order.hpp"

#include <doctest/doctest.h>

#include "simulator/tasks/run.hpp"
#include "tests/tasks/lists.hpp"
#include "tests/tasks/machines.hpp"

using namespace warpfront;
using namespace warpfront::test;
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

/// Two kinds of tasks over two indices with conditions at random distances, on two cores.
program::Program drawn_lists(std::uint64_t trial) {
    Draw draw(trial);
    const auto from = [&draw](std::int64_t least, std::int64_t most) { return draw.from(least, most); };
    Lists lists(2);
    program::TaskList& list = lists.list(false, {Lists::index(1, from(1, 3))});
    list.window = from(1, 2) == 1 ? 1 : from(2, 8);
    if (list.window == 1 && from(1, 2) == 1) list.take = {static_cast<Rule>(from(0, 4)), from(1, 3)};
    lists.outermost(0);
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
    for (std::uint64_t trial = 0; trial < 3'000; ++trial) {
        const program::Program program = drawn_lists(trial);
        const bool is_found = program::endless_wait(*program.tasks).has_value();
        const bool is_stuck = gets_stuck(program, 2);
        CAPTURE(trial);
        CHECK(is_found <= is_stuck);
        found += is_found ? 1 : 0;
        stuck += is_stuck ? 1 : 0;
    }
    CHECK(stuck > 400);
    CHECK(found > stuck / 2);
}

TEST_CASE("a chain of tasks that wait for each other is named from the first that does to itself") {
    Lists lists(2);
    lists.list(false, {Lists::index(1, 4)}).window = 8;
    lists.outermost(0);
    const auto mirrored = lists.formula([](Indices i) { return 5 - i[0]; });
    lists.task(0, "x");
    lists.task(0, "y").after.push_back({1, {Lists::one(mirrored)}, 0});
    const auto wait = program::endless_wait(*lists.program().tasks);
    REQUIRE(wait.has_value());
    CHECK(wait->chain == std::vector<TaskPlace>{{1, {1}}, {1, {4}}, {1, {1}}});
    CHECK(wait->condition == 0);
    CHECK_FALSE(wait->is_later);
}

TEST_CASE("only the first tasks of a long list are looked at") {
    Lists lists(1);
    lists.list(false);
    lists.outermost(0);
    const auto never = lists.formula([](Indices i) { return i[0] == 0 ? 1 : 0; });
    const auto next = lists.formula([](Indices i) { return i[0] + 1; });
    program::Task& task = lists.task(0, "x", {Lists::index(1, 1'000'000'000'000)});
    task.exists = never;
    task.after.push_back({0, {Lists::one(next)}, 0});
    CHECK_FALSE(program::endless_wait(*lists.program().tasks).has_value());
}
