// Folds expressions to nodes of the graph of residual expressions (residual.hpp). Names are replaced by their values,
// and operations on constants are computed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "psl/checking/model.hpp"
#include "psl/specialising/affine.hpp"
#include "psl/specialising/bindings.hpp"
#include "psl/specialising/bound_values.hpp"
#include "psl/specialising/residual.hpp"

namespace warpfront::psl {

// The choice of the hardware object that contains the times of operations, and the conversion of these times to another
// processor.
//
// The platform states the name and the rate of its processor. The object that describes a processor of this name is
// chosen. If there is none, but the model has only one object, this object is chosen. Its times are multiplied by the
// object's rate / the platform's rate. A number of flops takes flops / the platform's rate. It is an error if the
// platform states no processor, if none of several objects has the name, or if the object describes another processor
// and has no rate.

struct ChosenHardware {
    const Object* object = nullptr;  // null if no object is chosen
    bool described = false;          // true if the object describes the platform's processor
    /// the reason if no object is chosen; follows "no times of operations: " in a message
    std::string reason;
};

ChosenHardware choose_hardware(const CheckedModel& model, const std::optional<Processor>& processor);

/// Returns the expression of `rate`. Returns null if the object has no rate.
const Expression* achieved_rate(const Object& hardware);
/// Returns the expression for the time of an operation. Returns null if the object does not have the operation.
const Expression* operation_time(const Object& hardware, std::string_view name);

/// A scope in which a variable has another value. The end of the scope restores the old value, also after an exception.
template <class Value>
class ScopedValue {
public:
    ScopedValue(Value& variable, Value value)
        : variable_(variable), outer_(std::exchange(variable, std::move(value))) {}
    ~ScopedValue() { variable_ = std::move(outer_); }
    ScopedValue(const ScopedValue&) = delete;
    ScopedValue& operator=(const ScopedValue&) = delete;

private:
    Value& variable_;
    Value outer_;
};

/// The meaning of a variable: a value, or a list of values, or the slots (peer, tag) of a request.
struct NameBinding {
    NodeId node = 0;
    std::vector<NodeId> items;
    unsigned guards = 0;  // value of `Folding::guards` where the variable is declared
    Span argument{};      // for a parameter, the argument in the outermost call; otherwise empty
};
using Frame = std::vector<NameBinding>;

/// An evaluated cost for `warpfront check --costs`: a `compute`, a subtask with a value, or an entry of such a subtask.
struct CostEntry {
    struct NamedNode {
        std::string name;
        NameBinding value;
    };

    const Statement* statement = nullptr;  // statement of a `compute` or an entry; null for a subtask
    const Expression* call = nullptr;      // call of the subtask; null otherwise
    NodeId value = 0;
    std::vector<NamedNode> names;  // names in the expression, with their values
    std::vector<CostEntry> parts;
};

class Folding {
public:
    Folding(Graph& graph, const Bindings& bindings)
        : graph_(graph),
          iterations_(bindings.iterations),
          processor_(bindings.processor),
          hardware_(choose_hardware(graph.model(), bindings.processor)) {}

    NameBinding fold(const Expression& expression);
    /// Folds a single value. Converts it to a real if `kind` is real.
    NodeId value(const Expression& expression, Kind kind);
    /// Returns a value that must be equal on all ranks and in all iterations that are folded now. Throws BadInput
    /// rank_dependent if ranks differ, and SplitRequest if iterations differ.
    Value constant(const Expression& expression, Kind kind, std::string_view what);
    NameBinding coerced(NameBinding binding, Type type, Span origin);

    /// Returns the frame of a call: the given values, and defaults for the others.
    Frame frame_of(const Object& callee, const std::vector<Expression>& given);

    NameBinding& variable(Slot slot) { return slot.local ? (*local)[slot.index] : application[slot.index]; }
    /// Returns the node for the variable of the innermost loop in `loops`.
    NodeId loop_variable(Span origin);
    /// Throws a SplitRequest that splits the iterations until the node does not depend on the loop's variable.
    [[noreturn]] void split(NodeId node) const;
    void step(Span origin);
    /// Adds a note if the model has other dimensions than the process grid. Everything must be folded before.
    void note_planes();
    /// Returns `evaluate(names)`. If `recorded` is set, also adds `record` with this value. The entries that `evaluate`
    /// records become the parts of `record`. Its names are those that `evaluate` adds, and those in `expression`.
    template <class Evaluate>
    NodeId recording(CostEntry record, const Expression* expression, Evaluate evaluate) {
        std::vector<CostEntry>* const outer = recorded;
        if (outer == nullptr) return evaluate(nullptr);
        {
            const ScopedValue<std::vector<CostEntry>*> within(recorded, &record.parts);
            record.value = evaluate(&record.names);
        }
        if (expression != nullptr) add_names(*expression, record.names);
        const NodeId value = record.value;
        outer->push_back(std::move(record));
        return value;
    }

    Frame application;
    Frame* local = nullptr;
    std::vector<LoopVariable> loops;  // variables of the enclosing loops; the first is that of the iteration
    unsigned guards = 0;              // number of enclosing branches that only some ranks take
    std::vector<std::string> notes;
    /// Values that replace defaults. The map is only for lookup.
    std::map<const Object*, std::map<std::string, BoundValue>> objects;
    /// Receives the evaluated costs. Null if costs are not recorded.
    std::vector<CostEntry>* recorded = nullptr;
    std::function<NodeId(const Statement&)> list_time;  // returns the time of a list that a rank runs

private:
    NodeId builtin(const Expression& expression);
    NodeId own_plane(Span origin);
    void mention(const Builtin& builtin);
    NameBinding name(const Expression& expression);
    NameBinding choice(const Expression& expression);
    NameBinding call(const Expression& expression);
    const BoundValue* replaced(const Object& object, const std::string& name) const;
    NodeId cost(const std::vector<Statement>& entries, Span origin);
    void add_names(const Expression& expression, std::vector<CostEntry::NamedNode>& names);
    NodeId entry(const Statement& each, std::vector<CostEntry::NamedNode>* names);
    NodeId average_loop(const Statement& each);
    NodeId cases(const Statement& each);
    NodeId cost_branch(const Statement& each);
    Value machine_rate(const Statement& each) const;
    Value time_of_operation(const Statement& each);
    [[noreturn]] void refuse_hardware(const Statement& each, std::string_view what) const;
    NodeId applied(OperatorKind op, NodeId a, NodeId b, Span origin);
    NodeId interpolate(const Expression& expression);
    NodeId chosen(NodeId condition, NodeId yes, NodeId no, Span origin);
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
    std::optional<Processor> processor_;
    ChosenHardware hardware_;
    std::size_t steps_ = 0;
    unsigned depth_ = 0;  // depth of the expressions that are being folded, through calls of functions
    bool mentions_columns_or_rows_ = false;
    bool mentions_planes_ = false;
    bool mentions_up_or_down_ = false;
};

}  // namespace warpfront::psl
