// Folds expressions to nodes of the graph: names are replaced by their bindings, constants by their values.
#pragma once

#include <string>
#include <vector>

#include "psl/affine.hpp"
#include "psl/residual.hpp"

namespace warpfront::psl {

/// The binding of a variable or an expression: a value, a list of values, or (peer, tag) slots of a request.
struct NameBinding {
    NodeId node = 0;
    std::vector<NodeId> items;
    unsigned guards = 0;  // of a variable: Folding::guards at its declaration
};
using Frame = std::vector<NameBinding>;

class Folding {
public:
    Folding(Graph& graph, std::int64_t iterations) : graph_(graph), iterations_(iterations) {}

    NameBinding fold(const Expression& expression);
    /// A single value, converted to a real if `kind` is real.
    NodeId value(const Expression& expression, Kind kind);
    /// The same as a value shared by all ranks and all trips being folded; a fault if ranks differ.
    Value constant(const Expression& expression, Kind kind, std::string_view what);
    NameBinding coerced(NameBinding binding, Type type, Span origin);

    NameBinding& variable(Slot slot) { return slot.local ? (*local)[slot.index] : application[slot.index]; }
    /// The number of the innermost of `loops`.
    NodeId loop_variable(Span origin);
    /// Throws the Distinction that makes a node known which depends on a loop's variable.
    [[noreturn]] void split(NodeId node) const;
    void step(Span origin);

    Frame application;
    Frame* local = nullptr;
    std::vector<LoopVariable> loops;  // being folded, the iteration first
    unsigned guards = 0;              // enclosing branches that not all ranks take
    std::vector<std::string> notes;

private:
    NodeId builtin(const Expression& expression);
    NameBinding name(const Expression& expression);
    NameBinding choice(const Expression& expression);
    NameBinding call(const Expression& expression);
    NodeId index(const Expression& expression);
    NodeId item_at(const std::vector<NodeId>& items, std::size_t from, std::size_t to, NodeId index, Span origin);
    NodeId operation(const Expression& expression);
    NodeId logical(const Expression& expression);
    NodeId whole_division(NodeId node, Span origin);
    NodeId comparison(OperatorKind op, NodeId left, NodeId right, Span origin);
    NodeId settled(NodeId node) const;
    void note_share(const Expression& expression, NodeId amount, NodeId parts);

    Graph& graph_;
    std::int64_t iterations_;
    std::size_t steps_ = 0;
    unsigned depth_ = 0;  // of expressions being folded, through functions
};

}  // namespace warpfront::psl
