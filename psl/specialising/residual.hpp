// The expressions that remain after the parameters have values. They form a graph in which equal expressions are one
// node. Some expressions are slots: their values determine the program of a rank.
//
// A node that depends on nothing is a literal. Other nodes depend on the rank's coordinates. While the iterations of
// loops are folded (iterations.hpp), nodes may also depend on the variables of these loops. Evaluation is lazy:
// `choose`, `and` and `or` evaluate only the operands that they need. So an error in a branch that no rank takes is not
// reported.
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
    std::uint16_t level = 0;  // level of the innermost loop whose variable the node depends on; 0 if there is none
    std::uint16_t depth = 1;
    std::array<NodeId, 3> operands{};
    Value value;  // value of a literal, level of a loop variable, or number of a task index
    Span origin;  // where the expression occurs first

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
    /// Returns the node for the variable of the loop with this level. Level 1 is the iteration.
    NodeId loop_variable(unsigned level, Span origin);
    /// Returns the node for an index of a list or a task. `number` counts the enclosing indices.
    NodeId task_index(std::size_t number, Span origin);
    /// Returns the node of an operation. If all operands are literals, computes a literal. If this fails, throws
    /// BadInput. But a `guarded` operation may never be evaluated, so it remains a node, whose evaluation fails.
    NodeId apply(OperatorKind op, std::span<const NodeId> operands, Span origin, bool guarded);
    NodeId choose(NodeId condition, NodeId yes, NodeId no, Span origin);
    /// Returns the node, converted to a real if `kind` is real.
    NodeId coerced(NodeId id, Kind kind, Span origin);

    /// Throws the error at `origin`. `here` is the rank for which the expression was evaluated, if any.
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

/// Returns true if `is_such` is true for the node or one of its operands at any depth. Each node is visited once.
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

/// Evaluates nodes for one rank after another. Values are stored until the next rank.
class Evaluator {
public:
    explicit Evaluator(const Graph& graph);
    void set_rank(Rank rank);
    /// Sets the values of indices. They must outlive the following evaluations.
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

/// The use of a slot's value. It determines how the value is checked and rounded.
enum class Use : std::uint8_t { cost, size, record_size, times, peer, tag, condition, root, colour };

using SlotId = std::uint32_t;

struct ValueSlot {
    Use use = Use::cost;
    NodeId node = 0;
    std::optional<std::int64_t> known;  // the value, if it is the same on all ranks
    Span origin;
};

/// The value of a peer slot if there is no such rank. The rank then skips the operation.
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

/// Converts a value for its use, to picoseconds, bytes, a count, a partner relative to the rank (or kNoPeer), a tag, 0
/// or 1, a rank, or a colour. Throws EvaluationError if this is impossible.
std::int64_t finished(Use use, const Value& value, const EvaluationContext& here);

/// Evaluates slots for one rank after another.
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
