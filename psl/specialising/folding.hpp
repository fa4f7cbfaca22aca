// Folds expressions into nodes of the graph of residual expressions (residual.hpp): replaces names by their bindings
// and constants by their values.
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

// The choice of the hardware object with the times of operations, and the conversion of these times to another
// processor.
//
// The platform states its processor: a name and a rate. The object that describes a processor of this name is chosen;
// if no object does, and the model has only one, that one. The object's times are multiplied by its rate / the
// platform's rate. A number of flops takes flops / the platform's rate. Missing information is an error: the object is
// for another processor and has no rate, none of several objects has the name, or the platform states no processor.

struct ChosenHardware {
    const Object* object = nullptr;  // null if there is none
    bool described = false;          // true if the object describes the platform's processor
    std::string reason;              // reason why there is no object; completes "no times of operations: ..."
};

ChosenHardware choose_hardware(const CheckedModel& model, const std::optional<Processor>& processor);

/// Returns the expression of `rate`; null if the object has none.
const Expression* achieved_rate(const Object& hardware);
/// Returns the expression of an operation's time; null if the object has none.
const Expression* operation_time(const Object& hardware, std::string_view name);

/// A scope in which a variable has another value. Its end restores the old value, also after an exception.
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

/// The binding of a variable or an expression: a value, a list of values, or (peer, tag) slots of a request.
struct NameBinding {
    NodeId node = 0;
    std::vector<NodeId> items;
    unsigned guards = 0;  // value of Folding::guards at the declaration of a variable
    Span argument{};      // argument of a parameter in the outermost call; otherwise a span of length 0
};
using Frame = std::vector<NameBinding>;

/// An evaluated `compute`, subtask with a value, or entry of such a subtask: for `warpfront check --costs`.
struct CostEntry {
    struct NamedNode {
        std::string name;
        NameBinding value;
    };

    const Statement* statement = nullptr;  // statement of the entry; null for a subtask
    const Expression* call = nullptr;      // call of a subtask
    NodeId value = 0;
    std::vector<NamedNode> names;  // names in the entry's expression, with their values
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
    /// Folds a single value, converted to a real if `kind` is real.
    NodeId value(const Expression& expression, Kind kind);
    /// Returns the value of an expression that is equal on all ranks and in all iterations being folded. Throws
    /// BadInput rank_dependent if ranks differ, and Distinction if iterations differ.
    Value constant(const Expression& expression, Kind kind, std::string_view what);
    NameBinding coerced(NameBinding binding, Type type, Span origin);

    /// Returns the frame of a call: its values, and defaults for values that are left out.
    Frame frame_of(const Object& callee, const std::vector<Expression>& given);

    NameBinding& variable(Slot slot) { return slot.local ? (*local)[slot.index] : application[slot.index]; }
    /// Returns the node of the variable of the innermost of `loops`.
    NodeId loop_variable(Span origin);
    /// Throws the Distinction that splits the iterations so that the node no longer depends on the loop's variable.
    [[noreturn]] void split(NodeId node) const;
    void step(Span origin);
    /// Adds a note if the dimensions of the model and of the process grid disagree, once everything is folded.
    void note_planes();
    /// Returns `evaluate(names)`. If `recorded` is set, adds `record` to it with this value. The parts of this entry
    /// are the entries that `evaluate` records; its names are those that `evaluate` adds to `names`, and those in
    /// `expression`.
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
    std::vector<LoopVariable> loops;  // variables of the enclosing loops, that of the iteration first
    unsigned guards = 0;              // number of enclosing branches that only some ranks take
    std::vector<std::string> notes;
    /// Values that replace defaults; for lookup only.
    std::map<const Object*, std::map<std::string, BoundValue>> objects;
    /// List that receives the evaluated subtasks; null if nothing is recorded.
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
    unsigned depth_ = 0;  // depth of the expressions that are being folded, through functions
    bool mentions_columns_or_rows_ = false;
    bool mentions_planes_ = false;
    bool mentions_up_or_down_ = false;
};

}  // namespace warpfront::psl
