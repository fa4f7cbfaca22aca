#include "psl/checking/lints.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "psl/checking/constants.hpp"
#include "psl/checking/model.hpp"

namespace warpfront::psl {

namespace {

struct Lint {
    Span span;
    std::string text;
};

// Unused parameters, variables, templates, subtasks, functions and imports. A name counts as used if an expression
// contains it. Expressions of `require` and of `closed_form` count too. A template or subtask counts as used if the
// application calls it, directly or through others. In a file without an application all templates and subtasks count
// as used, since other files may call them.

using Form = Statement::Form;

/// The variables that an object uses, and the objects that it calls.
class Uses {
public:
    explicit Uses(const Object& object) {
        add(object.body);
        for (const Parameter& parameter : object.parameters) {
            for (const Expression& preset : parameter.preset) add(preset);
        }
    }

    bool variable(Slot slot) const { return (slot.local ? local_ : application_).contains(slot.index); }
    const std::set<const Object*>& callees() const { return callees_; }  // only for lookup, so its order has no effect
    bool iterations() const { return iterations_; }
    void join_application(const Uses& inner) {
        application_.insert(inner.application_.begin(), inner.application_.end());
    }

private:
    void add(const std::vector<Statement>& statements) {
        for (const Statement& each : statements) {
            for (const Expression& expression : each.expressions) add(expression);
            if (each.callee != nullptr) callees_.insert(each.callee);
            add(each.body);
            add(each.otherwise);
        }
    }

    void add(const Expression& expression) {
        const bool variable = expression.form == Expression::Form::name && expression.builtin == nullptr;
        iterations_ = iterations_ || (expression.builtin != nullptr && expression.name == "iterations");
        if (variable) (expression.slot.local ? local_ : application_).insert(expression.slot.index);
        if (expression.callee != nullptr) callees_.insert(expression.callee);
        for (const Expression& operand : expression.operands) add(operand);
    }

    std::set<std::uint32_t> local_;
    std::set<std::uint32_t> application_;
    std::set<const Object*> callees_;
    bool iterations_ = false;
};

/// Returns the uses in an application and in its inner objects, which may use its variables.
Uses uses_of(const Object& object) {
    Uses uses(object);
    for (const auto& inner : object.inner) uses.join_application(Uses(*inner));
    return uses;
}

std::string_view kind_of(const Object& object) {
    if (object.form == Object::Form::function) return "function";
    return object.form == Object::Form::subtask ? "subtask" : "template";
}

class UnusedNames {
public:
    UnusedNames(const CheckedModel& model, std::vector<Lint>& found) : model_(model), found_(found) {}

    void run() {
        for (const auto& object : model_.files[0].objects) {
            variables(*object);
            for (const auto& inner : object->inner) variables(*inner);
        }
        if (model_.application != nullptr) uncalled();
        imports();
    }

private:
    void variables(const Object& object) {
        const Uses uses = uses_of(object);
        for (const Parameter& parameter : object.parameters) {
            if (uses.variable(parameter.slot)) continue;
            add(parameter.name.span,
                fmt::format("parameter `{}` of `{}` is never used", parameter.name.text, object.name.text));
        }
        closed_form_ = nullptr;
        for (const Statement& each : object.body) {
            if (each.form == Form::closed_form) closed_form_ = &each;
        }
        variables(object.body, uses);
        std::set<const Statement*> referred;
        add_referred(object.body, referred);
        for (const Statement& each : object.body) {
            if (each.form != Form::record || referred.contains(&each)) continue;
            add(each.name.span, quoted(each, "record", "is neither read nor written"));
        }
    }

    /// Adds the tasks and records to which reads, writes and `after` refer.
    static void add_referred(const std::vector<Statement>& statements, std::set<const Statement*>& referred) {
        for (const Statement& each : statements) {
            for (const TaskClauses& clauses : each.clauses) {
                for (const TaskClauses::Reference& reference : clauses.references) referred.insert(reference.target);
            }
            add_referred(each.body, referred);
        }
    }

    void variables(const std::vector<Statement>& statements, const Uses& uses) {
        for (const Statement& each : statements) {
            variable(each, uses);
            variables(each.body, uses);
            variables(each.otherwise, uses);
        }
    }

    void variable(const Statement& each, const Uses& uses) {
        if (each.name.text.empty() || uses.variable(each.slot)) return;
        switch (each.form) {
            case Form::parameter: return add(each.name.span, quoted(each, "parameter", "is never used"));
            case Form::let:
            case Form::variable: return add(each.name.span, quoted(each, "variable", "is never used"));
            case Form::recv_any:
                return add(each.name.span, quoted(each, "source", "is never used: nothing is sent to it"));
            case Form::for_range:
                return add(each.name.span, quoted(each, "variable", "is never used: `repeat` does the same"));
            case Form::for_each: return add(each.name.span, quoted(each, "variable", "is never used"));
            case Form::iteration:
                if (closed_form_ != nullptr && uses.variable(closed_form_->slot)) return;
                return add(each.name.span, quoted(each, "variable", "is never used: `iteration` needs no name"));
            default: return;
        }
    }

