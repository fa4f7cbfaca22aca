// The task lists of an application after the parameters have values. A value that depends on the indices of lists and
// tasks is a slot of the graph. The other values are constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <variant>
#include <vector>

#include "psl/checking/model.hpp"
#include "psl/specialising/folding.hpp"
#include "psl/specialising/residual.hpp"
#include "simulator/program/task_lists.hpp"

namespace warpfront::psl {

/// Evaluates slots for the indices of tasks. The slots and the graph must outlive this object; `owner` may own them.
class TaskSlots : public program::TaskFormulas {
public:
    TaskSlots(const Slots& slots, const Graph& graph, std::shared_ptr<const void> owner = {})
        : owner_(std::move(owner)), values_(slots, graph) {}

    std::int64_t value(std::uint32_t formula, std::span<const std::int64_t> indices) override {
        values_.set_indices(indices);
        return values_(formula);
    }

private:
    std::shared_ptr<const void> owner_;
    RankValues values_;
};

/// The result for a list with a value that fails. Only some ranks execute the list, and the value fails on each of
/// them.
struct FailingValue {
    NodeId node;  // expression whose evaluation fails
};

class TaskListMaker {
public:
    /// Makes a TaskListMaker after the parameters of the application have values. `site` returns the number of a
    /// statement among the program's sites.
    TaskListMaker(const CheckedModel& model, Folding& folding, Graph& graph, Slots& slots,
                  std::function<std::uint16_t(const Statement&)> site)
        : model_(model), folding_(folding), graph_(graph), slots_(slots), site_(std::move(site)) {}

    /// Returns all lists. The formulas in the lists are the numbers of their slots. Throws BadInput if a value differs
    /// from rank to rank.
    program::TaskLists make();
    /// Returns a single list that ranks execute. Throws SplitRequest if the list differs between iterations of an
    /// enclosing loop. If an argument of the subtask causes an error, it is reported at the argument.
    std::variant<program::TaskLists, FailingValue> make(const Statement& each);
    /// Returns the ranges of the conditions (Task::after) of each task.
    const std::vector<std::vector<Span>>& condition_spans() const { return condition_spans_; }

private:
    void record(const Statement& each);
    std::uint32_t list(const Statement& each);
    void step(const Statement& each, program::Task& task);
    void conditions(const Statement& each, const Statement& list, program::Task& task);
    program::TaskStep transfer(const Statement& each);
    std::vector<program::Subscript> subscripts(const Statement& each, const TaskClauses::Reference& reference);
    std::vector<program::TaskIndex> bounds(const Statement& each);
    void enter(const Statement& each);
    program::TaskNumber number(Use use, const Expression& expression, Kind kind);
    program::TaskNumber number(Use use, NodeId node, const Expression& written);
    std::int64_t option(const Statement& each, const std::optional<std::uint32_t>& position, std::int64_t otherwise,
                        std::int64_t least, std::string_view what);
    bool differs_between_ranks(NodeId node) const;
    std::optional<NodeId> failing(NodeId node, std::unordered_set<NodeId>& seen) const;
    Span place(const Expression& written) const;
    Span place_of_ranks(NodeId node, const Expression& written) const;
    void refuse_failing(NodeId node) const;
    void refuse_ranks(NodeId node, const Expression& written) const;
    void refuse_many_places(const Statement& each, const program::TaskList& list) const;

    const CheckedModel& model_;
    Folding& folding_;
    Graph& graph_;
    Slots& slots_;
    std::function<std::uint16_t(const Statement&)> site_;
    program::TaskLists lists_;
    std::vector<std::vector<Span>> condition_spans_;
    std::size_t depth_ = 0;                                // number of enclosing indices
    std::map<const Statement*, std::uint32_t> numbers_{};  // numbers of tasks and records; only for lookup
};

}  // namespace warpfront::psl
