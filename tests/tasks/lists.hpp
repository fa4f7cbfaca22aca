// Task lists for tests, without a model: names, indices with known bounds, conditions by known numbers and by formulas
// written in C++.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::test {

inline constexpr Time us{1'000'000};
constexpr Time operator*(std::int64_t times, Time time) { return Time{times * time.ps}; }

using Indices = std::span<const std::int64_t>;
using Formula = std::function<std::int64_t(Indices)>;

/// Builds the lists of a program on so many ranks in a row.
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

    program::TaskList& list(bool on_nodes, std::vector<program::TaskIndex> indices = {}) {
        program::TaskList list;
        list.on_nodes = on_nodes;
        list.indices = std::move(indices);
        lists_.lists.push_back(list);
        return lists_.lists.back();
    }
    std::uint32_t last_list() const { return static_cast<std::uint32_t>(lists_.lists.size() - 1); }
    void outermost(std::uint32_t list) { lists_.order.push_back(list); }

    /// A task of the list; references stay valid until the next.
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

}  // namespace warpfront::test
