// Task lists for tests, without a model: names, indices with known bounds, conditions by known numbers and by formulas
// written in C++; and the lists that several suites run.
#pragma once

#include "simulator/program/program.hpp"
#include "simulator/units/random.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

inline constexpr Time us{1'000'000};
inline constexpr Time s{1'000'000'000'000};
constexpr Time operator*(std::int64_t times, Time time) { return Time{times * time.ps}; }

using Indices = std::span<const std::int64_t>;
using Formula = std::function<std::int64_t(Indices)>;

/// Builder of the lists of a program on a number of ranks in a row.
class Lists {
public:
    explicit Lists(std::uint32_t ranks = 1) {
        program_.grid.columns = ranks;
        program_.sites.push_back({"model.psl", 1, 1, "task"});
    }

    static program::TaskNumber known(std::int64_t number) { return {number, {}}; }
    program::TaskNumber formula(Formula formula) {
        formulas_->push_back(std::move(formula));
        return {0, static_cast<std::uint32_t>(formulas_->size() - 1)};
    }
    static program::TaskIndex index(std::int64_t first, std::int64_t last) { return {"", known(first), known(last)}; }

    /// Adds a list; the first one is the application's.
    program::TaskList& list(bool on_nodes, std::vector<program::TaskIndex> indices = {}) {
        if (lists_.lists.empty()) lists_.order.push_back(0);
        program::TaskList list;
        list.on_nodes = on_nodes;
        list.indices = std::move(indices);
        lists_.lists.push_back(list);
        return lists_.lists.back();
    }

    /// Adds a task to the list; references stay valid until the next.
    program::Task& task(std::uint32_t list, std::string name, std::vector<program::TaskIndex> indices = {}) {
        program::Task task;
        task.name = std::move(name);
        task.indices = std::move(indices);
        lists_.lists[list].tasks.push_back(static_cast<std::uint32_t>(lists_.tasks.size()));
        lists_.tasks.push_back(task);
        return lists_.tasks.back();
    }
    static program::TaskStep compute(Time time) { return {program::TaskStep::Form::compute, 0, 0, known(time.ps), {}}; }
    static program::TaskStep compute(program::TaskNumber number) {
        return {program::TaskStep::Form::compute, 0, 0, number, {}};
    }
    static program::TaskStep inner(std::uint32_t list) { return {program::TaskStep::Form::list, 0, list, {}, {}}; }
    static program::TaskStep read(std::uint32_t record, std::vector<program::Subscript> items = {}) {
        return {program::TaskStep::Form::read, 0, record, {}, std::move(items)};
    }
    static program::TaskStep write(std::uint32_t record, std::vector<program::Subscript> items = {}) {
        return {program::TaskStep::Form::write, 0, record, {}, std::move(items)};
    }
    static program::Subscript one(program::TaskNumber number) { return {{number}, false}; }
    static program::Subscript range(program::TaskNumber first, program::TaskNumber last) {
        return {{first, last}, true};
    }
    std::uint32_t record(std::int64_t bytes, std::vector<program::TaskIndex> indices = {}, bool given = true) {
        lists_.records.push_back({"data", std::move(indices), known(bytes), given, 0});
        return static_cast<std::uint32_t>(lists_.records.size() - 1);
    }

    /// Returns index `at` plus `offset`.
    program::TaskNumber shifted(std::size_t at, std::int64_t offset) {
        return formula([=](Indices indices) { return indices[at] + offset; });
    }
    /// Returns the item or task with index `at`.
    program::Subscript own(std::size_t at = 0) { return one(shifted(at, 0)); }
    /// Returns the index before, such as that of the previous turn or pass.
    program::Subscript before(std::size_t at = 0) { return one(shifted(at, -1)); }
    /// Returns an index and its neighbours.
    program::Subscript near(std::size_t at) { return range(shifted(at, -1), shifted(at, 1)); }