    void uncalled() {
        std::set<const Object*> reached;
        reach(*model_.application, reached);
        const auto check = [&](const std::vector<std::unique_ptr<Object>>& objects) {
            for (const auto& object : objects) {
                if (!object->callable() || reached.contains(object.get())) continue;
                add(object->name.span, fmt::format("{} `{}` is never called", kind_of(*object), object->name.text));
            }
        };
        check(model_.files[0].objects);
        check(model_.application->inner);
    }

    /// Adds the objects that are called directly or indirectly. The checker limits the depth of calls.
    void reach(const Object& object, std::set<const Object*>& reached) const {
        const Uses uses(object);
        for (const Object* callee : uses.callees()) {
            if (reached.insert(callee).second) reach(*callee, reached);
        }
    }

    /// Returns true for a file with hardware objects. The platform chooses one of them, so the model does not call
    /// them.
    bool has_hardware(std::uint32_t file) const {
        const auto& objects = model_.files[file].objects;
        return std::ranges::any_of(objects, [](const auto& object) { return object->form == Object::Form::hardware; });
    }

    void imports() {
        std::set<std::uint32_t> called;
        const auto add_calls = [&](const Object& object) {
            const Uses uses(object);
            for (const Object* callee : uses.callees()) called.insert(callee->name.span.file);
        };
        for (const auto& object : model_.files[0].objects) {
            add_calls(*object);
            for (const auto& inner : object->inner) add_calls(*inner);
        }
        std::set<std::uint32_t> imported;
        for (const Import& import : model_.files[0].imports) {
            if (!imported.insert(import.file).second) {
                add(import.span, fmt::format("`{}` is imported already", import.path));
            } else if (!called.contains(import.file) && !has_hardware(import.file)) {
                add(import.span, fmt::format("nothing from `{}` is called", import.path));
            }
        }
    }

    static std::string quoted(const Statement& each, std::string_view kind, std::string_view what) {
        return fmt::format("{} `{}` {}", kind, each.name.text, what);
    }
    void add(Span span, std::string text) { found_.push_back({span, std::move(text)}); }

    const CheckedModel& model_;
    std::vector<Lint>& found_;
    /// The closed form of the current object. It has the same variable as the iteration.
    const Statement* closed_form_ = nullptr;
};

/// Finds statements that have no effect, or are never executed, for any parameters. Their condition, number of
/// iterations, amount or partner is a constant (constants.hpp). Arguments of templates are not examined.
class DeadStatements {
public:
    explicit DeadStatements(std::vector<Lint>& found) : found_(found) {}

    /// Checks an object. The variables of an application are also visible in its inner objects.
    void object(const Object& object) {
        constants_.enter_object();
        block(object.body);
        for (const auto& inner : object.inner) {
            constants_.enter_object();
            block(inner->body);
        }
    }

private:
    void block(const std::vector<Statement>& statements) {
        for (const Statement& each : statements) statement(each);
    }

    void statement(const Statement& each) {
        for (const Expression& expression : each.expressions) choices(expression);
        switch (each.form) {
            case Form::let: return constants_.bind(each);
            case Form::branch: return branch(each);
            case Form::compute: return work(each);
            case Form::analytic: return each.body.empty() ? work(each) : block(each.body);
            case Form::send:
            case Form::ssend:
            case Form::isend: return message(each, each.expressions[1]);
            case Form::recv:
            case Form::irecv: return message(each, each.expressions[0]);
            case Form::collective: return collective(each);
            case Form::repeat:
            case Form::for_range:
            case Form::for_each: return loop(each);
            case Form::task_list: return task_list(each);
            case Form::task: return task(each);
            case Form::record: indices(each, "there is no such record"); return;
            case Form::read_record:
            case Form::write_record: return references(each, each.form == Form::read_record ? "read" : "written");
            default: return block(each.body);
        }
    }

    void task_list(const Statement& each) {
        if (each.body.empty()) add(each.span, "the list has no tasks");
        if (indices(each, "the list has no tasks")) block(each.body);
    }

    void task(const Statement& each) {
        const std::optional<std::uint32_t>& condition = each.clauses[0].condition;
        const bool never = condition && truth(each.expressions[*condition]) == false;
        if (never) add(each.expressions[*condition], "the condition is always false: there is no such task");
        if (!indices(each, "there is no such task") || never) return;
        references(each, "waited for");
        block(each.body);
    }

    /// Returns true if every index has values. Otherwise adds a note if an index has none for any parameters.
    bool indices(const Statement& each, std::string_view consequence) {
        for (std::size_t k = 0; k < each.clauses[0].indices.size(); ++k) {
            const std::optional<Value> first = constants_.value(each.expressions[2 * k]);
            const std::optional<Value> last = constants_.value(each.expressions[2 * k + 1]);
            if (!first || !last || last->whole >= first->whole) continue;
            add(each.expressions[2 * k],
                fmt::format("`{}` has no values: {}", each.clauses[0].indices[k].name.text, consequence));
            return false;
        }
        return true;
    }

