// What remains of a model's expressions once parameters are bound: a graph in which equal expressions are one node,
// and slots, the few values that the program of a rank is made of.
//
// A node that depends on nothing is a literal. Others depend on the rank's place, or, while the trips of loops are
// still being taken apart (trips.hpp), on the variables of these loops. Evaluating is lazy: `choose`, `and`, `or` look
// only at what they need, so what is wrong in a branch that no rank takes is never reported.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "psl/model.hpp"
#include "psl/value.hpp"

namespace warpfront::psl {

using NodeId = std::uint32_t;

struct Node {
    Op op = Op::literal;
    Kind kind = Kind::any;
    std::uint8_t arity = 0;
    std::uint16_t level = 0;  // of the innermost loop whose variable it depends on; 0: none
    std::uint16_t depth = 1;
    std::array<NodeId, 3> operands{};
    Value value;  // literal; of a loop variable the level
    Span origin;  // where it was first written

    bool literal() const { return op == Op::literal; }
};

class Graph {
public:
    Graph(const CheckedModel& model, RankGrid grid) : model_(model), grid_(grid) {}

    const Node& operator[](NodeId id) const { return nodes_[id]; }
    std::size_t size() const { return nodes_.size(); }
    const RankGrid& grid() const { return grid_; }
    const CheckedModel& model() const { return model_; }

    NodeId literal(const Value& value, Span origin);
    /// The int that the loop of this level counts with; 1: the iteration.
    NodeId loop_variable(unsigned level, Span origin);
    /// Folds where it can. Where folding fails: a fault, or, where `guarded` (it may never be reached), a node that
    /// fails when it is evaluated.
    NodeId apply(Op op, std::span<const NodeId> operands, Span origin, bool guarded);
    NodeId choose(NodeId condition, NodeId yes, NodeId no, Span origin);
    /// `id`, or the same as a real where `kind` asks for one.
    NodeId coerced(NodeId id, Kind kind, Span origin);

    /// The fault at `origin`; `here`: for which rank, if for one.
    [[noreturn]] void fail(const EvaluationError& trouble, Span origin, const EvaluationContext* here = nullptr) const;

private:
    struct Key {
        Op op;
        Kind kind;
        std::array<NodeId, 3> operands;
        Value value;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    NodeId intern(Node node);

    const CheckedModel& model_;
    RankGrid grid_;
    std::vector<Node> nodes_;
    std::unordered_map<Key, NodeId, Hash> known_;
};

/// Evaluates nodes for one rank after another; what one rank has evaluated once is kept until the next.
class Evaluator {
public:
    explicit Evaluator(const Graph& graph);
    void stand_at(Rank rank);
    const EvaluationContext& here() const { return here_; }
    const Value& value(NodeId id);

private:
    Value evaluate(const Node& node);

    const Graph& graph_;
    EvaluationContext here_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> stamps_;
    std::vector<Value> values_;
};

/// What a slot's value is for: how it is checked and rounded.
enum class Use : std::uint8_t { cost, size, times, peer, tag, condition };

using SlotId = std::uint32_t;

struct ValueSlot {
    Use use = Use::cost;
    NodeId node = 0;
    std::optional<std::int64_t> known;  // the same on all ranks
    Span origin;
};

/// No partner: the operation vanishes.
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
    std::unordered_map<std::uint64_t, SlotId> known_;  // by use and node
};

/// Picoseconds, bytes, times, rank minus own rank (or kNoPeer), tag, 0 or 1; throws EvaluationError where the value is
/// no such thing.
std::int64_t finished(Use use, const Value& value, const EvaluationContext& here);

}  // namespace warpfront::psl
