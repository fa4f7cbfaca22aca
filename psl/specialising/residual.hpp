// The expressions of a model that remain after the parameters are bound: a graph in which equal expressions are one
// node, and slots, the few values that determine the program of a rank.
//
// A node without dependencies is a literal. Other nodes depend on the coordinates of the rank or, while loop iterations
// are being split (iterations.hpp), on the variables of these loops. Evaluation is lazy: `choose`, `and` and `or`
// evaluate only the operands they need, so a fault in a branch that no rank takes is never reported.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "psl/checking/model.hpp"
#include "psl/syntax/value.hpp"

namespace warpfront::psl {

using NodeId = std::uint32_t;

struct ExpressionNode {
    OperatorKind op = OperatorKind::literal;
    Kind kind = Kind::any;
    std::uint8_t arity = 0;
    std::uint16_t level = 0;  // level of the innermost loop on whose variable the node depends; 0 if there is none
    std::uint16_t depth = 1;
    std::array<NodeId, 3> operands{};
    Value value;  // value of a literal, level of a loop variable, or number of a task index
    Span origin;  // first occurrence of the expression

    bool literal() const { return op == OperatorKind::literal; }
};

class Graph {
public:
    Graph(const CheckedModel& model, RankGrid grid) : model_(model), grid_(grid) {}

    const ExpressionNode& operator[](NodeId id) const { return nodes_[id]; }
    std::size_t size() const { return nodes_.size(); }
    const RankGrid& grid() const { return grid_; }
    const CheckedModel& model() const { return model_; }

    NodeId literal(const Value& value, Span origin);
    /// Returns the variable of the loop of this level; 1 is the iteration.
    NodeId loop_variable(unsigned level, Span origin);
    /// Returns the index of a list or a task, by its number among the enclosing indices.
    NodeId task_index(std::size_t number, Span origin);
    /// Returns the result of an operation, folded to a literal if possible. If the arithmetic fails, throws BadInput;
    /// but a `guarded` operation, which may never be evaluated, becomes a node whose evaluation fails.
    NodeId apply(OperatorKind op, std::span<const NodeId> operands, Span origin, bool guarded);
    NodeId choose(NodeId condition, NodeId yes, NodeId no, Span origin);
    /// Returns `id`, converted to a real if `kind` is real.
    NodeId coerced(NodeId id, Kind kind, Span origin);

    /// Throws the error at `origin`; `here` is the rank of the evaluation, if any.
    [[noreturn]] void fail(const EvaluationError& error, Span origin, const EvaluationContext* here = nullptr) const;

private:
    struct Key {
        OperatorKind op;
        Kind kind;
        std::array<NodeId, 3> operands;
        Value value;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    NodeId intern(ExpressionNode node);

    const CheckedModel& model_;
    RankGrid grid_;
    std::vector<ExpressionNode> nodes_;
    std::unordered_map<Key, NodeId, Hash> known_;
};

/// Returns true if `is_such` holds for the node or a part of it. Parts are shared, so each is visited once.
template <class IsSuch>
bool any_part(const Graph& graph, NodeId node, const IsSuch& is_such) {
    std::vector<NodeId> open{node};
    std::unordered_set<NodeId> seen{node};
    while (!open.empty()) {
        const NodeId part = open.back();
        open.pop_back();
        if (is_such(part)) return true;
        const ExpressionNode& each = graph[part];
        for (std::size_t k = 0; k < each.arity; ++k) {
            if (seen.insert(each.operands[k]).second) open.push_back(each.operands[k]);
        }
    }
    return false;
}

/// Evaluates nodes for one rank after another; values are kept until the next rank.
class Evaluator {
public:
    explicit Evaluator(const Graph& graph);
    void set_rank(Rank rank);
    /// Sets the indices, which must outlive the evaluations that follow.
    void set_indices(std::span<const std::int64_t> indices) {
        here_.indices = indices;
        ++stamp_;
    }
    const EvaluationContext& here() const { return here_; }
    const Value& value(NodeId id);

private:
    Value evaluate(const ExpressionNode& node);

    const Graph& graph_;
    EvaluationContext here_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> stamps_;
    std::vector<Value> values_;
};

/// The use of a slot's value; it determines the check and the rounding of the value.
enum class Use : std::uint8_t { cost, size, record_size, times, peer, tag, condition, root, colour };

using SlotId = std::uint32_t;

struct ValueSlot {
    Use use = Use::cost;
    NodeId node = 0;
    std::optional<std::int64_t> known;  // the value, if all ranks have the same one
    Span origin;
};

/// The value of a peer slot if there is no partner, so that the rank skips the operation.
inline constexpr std::int64_t kNoPeer = std::numeric_limits<std::int64_t>::min();

class Slots {
public:
    explicit Slots(Graph& graph) : graph_(graph) {}
    SlotId make(Use use, NodeId node, Span origin, bool guarded);
    const ValueSlot& operator[](SlotId id) const { return slots_[id]; }
    std::size_t size() const { return slots_.size(); }

private:
    Graph& graph_;
    std::vector<ValueSlot> slots_;
    std::unordered_map<std::uint64_t, SlotId> known_;  // slots by use and node
};

/// Converts a value for its use: picoseconds, bytes, count, rank minus own rank (or kNoPeer), tag, 0 or 1, rank,
/// colour. Throws EvaluationError if the value does not fit its use.
std::int64_t finished(Use use, const Value& value, const EvaluationContext& here);

/// The values of slots for one rank after another.
class RankValues {
public:
    RankValues(const Slots& slots, const Graph& graph) : slots_(slots), graph_(graph), evaluator_(graph) {}

    void set_rank(Rank rank) { evaluator_.set_rank(rank); }
    void set_indices(std::span<const std::int64_t> indices) { evaluator_.set_indices(indices); }
    const EvaluationContext& here() const { return evaluator_.here(); }
    std::int64_t operator()(SlotId id);

private:
    const Slots& slots_;
    const Graph& graph_;
    Evaluator evaluator_;
};

}  // namespace warpfront::psl