    void references(const Statement& each, std::string_view what) {
        for (const TaskClauses::Reference& reference : each.clauses[0].references) {
            for (const TaskClauses::Part& part : reference.parts) {
                const Expression& value = each.expressions[part.expression];
                if (!part.is_range && constants_.length(value) == 0)
                    add(value, fmt::format("the list of indices is empty: nothing is {}", what));
            }
        }
    }

    void branch(const Statement& each) {
        const std::optional<bool> known = truth(each.expressions[0]);
        if (known == false && !each.body.empty()) {
            add(each.expressions[0], "the condition is always false: the block is never executed");
        }
        if (known == true && !each.otherwise.empty()) {
            add(each.expressions[0], "the condition is always true: the `else` is never executed");
        }
        if (known != false) block(each.body);
        if (known != true) block(each.otherwise);
    }

    void loop(const Statement& each) {
        if (!never_runs(each)) return block(each.body);
        add(each.expressions[0], "the loop has no iterations: its body is never executed");
    }

    bool never_runs(const Statement& each) const {
        if (each.form == Form::for_each) return constants_.length(each.expressions[0]) == 0;
        const std::optional<Value> first = constants_.value(each.expressions[0]);
        if (each.form == Form::repeat) return first && first->whole == 0;
        const std::optional<Value> last = constants_.value(each.expressions[1]);
        return first && last && last->whole < first->whole;
    }

    void work(const Statement& each) {
        const std::optional<Value> time = constants_.value(each.expressions[0]);
        if (time && time->amount == 0.0L)
            add(each.expressions[0], "this work takes no time: the statement does nothing");
    }

    void message(const Statement& each, const Expression& peer) {
        const std::optional<Value> known = constants_.value(peer);
        if (!known || known->whole != kNobody) return;
        add(peer, fmt::format("messages {} `nobody` do not exist: this statement does nothing",
                              each.expressions.size() > 1 && &peer == &each.expressions[1] ? "to" : "from"));
    }

    /// Checks the value after `over`: `over rows` is probably a mistake for `over row`.
    void collective(const Statement& each) {
        if (!each.over_some) return;
        const Expression& colour = each.colour();
        const bool extent = colour.builtin != nullptr && (colour.name == "rows" || colour.name == "columns" ||
                                                          colour.name == "planes" || colour.name == "ranks");
        if (extent || constants_.value(colour)) {
            add(colour,
                "this value is the same on all ranks, so all ranks take part: expected `over row`, `over column`, or "
                "no `over`");
        }
    }

    /// Checks every `if C then A else B` within the expression.
    void choices(const Expression& expression) {
        if (expression.form == Expression::Form::choose) {
            const std::optional<bool> known = truth(expression.operands[0]);
            if (known) {
                add(expression.operands[0],
                    fmt::format("the condition is always {0}: the value after `{1}` is never used", *known,
                                *known ? "else" : "then"));
            }
        }
        for (const Expression& operand : expression.operands) choices(operand);
    }

    std::optional<bool> truth(const Expression& condition) const {
        const std::optional<Value> known = constants_.value(condition);
        return known ? std::optional(known->whole != 0) : std::nullopt;
    }
    void add(const Expression& at, std::string text) { add(at.span, std::move(text)); }
    void add(Span at, std::string text) { found_.push_back({at, std::move(text)}); }

    std::vector<Lint>& found_;
    Constants constants_;
};

}  // namespace

std::vector<std::string> lints(const Model& model) {
    std::vector<Lint> found;
    UnusedNames(model.checked(), found).run();
    for (const auto& object : model.checked().files[0].objects) DeadStatements(found).object(*object);
    std::ranges::stable_sort(found, [](const Lint& a, const Lint& b) { return a.span.offset < b.span.offset; });
    std::vector<std::string> notes;
    for (const Lint& lint : found) {
        notes.push_back(fmt::format("{}: {}", input::text_of(model.checked().range_of(lint.span)), lint.text));
    }
    return notes;
}

std::vector<std::string> unused_parameters(const Model& model) {
    const Object* application = model.checked().application;
    std::vector<std::string> names;
    if (application == nullptr) return names;
    const Uses uses = uses_of(*application);
    for (const Statement& each : application->body) {
        if (each.form == Form::parameter && !uses.variable(each.slot)) names.push_back(each.name.text);
    }
    return names;
}

bool has_task_lists(const Model& model) {
    const auto has_one = [](const auto& object) {
        return std::ranges::any_of(object->body,
                                   [](const Statement& each) { return each.form == Statement::Form::task_list; });
    };
    return std::ranges::any_of(model.checked().files, [&](const auto& file) {
        return std::ranges::any_of(file.objects, [&](const auto& object) {
            return has_one(object) || std::ranges::any_of(object->inner, has_one);
        });
    });
}

bool mentions_iterations(const Model& model) {
    return std::ranges::any_of(model.checked().files, [](const auto& file) {
        return std::ranges::any_of(file.objects, [](const auto& object) {
            return Uses(*object).iterations() ||
                   std::ranges::any_of(object->inner, [](const auto& inner) { return Uses(*inner).iterations(); });
        });
    });
}

}  // namespace warpfront::psl
