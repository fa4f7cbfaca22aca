// Task lists whose shares are fixed: the event engine and SimGrid have the same times, and say the same of where time
// went.
//
// Not pinned here: times added up by hand, beyond those that both have (tests/tasks).
#include <doctest/doctest.h>
#include <cstdio>

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

record::Record tasks_on_simgrid(const program::Program& program, const machine::Machine& machine) {
    return reference::run_tasks(program, machine, {});
}

class DrawTasks {
public:
    explicit DrawTasks(std::uint64_t trial) : random_({trial}, Purpose::figure, 1, 0) {}
    std::int64_t from(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most - least + 1)));
    }
    bool one_of(std::int64_t n) { return from(1, n) == 1; }

private:
    Random random_;
};

struct TaskCase {
    program::Program program;
    machine::Machine machine;
};

struct Shape {
    bool alone = false;       // every transfer has its channels for itself
    bool manager = false;
    bool conditions = true;
};

/// Steps of bricks with their neighbours' step before as conditions, passes of pencils within.
TaskCase drawn_tasks(std::uint64_t trial, const Shape& shape) {
    DrawTasks draw(trial);
    const auto nodes = static_cast<std::uint32_t>(draw.from(1, 4));
    const auto per_node = static_cast<std::uint32_t>(draw.from(1, 4));
    TaskCase all;
    all.machine = cluster(nodes, per_node, !shape.alone && draw.one_of(2));
    machine::ClusterMemory& memory = all.machine.cluster_memory;
    if (!shape.alone) {
        memory.servers = static_cast<std::uint32_t>(draw.from(1, 3));
        if (draw.one_of(2)) memory.server = {Bandwidth{1.5e6}, Bandwidth{2.5e6}, draw.one_of(2)};
        if (memory.server.shared) memory.server.write.reset();
    }
    if (draw.one_of(3)) memory.buffers = static_cast<std::uint32_t>(draw.from(1, 3));
    if (draw.one_of(3)) memory.latency = draw.from(1, 500'000) * us;
    if (shape.manager) all.machine.task_manager = {draw.from(0, 100'000) * us, draw.from(0, 100'000) * us};
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
    const auto before = lists.formula([](Indices indices) { return indices[0] - 1; });
    const auto own = lists.formula([](Indices indices) { return indices[1]; });
    const auto west = lists.formula([](Indices indices) { return indices[1] - 1; });
    const auto east = lists.formula([](Indices indices) { return indices[1] + 1; });
    const auto exists = lists.formula([](Indices indices) { return indices[1] % 3 == 2 ? 0 : 1; });
    program::Task& brick = lists.task(0, "brick", {Lists::index(1, bricks)});
    if (!shape.conditions && draw.one_of(2)) brick.exists = exists;
    if (shape.conditions) brick.after.push_back({0, {Lists::one(before), Lists::range(west, east)}, 0});
    const bool reads_more = !shape.alone && draw.one_of(2);
    brick.steps = {Lists::read(0, {reads_more ? Lists::range(west, east) : Lists::one(own)})};
    brick.prefetched = 1;
    if (draw.one_of(3)) brick.steps.push_back(Lists::compute(draw.from(0, 1'000'000) * us));
    brick.steps.push_back(Lists::inner(1));
    if (!shape.alone && draw.one_of(3)) brick.steps.push_back(Lists::read(0, {Lists::one(own)}));
    if (!shape.alone && draw.one_of(3)) brick.steps.push_back(Lists::inner(1));
    brick.steps.push_back(Lists::write(0, {Lists::one(own)}));
    brick.written_behind = 1;
    const auto pass_before = lists.formula([](Indices indices) { return indices[2] - 1; });
    const auto cost =
        lists.formula([](Indices indices) { return (1 + (indices[1] * 7 + indices[3] * 3) % 5) * s.ps / 4; });
    program::Task& pencil = lists.task(1, "pencil", {Lists::index(1, draw.from(0, 12))});
    if (shape.conditions && draw.one_of(2)) pencil.after.push_back({1, {Lists::one(pass_before)}, 0});
    pencil.steps = {Lists::compute(cost)};
    all.program = lists.program();
    return all;
}

}  // namespace

TEST_CASE("probe") {
    for (const bool alone : {true, false}) for (const bool manager : {false, true}) for (bool conditions : {false, true}) {
        int same = 0, cores = 0, margins = 0, within = 0; double worst = 0; std::int64_t first = -1;
        const int n = 150;
        for (std::uint64_t trial = 0; trial < n; ++trial) {
            const TaskCase each = drawn_tasks(trial, {alone, manager, conditions});
            const record::Record a = tasks::run(each.program, each.machine, {});
            const record::Record b = tasks_on_simgrid(each.program, each.machine);
            same += a.finish == b.finish;
            const auto d = static_cast<double>(a.finish.ps - b.finish.ps);
            if (std::abs(d) > 1000 && first < 0) first = static_cast<std::int64_t>(trial);
            worst = std::max(worst, std::abs(d));
            within += std::abs(d) <= 10;
            bool c = true;
            for (const auto& part : record::kCoreTimeParts) c = c && a.tasks->cores.*part.time == b.tasks->cores.*part.time;
            cores += c;
            margins += a.tasks->margins == b.tasks->margins && a.tasks->prefetched == b.tasks->prefetched && a.tasks->least_margin == b.tasks->least_margin
              && a.tasks->tasks == b.tasks->tasks && a.tasks->updates == b.tasks->updates && a.tasks->read.count == b.tasks->read.count
              && a.tasks->node_load == b.tasks->node_load && a.tasks->server_load == b.tasks->server_load;
        }
        std::printf("alone %d manager %d conditions %d: same %d within %d cores %d rest %d of %d, worst %g ps, first far %ld\n", alone, manager, conditions, same, within, cores, margins, n, worst, (long)first);
    }
}
