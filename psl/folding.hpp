// Folds expressions to nodes of the graph: names are replaced by what they mean, constants by their value.
#pragma once

#include <string>
#include <vector>

#include "psl/affine.hpp"
#include "psl/residual.hpp"

namespace warpfront::psl {

/// What a variable or an expression means: a value, a list of values, or (peer, tag) slots of a request.
struct NameBinding {
    NodeId node = 0;
    std::vector<NodeId> items;
};
using Frame = std::vector<NameBinding>;

class Folding {
public:
    Folding(Graph& graph, std::int64_t iterations) : graph_(graph), iterations_(iterations) {}

    NameBinding fold(const Expression& expression);
    /// A single value, as a real where `kind` asks for one.
    NodeId value(const Expression& expression, Kind kind);
    /// The same as a value that all ranks and all trips being folded share; a fault where ranks differ.
    Value constant(const Expression& expression, Kind kind, std::string_view what);
    NameBinding coerced(NameBinding meaning, Type type, Span origin);

    NameBinding& variable(Slot slot) { return slot.local ? (*local)[slot.index] : application[slot.index]; }
    /// The number of the innermost of `loops`.
    NodeId loop_variable(Span origin);
    /// Throws the Distinction without which a node that depends on a loop's variable cannot be known.
    [[noreturn]] void take_apart(NodeId node) const;
    void step(Span origin);

    Frame application;
    Frame* local = nullptr;
    std::vector<LoopVariable> loops;  // whose trips are being folded, the iteration first
    unsigned guards = 0;              // branches around here that some ranks may not take
    std::vector<std::string> notes;

private:
    NodeId builtin(const Expression& expression);
    NameBinding name(const Expression& expression);
    NameBinding choice(const Expression& expression);
    NodeId operation(const Expression& expression);
    NodeId logical(const Expression& expression);
    NodeId whole_division(NodeId node, Span origin);
    NodeId comparison(Op op, NodeId left, NodeId right, Span origin);
    NodeId settled(NodeId node) const;
    void note_share(const Expression& expression, NodeId amount, NodeId parts);

    Graph& graph_;
    std::int64_t iterations_;
    std::size_t steps_ = 0;
};

}  // namespace warpfront::psl
