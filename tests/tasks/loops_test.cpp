// Self-scheduled loops: the number of chunks with each rule, and the times of equal and unequal tasks.
#include "simulator/analytic/task_lists.hpp"
#include "simulator/tasks/run.hpp"
#include "simulator/tasks/sequence.hpp"
#include "tests/approx.hpp"
#include "tests/tasks/machines.hpp"

using Rule = program::Take::Rule;

namespace {

machine::Machine cores(std::uint32_t count, std::uint32_t per_node) {
    machine::Machine machine;
    machine.placement = machine::cut(RankGrid{{count, 1, 1}}, machine::Patch{{per_node, 1, 1}});
    machine.cores = per_node;
    return machine;
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

TEST_CASE("guided self-scheduling of 1000 tasks on 4 workers takes 22 chunks, of a quarter of the rest each") {
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
    const auto cost = lists.formula([](Indices indices) { return (1 + indices[0] % 7) * us.ps; });
    lists.task(0, "body", {Lists::index(1, 700'000)}).steps = {Lists::compute(cost)};
    const double formula = seconds(analytic::task_list_time(lists.program(), cores(4, 4)).total);
    CHECK(formula == approx(0.7).epsilon(0.01));  // 700,000 of 4 us on 4 cores
}

namespace {

/// Returns turn k of n: p, then one a for each i beyond k, which waits for p. All tasks take 1 ms.
program::Program triangle(std::uint32_t workers, std::int64_t n) {
    Lists lists(workers);
    lists.list(false, {Lists::index(1, n)}).window = 1000;
    lists.task(0, "p").steps = {Lists::compute(1000 * us)};
    const auto exists = lists.formula([](Indices indices) { return indices[1] > indices[0] ? 1 : 0; });
    program::Task& a = lists.task(0, "a", {Lists::index(1, n)});
    a.exists = exists;
    a.after = {{0, {lists.own()}}};
    a.steps = {Lists::compute(1000 * us)};
    return lists.program();
}

/// Returns a right-looking Cholesky factorisation of 12 x 12 tiles: 12 potrf of 1 ms, 66 trsm of 2 ms, 66 updates of
/// the diagonal of 1.5 ms, and 220 other updates of 3 ms.
program::Program cholesky(std::uint32_t workers) {
    constexpr std::int64_t kTiles = 12;
    Lists lists(workers);
    lists.list(false, {Lists::index(1, kTiles)}).window = 1000;
    const auto tiles = Lists::index(1, kTiles);
    lists.task(0, "potrf").steps = {Lists::compute(1000 * us)};
    lists.task(0, "trsm", {tiles}).steps = {Lists::compute(2000 * us)};
    const auto cost = lists.formula([](Indices at) { return (at[1] == at[2] ? 1500 * us : 3000 * us).ps; });
    lists.task(0, "update", {tiles, tiles}).steps = {Lists::compute(cost)};
    program::Program program = lists.program();
    program::TaskLists all = *program.tasks;
    const auto before = lists.before();
    const auto own = [&](std::size_t at) { return lists.own(at); };
    all.tasks[0].after = {{2, {before, own(0), own(0)}}};
    all.tasks[1].exists = lists.formula([](Indices at) { return at[1] > at[0] ? 1 : 0; });
    all.tasks[1].after = {{0, {own(0)}}, {2, {before, own(1), own(0)}}};
    all.tasks[2].exists = lists.formula([](Indices at) { return at[2] > at[0] && at[1] >= at[2] ? 1 : 0; });
    all.tasks[2].after = {{1, {own(0), own(1)}}, {1, {own(0), own(2)}}, {2, {before, own(1), own(2)}}};
    program.tasks = std::make_shared<const program::TaskLists>(std::move(all));
    return program;
}

/// Returns the closed form and the run, in milliseconds.
std::pair<double, double> milliseconds_of(const program::Program& program, std::uint32_t workers) {
    return {1e3 * seconds(analytic::task_list_time(program, cores(workers, workers)).total),
            1e3 * seconds(tasks::run(program, cores(workers, workers), {}).finish)};
}

}  // namespace

TEST_CASE("the closed form of tasks with conditions: one worker takes the sum, many take the critical path") {
    // 12 p and 11 + 10 + ... + 1 = 66 a; nothing delays a p, so many workers run all p, then all a.
    CHECK(milliseconds_of(triangle(1, 12), 1) == std::pair(78.0, 78.0));
    CHECK(milliseconds_of(triangle(66, 12), 66) == std::pair(2.0, 2.0));
    // 8 workers: ceil(12 / 8) + ceil(66 / 8) = 11 rounds by the profile; the run fills the second with a.
    CHECK(milliseconds_of(triangle(8, 12), 8) == std::pair(11.0, 10.0));

    // 12 * 1 + 66 * 2 + 66 * 1.5 + 220 * 3 = 903.
    CHECK(milliseconds_of(cholesky(1), 1) == std::pair(903.0, 903.0));
    // From potrf to potrf at least trsm and the update of the diagonal; from trsm to trsm the update off it:
    // 1 + 10 * (2 + 3) + 2 + 1.5 + 1 = 55.5.
    CHECK(milliseconds_of(cholesky(144), 144) == std::pair(55.5, 55.5));
    for (const std::uint32_t workers : {2U, 4U, 8U, 16U, 32U, 64U}) {
        CAPTURE(workers);
        const auto [formula, run] = milliseconds_of(cholesky(workers), workers);
        CHECK(formula >= std::max(903.0 / workers, 55.5));
        CHECK(formula <= 903.0 / workers + (1.0 - 1.0 / workers) * 55.5);
        CHECK(formula == approx(run).epsilon(0.12));
    }
}

TEST_CASE("the closed form of turns of unequal size with barriers is the sum of the turns") {
    // Turn k has k tasks of 1 ms: 1 + 2 + ... + 10 = 55 on one worker; 4 * 1 + 4 * 2 + 2 * 3 = 18 on four.
    for (const auto& [workers, expected] : {std::pair{1U, 55.0}, {4U, 18.0}, {16U, 10.0}}) {
        Lists lists(workers);
        lists.list(false, {Lists::index(1, 10)});
        const auto exists = lists.formula([](Indices indices) { return indices[1] <= indices[0] ? 1 : 0; });
        const auto before = lists.before();
        program::Task& task = lists.task(0, "body", {Lists::index(1, 10)});
        task.exists = exists;
        task.after = {{0, {before}}};
        task.steps = {Lists::compute(1000 * us)};
        CHECK(milliseconds_of(lists.program(), workers) == std::pair(expected, expected));
    }
}

TEST_CASE("the closed form of chunks on one worker is the sum of the work") {
    const program::Program program = loop(1, 78, 1000 * us, Rule::chunk, 10);
    CHECK(milliseconds_of(program, 1) == std::pair(78.0, 78.0));  // not 8 chunks of 10
}

TEST_CASE("the closed form of tasks of nodes that wait for each other takes at least the longest chain") {
    // Ten turns of two bricks of 1 s, each after the brick of its number: 20 on one node, 10 on two, and on five.
    for (const auto& [nodes, expected] : {std::pair{1U, 20.0}, {2U, 10.0}, {5U, 10.0}}) {
        Lists lists(nodes);
        lists.list(true, {Lists::index(1, 10)}).window = 4;
        const auto before = lists.before();
        const auto own = lists.own(1);
        program::Task& brick = lists.task(0, "brick", {Lists::index(1, 2)});
        brick.after = {{0, {before, own}}};
        brick.steps = {Lists::compute(s)};
        const auto program = lists.program();
        CHECK(seconds(analytic::task_list_time(program, cores(nodes, 1)).total) == expected);
        CHECK(seconds(tasks::run(program, cores(nodes, 1), {}).finish) == expected);
    }
}

TEST_CASE("the closed form of a list that is too long to be written out reports that conditions are missing") {
    Lists lists(4);
    lists.list(false, {Lists::index(1, 100)});
    const auto before = lists.before();
    const auto own = lists.own(1);
    program::Task& task = lists.task(0, "body", {Lists::index(1, 1001)});
    task.after = {{0, {before, own}}};
    task.steps = {Lists::compute(1000 * us)};
    const auto time = analytic::task_list_time(lists.program(), cores(4, 4));
    CHECK(time.without_conditions);
    CHECK(seconds(time.total) == approx(100 * 251 * 1e-3));  // ceil(1001 / 4) = 251 a turn
    CHECK_FALSE(analytic::task_list_time(triangle(4, 12), cores(4, 4)).without_conditions);
}

TEST_CASE("a run reports its progress, and an exception of the report ends it") {
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
