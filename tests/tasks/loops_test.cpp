// Self-scheduled loops: how many chunks each rule makes, and how long equal and unequal tasks take.
#include <array>
#include <numeric>

#include <doctest/doctest.h>

#include "simulator/analytic/task_lists.hpp"
#include "simulator/tasks/run.hpp"
#include "simulator/tasks/sequence.hpp"
#include "tests/tasks/lists.hpp"
#include "tests/tasks/machines.hpp"

using namespace warpfront;
using namespace warpfront::test;
using Rule = program::Take::Rule;

namespace {

machine::Machine cores(std::uint32_t count, std::uint32_t per_node) {
    machine::Machine machine;
    machine.placement = machine::cut(RankGrid{{count, 1, 1}}, machine::Patch{{per_node, 1, 1}});
    machine.cores = per_node;
    return machine;
}

/// One loop of equal tasks on cores.
program::Program loop(std::uint32_t ranks, std::int64_t tasks, Time each, Rule rule = Rule::chunk,
                      std::int64_t chunk = 1) {
    Lists lists(ranks);
    lists.list(false).take = {rule, chunk};
    lists.outermost(0);
    lists.task(0, "body", {Lists::index(1, tasks)}).steps = {Lists::compute(each)};
    return lists.program();
}

std::vector<std::int64_t> chunks(Rule rule, std::int64_t tasks, std::uint32_t workers) {
    const program::Program program = loop(workers, tasks, us, rule);
    const program::TaskNumbers numbers(*program.tasks);
    tasks::Sequence sequence(*program.tasks, numbers, 0, {}, workers);
    std::vector<std::int64_t> sizes;
    while (const auto chunk = sequence.take(0)) sizes.push_back(chunk->end - chunk->next);
    return sizes;
}

}  // namespace

TEST_CASE("guided self-scheduling of 1000 tasks on 4 workers takes 22 chunks, of a quarter of what is left each") {
    const auto sizes = chunks(Rule::guided, 1000, 4);
    CHECK(sizes.size() == 22);
    CHECK(std::vector(sizes.begin(), sizes.begin() + 4) == std::vector<std::int64_t>{250, 188, 141, 106});
    CHECK(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) == 1000);
}

TEST_CASE("factoring of 1000 tasks on 4 workers takes 32 chunks, in batches of four") {
    const auto sizes = chunks(Rule::factoring, 1000, 4);
    CHECK(sizes.size() == 32);
    CHECK(std::vector(sizes.begin(), sizes.begin() + 5) == std::vector<std::int64_t>{125, 125, 125, 125, 63});
}

TEST_CASE("the trapezoid of 1000 tasks on 4 workers takes 15 chunks, from an eighth down") {
    const auto sizes = chunks(Rule::trapezoid, 1000, 4);
    CHECK(sizes.size() == 15);
    CHECK(sizes.front() == 125);
    CHECK(std::is_sorted(sizes.rbegin(), sizes.rend()));
}

TEST_CASE("n equal tasks of t with an overhead of h take ceil(n / P) (t + h)") {
    machine::Machine machine = cores(4, 4);
    machine.task_manager.overhead = 2 * us;
    const auto record = tasks::run(loop(4, 1001, 10 * us), machine, {});
    CHECK(record.finish == WideTime(251 * 12 * us));
    const record::CoreTime& use = record.tasks->cores;
    CHECK(use.compute == WideTime(1001 * 10 * us));
    CHECK(use.manager == WideTime(1001 * 2 * us));
    CHECK(use.no_task == WideTime(3 * 12 * us));
    CHECK(use.total() == WideTime(4 * 251 * 12 * us));
}

TEST_CASE("the closed form of equal tasks on cores is what they take") {
    for (const std::int64_t tasks : {1, 7, 512, 513, 8193}) {
        for (const std::int64_t chunk : {1, 4}) {
            machine::Machine machine = cores(128, 128);
            machine.task_manager.overhead = us;
            const program::Program program = loop(128, tasks, 10 * us, Rule::chunk, chunk);
            CAPTURE(tasks);
            const WideTime formula = analytic::task_list_time(program, machine).total;
            const WideTime stepped = tasks::run(program, machine, {}).finish;
            CHECK(stepped <= formula);
            if (tasks % (128 * chunk) == 0 || chunk == 1) CHECK(stepped == formula);
        }
    }
}