    program::Program program() const {
        program::Program program = program_;
        program::TaskLists lists = lists_;
        lists.formulas = [formulas = formulas_] { return std::make_unique<Evaluation>(formulas); };
        program.tasks = std::make_shared<const program::TaskLists>(std::move(lists));
        return program;
    }

private:
    struct Evaluation : program::TaskFormulas {
        explicit Evaluation(std::shared_ptr<std::vector<Formula>> all) : formulas(std::move(all)) {}
        std::int64_t value(std::uint32_t formula, Indices indices) override { return (*formulas)[formula](indices); }
        std::shared_ptr<std::vector<Formula>> formulas;
    };

    program::Program program_;
    program::TaskLists lists_;
    std::shared_ptr<std::vector<Formula>> formulas_ = std::make_shared<std::vector<Formula>>();
};

/// Returns a list of `tasks` tasks that each take this long, on the cores of a row of ranks.
inline program::Program loop(std::uint32_t ranks, std::int64_t tasks, Time each,
                             program::Take::Rule rule = program::Take::Rule::chunk, std::int64_t chunk = 1) {
    Lists lists(ranks);
    lists.list(false).take = {rule, chunk};
    lists.task(0, "body", {Lists::index(1, tasks)}).steps = {Lists::compute(each)};
    return lists.program();
}

/// The draws of a trial.
class Draw {
public:
    explicit Draw(std::uint64_t trial, std::uint32_t stream = 0) : random_({trial}, Purpose::figure, stream, 0) {}
    std::int64_t from(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most - least + 1)));
    }
    bool one_of(std::int64_t n) { return from(1, n) == 1; }

private:
    Random random_;
};

/// Returns bricks of 1 MB on nodes, one fetched ahead, each of four pencils on the node's cores; a brick reads and
/// writes its own item.
inline program::Program bricks(std::uint32_t ranks, std::int64_t count, Formula pencil) {
    Lists lists(ranks);
    program::TaskList& list = lists.list(true);
    list.ahead = 1;
    lists.list(false);
    lists.record(1'000'000, {Lists::index(1, count)});
    program::Task& brick = lists.task(0, "brick", {Lists::index(1, count)});
    brick.steps = {Lists::read(0, {lists.own()}), Lists::inner(1), Lists::write(0, {lists.own()})};
    brick.prefetched = brick.written_behind = 1;
    const auto cost = lists.formula(std::move(pencil));
    lists.task(1, "pencil", {Lists::index(1, 4)}).steps = {Lists::compute(cost)};
    return lists.program();
}

/// Returns the hand schedule of two nodes of two cores: five bricks, whose pencils take 1, 2, 3 and 4 s.
inline program::Program five_bricks() {
    return bricks(4, 5, [](Indices indices) { return indices[1] * s.ps; });
}

/// Returns one task on each node: some read 1 GB and compute 20 s, the others write 1 GB.
inline program::Program readers_and_writers(std::int64_t reading, std::int64_t writing) {
    Lists lists(static_cast<std::uint32_t>(reading + writing));
    lists.list(true);
    lists.record(1'000'000'000);
    lists.record(1'000'000'000, {Lists::index(1, writing)}, false);
    program::Task& reader = lists.task(0, "reader", {Lists::index(1, reading)});
    reader.steps = {Lists::read(0), Lists::compute(20 * s)};
    reader.prefetched = 1;
    program::Task& writer = lists.task(0, "writer", {Lists::index(1, writing)});
    writer.steps = {Lists::write(1, {lists.own()})};
    writer.written_behind = 1;
    return lists.program();
}

/// Returns two tasks of which the first waits for the second.
inline program::Program first_waits_for_second() {
    Lists lists;
    lists.list(false);
    lists.task(0, "first").after.push_back({1, {}, 0});
    lists.task(0, "second").steps = {Lists::compute(s)};
    return lists.program();
}

/// Returns a task that reads an item that no task writes.
inline program::Program reader_of_nothing() {
    Lists lists;
    lists.list(true);
    lists.record(1, {}, false);
    program::Task& reader = lists.task(0, "reader");
    reader.steps = {Lists::read(0)};
    reader.prefetched = 1;
    return lists.program();
}

}  // namespace warpfront::test