TEST_CASE("the closed form of many unequal tasks takes the mean of some of them") {
    Lists lists(4);
    lists.list(false);
    lists.outermost(0);
    const auto cost = lists.formula([](Indices indices) { return (1 + indices[0] % 7) * us.ps; });
    lists.task(0, "body", {Lists::index(1, 700'000)}).steps = {Lists::compute(cost)};
    const double formula = seconds(analytic::task_list_time(lists.program(), cores(4, 4)).total);
    CHECK(formula == doctest::Approx(0.7).epsilon(0.01));  // 700,000 of 4 us on 4 cores
}

TEST_CASE("a run says how far it is, and ends by what is thrown then") {
    tasks::Options options;
    std::int64_t latest = 0;
    options.poll = [&latest](const tasks::Progress& progress) {
        CHECK(progress.places == 1'000'000);
        CHECK(progress.done >= latest);
        latest = progress.done;
        if (latest > 100'000) throw std::runtime_error("enough");
    };
    for (const Time each : {us, Time{}}) {  // those without work as well
        latest = 0;
        CHECK_THROWS_WITH(tasks::run(loop(4, 1'000'000, each), cores(4, 4), options), "enough");
        CHECK(latest < 200'000);
    }
}

TEST_CASE("a run of a list without any task ends by what is thrown as well") {
    Lists lists;
    lists.list(false);
    lists.outermost(0);
    lists.task(0, "body", {Lists::index(1, 1'000'000'000'000)}).exists = Lists::known(0);
    tasks::Options options;
    int polls = 0;
    options.poll = [&polls](const tasks::Progress&) {
        if (++polls > 5) throw std::runtime_error("enough");
    };
    CHECK_THROWS_WITH(tasks::run(lists.program(), cores(1, 1), options), "enough");
}

TEST_CASE("places without a task may be passed for long: meanwhile a sequence polls, and ends by what is thrown then") {
    Lists lists;
    lists.list(false);
    lists.outermost(0);
    const auto exists = lists.formula([](Indices indices) { return indices[0] == 200'000 ? 1 : 0; });
    lists.task(0, "body", {Lists::index(1, 1'000'000'000'000)}).exists = exists;
    const program::Program program = lists.program();
    const program::TaskNumbers numbers(*program.tasks);
    int polls = 0;
    tasks::Sequence sequence(*program.tasks, numbers, 0, {}, 1, [&polls] {
        if (++polls > 5) throw std::runtime_error("enough");
    });
    CHECK(polls == 3);  // up to the first that exists
    CHECK_THROWS_WITH(sequence.take(0), "enough");
    CHECK(polls == 6);
}

TEST_CASE("a manager that serves one request at a time bounds the rate of tasks") {
    // Four workers, tasks of 10 us, a service of 5 us: the manager is always busy, the last of 100 begins at 500.
    machine::Machine machine = cores(4, 4);
    machine.task_manager.service = 5 * us;
    CHECK(tasks::run(loop(4, 100, 10 * us), machine, {}).finish == WideTime(510 * us));
}

TEST_CASE("a pass of 8193, 2049 and 513 tasks on 128 cores takes one round more than its share") {
    const auto over = [](std::int64_t tasks) {
        const auto finish = tasks::run(loop(128, tasks, us), cores(128, 128), {}).finish;
        const double ideal = static_cast<double>(tasks) / 128 * static_cast<double>(us.ps);
        return 100.0 * (static_cast<double>(finish.ps) / ideal - 1.0);
    };
    CHECK(over(8192) == 0.0);
    CHECK(over(8193) == doctest::Approx(1.55).epsilon(0.003));
    CHECK(over(2049) == doctest::Approx(6.20).epsilon(0.003));
    CHECK(over(513) == doctest::Approx(24.76).epsilon(0.003));
}

TEST_CASE("unequal tasks take between W / P and W / P + (1 - 1 / P) t_max, by Graham's bound") {
    Lists lists(4);
    lists.list(false);
    lists.outermost(0);
    const auto cost = lists.formula([](Indices indices) { return (1 + indices[0] * 7919 % 13) * us.ps; });
    lists.task(0, "body", {Lists::index(1, 1000)}).steps = {Lists::compute(cost)};
    std::int64_t work = 0;
    for (std::int64_t i = 1; i <= 1000; ++i) work += (1 + i * 7919 % 13) * us.ps;
    const Wide finish = tasks::run(lists.program(), cores(4, 4), {}).finish.ps;
    CHECK(finish >= work / 4);
    CHECK(finish <= work / 4 + 13 * us.ps * 3 / 4);
}

TEST_CASE("fixed shares are a worker's own: a long task delays what stands behind it") {
    // 8 tasks on 2 workers, the first takes 10 us, the others 1 us: 13 and 4 us.
    Lists lists(2);
    lists.list(false).take.rule = Rule::fixed;
    lists.outermost(0);
    const auto cost = lists.formula([](Indices indices) { return indices[0] == 1 ? 10 * us.ps : us.ps; });
    lists.task(0, "body", {Lists::index(1, 8)}).steps = {Lists::compute(cost)};
    CHECK(tasks::run(lists.program(), cores(2, 2), {}).finish == WideTime(13 * us));
    Lists shared(2);
    shared.list(false);
    shared.outermost(0);
    const auto same = shared.formula([](Indices indices) { return indices[0] == 1 ? 10 * us.ps : us.ps; });
    shared.task(0, "body", {Lists::index(1, 8)}).steps = {Lists::compute(same)};
    CHECK(tasks::run(shared.program(), cores(2, 2), {}).finish == WideTime(10 * us));
}

TEST_CASE("a core whose chunk ends on a place without a task asks with the others, the first of them first") {
    // Chunks of three places: 1.5 s, 1.5 s and none for core 0; three of 1 s for core 1. At 3 s both ask: core 0 takes
    // the three of 10 s, core 1 those of 1 s.
    Lists lists(2);
    program::TaskList& list = lists.list(false);
    list.take.chunk = 3;
    lists.outermost(0);
    program::Task& task = lists.task(0, "task", {Lists::index(0, 11)});
    task.exists = lists.formula([](Indices indices) { return indices[0] == 2 ? 0 : 1; });
    task.steps = {Lists::compute(lists.formula([](Indices indices) {
        constexpr std::array<std::int64_t, 4> kHalves{3, 2, 20, 2};
        return kHalves[static_cast<std::size_t>(indices[0] / 3)] * s.ps / 2;
    }))};
    const record::Record record = tasks::run(lists.program(), cluster(1, 2), {});
    CHECK(record.rank_breakdown[0].compute == WideTime(3 * s + 30 * s));
    CHECK(record.rank_breakdown[1].compute == WideTime(3 * s + 3 * s));
}
