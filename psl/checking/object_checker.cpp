#include "psl/checking/object_checker.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "psl/checking/model.hpp"
#include "psl/syntax/keywords.hpp"
#include "psl/syntax/roles.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::psl {

namespace {

using Form = Statement::Form;

bool assigned(Slot slot, const std::vector<Statement>& statements) {
    return std::ranges::any_of(statements, [&](const Statement& each) {
        const bool same = each.slot.local == slot.local && each.slot.index == slot.index;
        return (each.form == Form::assign && same) || assigned(slot, each.body) || assigned(slot, each.otherwise);
    });
}

/// Returns true if `statements` assign a variable of the expression.
bool changes(const Expression& expression, const std::vector<Statement>& statements) {
    const bool variable = expression.form == Expression::Form::name && expression.builtin == nullptr;
    if (variable && assigned(expression.slot, statements)) return true;
    return std::ranges::any_of(expression.operands,
                               [&](const Expression& operand) { return changes(operand, statements); });
}

class ObjectChecker {
public:
    ObjectChecker(const CheckedModel& model, const Callables& callables, std::vector<Call>& calls, Diagnostics& faults)
        : model_(model), callables_(callables), calls_(calls), expressions_(model, scope_, callables, calls, faults) {}

    void application(Object& object) {
        enter(object);
        for (const Statement& each : object.body) {
            if (each.form == Form::iteration && !each.name.text.empty()) iteration_name_ = &each.name;
        }
        std::size_t done = 0;
        const auto inner_up_to = [&](std::size_t items) {
            for (const auto& inner : object.inner) {
                if (inner->declared_after == items) block_object(*inner);
            }
            enter(object);
        };
        for (Statement& each : object.body) {
            inner_up_to(done++);
            item(each);
        }
        inner_up_to(done);
    }

    void block_object(Object& object) {
        enter(object);
        const std::size_t outer = scope_.size();
        bool presets = false;
        for (Parameter& parameter : object.parameters) {
            if (presets && parameter.preset.empty()) {
                expressions_.fault(
                    DiagnosticKind::wrong_arity, parameter.name.span,
                    fmt::format("`{}` has no default, but follows a parameter with one", parameter.name.text),
                    "expected parameters without a default first");
            }
            presets = presets || !parameter.preset.empty();
            for (Expression& preset : parameter.preset) {
                expressions_.check(preset, parameter.type, fmt::format("the default of `{}`", parameter.name.text));
            }
            parameter.slot = declare(parameter.name, parameter.type);
        }
        block(object.body);
        scope_.shrink(outer);
    }

    void hardware(Object& object) {
        enter(object);
        std::vector<std::string> names;
        for (Statement& each : object.body) {
            const bool rate = each.form == Form::achieved_rate;
            const Type wanted{rate ? Kind::rate : Kind::time, false};
            expressions_.check(each.expressions[0], wanted, rate ? "the rate" : "the time of an operation");
            const std::string name = rate ? "rate" : each.name.text;
            if (std::ranges::find(names, name) != names.end()) {
                expressions_.fault(DiagnosticKind::duplicate_name, rate ? each.span : each.name.span,
                                   fmt::format("a second `{}`", name), "expected one per hardware object");
            }
            names.push_back(name);
        }
    }

private:
    struct OpenRequest {
        Name name;
        Slot slot;
        bool sends = false;
        bool waited = false;
        const Statement* statement = nullptr;
    };

    Slot declare(const Name& name, Type type) {
        const Builtin* builtin = find_builtin(name.text);
        if (scope_.find(name.text) || (builtin && !builtin->may_be_hidden) || find_function(name.text)) {
            expressions_.fault(DiagnosticKind::duplicate_name, name.span,
                               fmt::format("`{}` already has a meaning here", name.text), "expected a new name");
        }
        return scope_.declare(name.text, type, object_->form != Object::Form::application, object_->slots);
    }

    void enter(Object& object) {
        object_ = &object;
        expressions_.enter(object);
    }

    void item(Statement& each) {
        switch (each.form) {
            case Form::iteration: return iteration(each);
            case Form::closed_form: return closed_form(each);
            case Form::record: return record(each);
            case Form::task_list: return task_list(each, nullptr);
            case Form::parameter:
                if (!each.expressions.empty()) {
                    expressions_.check(each.expressions[0], each.declared,
                                       fmt::format("the default of `{}`", each.name.text));
                }
                each.slot = declare(each.name, each.declared);
                if (!each.role.text.empty()) role(each);
                return;
            default: return statement(each);
        }
    }

    void role(const Statement& parameter) {
        const Name& name = parameter.role;
        const RoleDescription* found = find_role(name.text);
        if (found == nullptr) {
            std::vector<std::string> names;
            for (const RoleDescription& each : kRoles) names.emplace_back(each.name);
            return expressions_.fault(DiagnosticKind::unknown_name, name.span,
                                      fmt::format("no parameter can have the role `{}`", name.text),
                                      input::suggestion(name.text, names));
        }
        if (type_name(parameter.declared) != found->type) {
            expressions_.fault(
                DiagnosticKind::wrong_type, name.span,
                fmt::format("`{}`, {}, cannot be of type `{}`", name.text, found->what, type_name(parameter.declared)),
                fmt::format("expected a parameter of type `{}`", found->type));
        }
        const auto [earlier, is_new] = roles_.try_emplace(name.text, parameter.name.text);
        if (is_new) return;
        expressions_.fault(DiagnosticKind::duplicate_name, name.span,
                           fmt::format("`{}` has the role `{}` already", earlier->second, name.text),
                           "expected one parameter with this role");
    }

    void iteration(Statement& each) {
        const std::size_t outer = scope_.size();
        if (!each.name.text.empty()) each.slot = declare(each.name, {Kind::integer, false});
        block(each.body);
        scope_.shrink(outer);
    }

    void closed_form(Statement& each) {
        const std::size_t outer = scope_.size();
        if (iteration_name_) each.slot = declare(*iteration_name_, {Kind::integer, false});
        fields(each);
        scope_.shrink(outer);
    }

    void fields(Statement& block) {
        std::vector<std::string> given;
        for (Statement& entry : block.body) field(entry, given);
        std::string missing;
        for (const Field& known : kFields) {
            if (!known.required || std::ranges::find(given, known.name) != given.end()) continue;
            missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", known.name);
        }
        if (!missing.empty()) {
            expressions_.fault(DiagnosticKind::missing_field, block.span,
                               fmt::format("the closed form lacks {}", missing));
        }
    }

    void field(Statement& entry, std::vector<std::string>& given) {
        const auto known = std::ranges::find_if(kFields, [&](const Field& f) { return f.name == entry.name.text; });
        if (known == kFields.end()) {
            std::vector<std::string> names;
            for (const Field& each : kFields) names.emplace_back(each.name);
            expressions_.fault(DiagnosticKind::unknown_name, entry.name.span,
                               fmt::format("a closed form has no field `{}`", entry.name.text),
                               input::suggestion(entry.name.text, names));
            return;
        }
        if (std::ranges::find(given, entry.name.text) != given.end()) {
            expressions_.fault(DiagnosticKind::duplicate_name, entry.name.span,
                               fmt::format("`{}` is given twice", entry.name.text));
        }
        given.push_back(entry.name.text);
        expressions_.check(entry.expressions[0], known->type, fmt::format("`{}`", known->name));
    }

    void block(std::vector<Statement>& statements) {
        const std::size_t outer = scope_.size();
        requests_.emplace_back();
        sources_.emplace_back();
        for (Statement& each : statements) statement(each);
        for (const OpenRequest& request : requests_.back()) {
            if (request.waited) continue;
            expressions_.fault(DiagnosticKind::unwaited_request, request.name.span,
                               fmt::format("nothing waits for `{}`", request.name.text),
                               fmt::format("expected `wait {}` later in this block", request.name.text));
        }
        requests_.pop_back();
        sources_.pop_back();
        scope_.shrink(outer);
    }

    void statement(Statement& each) {
        switch (each.form) {
            case Form::let:
            case Form::variable: return variable(each);
            case Form::assign: return assignment(each);
            case Form::result: return expressions_.check(each.expressions[0], object_->result, "the value");
            case Form::require:
                return expressions_.check(each.expressions[0], {Kind::boolean, false}, "the requirement");
            case Form::note: return note(each);
            case Form::compute: return amount(each, Kind::time, "the work");
            case Form::task_list: return list_of_rank(each);
            case Form::analytic: return analytic(each);
            case Form::trace: return trace(each);
            case Form::send:
            case Form::isend:
            case Form::ssend:
            case Form::recv:
            case Form::irecv:
            case Form::sendrecv: return message(each);
            case Form::wait: return wait(each);
            case Form::waitall: return refuse_in_subtask(each.span, "`waitall`");
            case Form::waitany: return refuse_in_subtask(each.span, "`waitany`");
            case Form::recv_any:
            case Form::irecv_any: return receive_any(each);
            case Form::allreduce:
            case Form::collective: return collective(each);
            case Form::branch:
                expressions_.check(each.expressions[0], {Kind::boolean, false}, "the condition");
                block(each.body);
                return block(each.otherwise);
            case Form::duration:
            case Form::flops:
            case Form::count:
            case Form::average_loop:
            case Form::cases:
            case Form::alternative: return cost_entry(each);
            case Form::call: return call(each);
            case Form::while_loop: return while_loop(each);
            case Form::phase: return block(each.body);
            case Form::for_range:
            case Form::for_each:
            case Form::repeat: return loop(each);
            case Form::parameter:
            case Form::iteration:
            case Form::closed_form:
            case Form::field:
            case Form::achieved_rate:
            case Form::operation:
            case Form::read_record:
            case Form::write_record:
            case Form::task:
            case Form::record:
            case Form::reply:
            case Form::ireply: return;  // other functions check these forms, or this checker makes them from a send
        }
    }

    void note(Statement& each) {
        expressions_.check(each.expressions[0], {Kind::boolean, false}, "the condition");
        const std::size_t values = each.expressions.size() - 1;
        for (std::size_t k = 1; k <= values; ++k) {
            const Type type = expressions_.check(each.expressions[k]);
            if (!type.list) continue;
            expressions_.fault(DiagnosticKind::wrong_type, each.expressions[k].span, "a note cannot contain a list",
                               "expected an item of the list");
        }
        std::size_t marks = 0;
        for (std::size_t at = 0; (at = each.message.find(kNoteMark, at)) != std::string::npos; at += kNoteMark.size())
            ++marks;
        if (marks == values) return;
        expressions_.fault(DiagnosticKind::wrong_arity, each.span,
                           fmt::format("the text of this note has {} `{{}}`, but the note has {}", marks,
                                       input::counted(values, "value")),
                           "expected one value for each `{}` of the text");
    }

    void amount(Statement& each, Kind kind, std::string_view what) {
        expressions_.check(each.expressions[0], {kind, false}, what);
    }

    void analytic(Statement& each) {
        refuse_in_subtask(each.span, "`analytic`");
        if (each.expressions.empty()) return fields(each);
        amount(each, Kind::time, "the time");
    }

    void trace(Statement& each) {
        refuse_in_subtask(each.span, "`trace`");
        if (!each.expressions.empty()) amount(each, Kind::rate, "the rate");
    }

    void refuse_in_subtask(Span span, std::string_view what) {
        if (object_->form != Object::Form::subtask) return;
        expressions_.fault(DiagnosticKind::message_in_subtask, span,
                           fmt::format("{} is not allowed in a subtask", what),
                           "expected it in a template: a subtask only computes");
    }

    void loop(Statement& each) {
        if (each.form == Form::repeat) {
            expressions_.check(each.expressions[0], {Kind::integer, false}, "the number of times");
            return loop_body(each);
        }
        Type type{Kind::integer, false};
        if (each.form == Form::for_range) {
            for (Expression& bound : each.expressions) expressions_.check(bound, type, "the bound");
        } else {
            const Type list = expressions_.check(each.expressions[0]);
            if (!list.list && list != Type{}) {
                expressions_.fault(DiagnosticKind::wrong_type, each.expressions[0].span,
                                   fmt::format("`for` is given a value of type `{}`", type_name(list)),
                                   "expected a list or a range such as `1..4`");
            }
            type = {list.kind, false};
        }
        const std::size_t variable = scope_.size();
        each.slot = declare(each.name, type);
        loop_body(each);
        each.uses_variable = scope_[variable].used;
        scope_.shrink(variable);
    }

    void call(Statement& each) {
        for (Expression& argument : each.expressions) expressions_.check(argument);
        const Object* callee = expressions_.find_callable(each.name.text);
        if (callee == nullptr) return unknown_callee(each);
        if (callee->form == Object::Form::function) {
            return expressions_.fault(
                DiagnosticKind::wrong_type, each.name.span,
                fmt::format("`{}` is a function, which is not a statement", each.name.text),
                fmt::format("expected its value in an expression, as in `let x = {}(...)`", each.name.text));
        }
        each.callee = callee;
        calls_.push_back({object_, each.callee, each.name.span});
        if (each.callee->form == Object::Form::parallel_template) refuse_in_subtask(each.name.span, "a template");
        expressions_.arguments(*callee, each.expressions, each.span);
        if (callee->has_value()) compute_value(each);
    }

    /// Checks a call of a subtask with a value, as a statement. The rank computes for the time of the value.
    static void compute_value(Statement& each) {
        Expression value;
        value.form = Expression::Form::call;
        value.span = each.span;
        value.name = each.name.text;
        value.operands = std::move(each.expressions);
        value.type = each.callee->result;
        value.callee = each.callee;
        each.form = Form::compute;
        each.callee = nullptr;
        each.expressions.clear();
        each.expressions.push_back(std::move(value));
    }

    void unknown_callee(const Statement& each) {
        std::vector<std::string> names;
        for (const Object* object : callables_) names.push_back(object->name.text);
        std::string expected(foreign_word_remedy(each.name.text, WordPlace::statement));
        if (expected.empty()) expected = input::suggestion(each.name.text, names);
        if (expected.empty()) expected = "expected a declaration in this file or in a file that it imports";
        expressions_.fault(DiagnosticKind::unknown_name, each.name.span,
                           fmt::format("unknown template or subtask `{}`", each.name.text), std::move(expected));
    }

    // Checks variables, assignments, and the loops that contain assignments.

    void variable(Statement& each) {
        const Type type = expressions_.check(each.expressions[0]);
        each.slot = declare(each.name, type);
        scope_.last().changes = each.form == Form::variable;
    }

    void assignment(Statement& each) {
        const Type type = expressions_.check(each.expressions[0]);
        const Variable* known = scope_.find(each.name.text);
        if (known == nullptr && find_builtin(each.name.text) == nullptr) {
            std::vector<std::string> names = scope_.names();
            const std::string_view near = input::nearest_name(each.name.text, names);
            return expressions_.fault(
                DiagnosticKind::unknown_name, each.name.span, fmt::format("unknown variable `{}`", each.name.text),
                near.empty() ? fmt::format("expected `let {0} = ...`, or `var {0} = ...` if it changes", each.name.text)
                             : fmt::format("did you mean `{}`?", near));
        }
        if (known == nullptr || !known->changes) {
            return expressions_.fault(DiagnosticKind::constant_assigned, each.name.span,
                                      fmt::format("`{}` never changes", each.name.text),
                                      "expected a variable declared by `var`");
        }
        each.slot = known->slot;
        if (!fits(type, known->type)) {
            const bool widens = known->type == Type{Kind::integer, false} && type == Type{Kind::real, false};
            expressions_.fault(DiagnosticKind::wrong_type, each.expressions[0].span,
                               fmt::format("`{}` cannot have a value of type `{}`", each.name.text, type_name(type)),
                               fmt::format("expected `{}`, the type of its first value{}", type_name(known->type),
                                           widens ? ": `var x = 1.0` is a real" : ""));
        }
        const std::size_t index = scope_.index_of(*known);
        for (const OpenLoop& loop : loops_) loop.statement->assigns = loop.statement->assigns || index < loop.outside;
    }

    void loop_body(Statement& each) {
        loops_.push_back({&each, scope_.size()});
        block(each.body);
        loops_.pop_back();
    }

    void while_loop(Statement& each) {
        expressions_.check(each.expressions[0], {Kind::boolean, false}, "the condition");
        loop_body(each);
        if (changes(each.expressions[0], each.body)) return;
        expressions_.fault(DiagnosticKind::endless_loop, each.span, "nothing in the loop changes its condition",
                           "expected a `var` in the condition, and its assignment in the body, such as `n = 2 * n`");
    }

    // Checks messages, requests and collectives.

    void message(Statement& each) {
        const std::string_view word = each.form == Form::send    ? "`send`"
                                      : each.form == Form::isend ? "`isend`"
                                      : each.form == Form::ssend ? "`ssend`"
                                      : each.form == Form::recv  ? "`recv`"
                                      : each.form == Form::irecv ? "`irecv`"
                                                                 : "`sendrecv`";
        refuse_in_subtask(each.span, word);
        std::size_t next = 0;
        if (each.form != Form::recv && each.form != Form::irecv) {
            expressions_.check(each.expressions[next++], {Kind::bytes, false}, "the size");
        }
        if (answers(each)) {
            ++next;
        } else {
            expressions_.check(each.expressions[next++], {Kind::peer, false}, "the partner");
        }
        if (each.form == Form::sendrecv)
            expressions_.check(each.expressions[next++], {Kind::peer, false}, "the partner");
        if (each.expressions.size() > next)
            expressions_.check(each.expressions[next], {Kind::integer, false}, "the tag");
        if (!each.name.text.empty()) request(each);
    }

    /// Turns a send into a reply if its partner is the source of a receive. Returns false for other sends.
    bool answers(Statement& each) {
        const bool sends = each.form == Form::send || each.form == Form::isend || each.form == Form::ssend;
        if (!sends || each.expressions[1].form != Expression::Form::name) return false;
        const Statement* const source = find_source(each.expressions[1].name);
        if (source == nullptr)
            return refuse_early_answer(each.expressions[1]) || refuse_misspelt_source(each.expressions[1]);
        if (each.form == Form::ssend) {
            expressions_.fault(DiagnosticKind::wrong_type, each.expressions[1].span,
                               fmt::format("`{}` is the source of a receive", each.expressions[1].name),
                               "expected `send` or `isend`: no other statement can send to the source of a receive");
        }
        each.form = each.form == Form::isend ? Form::ireply : Form::reply;
        each.source = source;
        each.expressions[1].slot = source->slot;
        each.expressions[1].type = {Kind::peer, false};
        return true;
    }

    /// Reports a send to the source of a receive before the wait for that receive. Returns false if there is no error.
    bool refuse_early_answer(const Expression& to) {
        for (const auto& enclosing : requests_) {
            for (const OpenRequest& open : enclosing) {
                if (open.statement->form != Form::irecv_any || open.name.text != to.name) continue;
                expressions_.fault(DiagnosticKind::unknown_name, to.span,
                                   fmt::format("the source `{}` is unknown until its receive is waited for", to.name),
                                   fmt::format("expected `wait {}` before this, in the block of the `irecv`", to.name));
                return true;
            }
        }
        return false;
    }

    /// Reports a name that is not declared and resembles the name of a source. Returns false if there is no error.
    bool refuse_misspelt_source(const Expression& to) {
        if (scope_.find(to.name) || find_builtin(to.name) || find_function(to.name)) return false;
        std::vector<std::string> names;
        for (const auto& block : sources_) {
            for (const Statement* each : block) names.push_back(each->name.text);
        }
        const std::string near = input::suggestion(to.name, names);
        if (near.empty() || !near.starts_with("did you mean")) return false;
        expressions_.fault(DiagnosticKind::unknown_name, to.span, fmt::format("unknown name `{}`", to.name), near);
        return true;
    }

    const Statement* find_source(const std::string& name) const {
        for (auto block = sources_.rbegin(); block != sources_.rend(); ++block) {
            const auto found = std::ranges::find(*block, name, [](const Statement* each) { return each->name.text; });
            if (found != block->end()) return *found;
        }
        return nullptr;
    }

    /// Checks a receive from any rank. If the receive has a name, later statements of its block may send to its source,
    /// once the message has arrived.
    void receive_any(Statement& each) {
        refuse_in_subtask(each.span, each.form == Form::recv_any ? "`recv`" : "`irecv`");
        if (!each.expressions.empty()) expressions_.check(each.expressions[0], {Kind::integer, false}, "the tag");
        if (each.name.text.empty()) return;
        if (each.form == Form::irecv_any) return request(each);
        refuse_second_name(each.name);
        each.slot = Slot{object_->form != Object::Form::application, object_->slots++};
        sources_.back().push_back(&each);
    }

    void refuse_second_name(const Name& name) {
        const auto same = [&](const OpenRequest& open) { return open.name.text == name.text; };
        const bool request =
            std::ranges::any_of(requests_, [&](const auto& enclosing) { return std::ranges::any_of(enclosing, same); });
        if (!request && find_source(name.text) == nullptr && !scope_.find(name.text)) return;
        expressions_.fault(DiagnosticKind::duplicate_name, name.span,
                           fmt::format("there is a {} `{}` already", request ? "request" : "name", name.text),
                           "expected a new name");
    }

    /// Checks a request. A named request needs exactly one wait in the same block. A request without a name remains
    /// open until the next `waitall`.
    void request(Statement& each) {
        refuse_second_name(each.name);
        each.slot = Slot{object_->form != Object::Form::application, object_->slots++};
        const bool sends = each.form == Form::isend || each.form == Form::ireply;
        requests_.back().push_back({each.name, each.slot, sends, false, &each});
    }

    void wait(Statement& each) {
        refuse_in_subtask(each.span, "`wait`");
        std::vector<std::string> names;
        for (OpenRequest& open : requests_.back()) {
            names.push_back(open.name.text);
            if (open.name.text != each.name.text) continue;
            if (open.waited) {
                expressions_.fault(DiagnosticKind::unknown_request, each.name.span,
                                   fmt::format("`{}` has been waited for already", each.name.text));
            }
            open.waited = true;
            each.slot = open.slot;
            each.waits_for_send = open.sends;
            const bool from_any = open.statement->form == Form::irecv_any;
            if (from_any) sources_.back().push_back(open.statement);
            if (from_any || open.statement->form == Form::ireply) each.source = open.statement;
            return;
        }
        const std::string near = input::suggestion(each.name.text, names);
        expressions_.fault(DiagnosticKind::unknown_request, each.name.span,
                           fmt::format("this block has no request `{}`", each.name.text),
                           near.empty() ? "expected the name of an `irecv` or `isend` earlier in this block" : near);
    }

    void collective(Statement& each) {
        const bool sized = each.collective != collectives::Kind::barrier;
        refuse_in_subtask(each.span, "a collective");
        if (sized) amount(each, Kind::bytes, "the size");
        if (each.rooted) {
            expressions_.check(each.expressions[sized ? 1 : 0], {Kind::peer, false}, "the root");
        }
        if (each.over_some) {
            expressions_.check(each.expressions.back(), {Kind::integer, false}, "the value after `over`");
        }
    }

    // Checks lists of tasks, and records of cluster memory.

    void refuse_second_of(const Name& name, const std::vector<const Statement*>& earlier, std::string_view what) {
        const bool known =
            std::ranges::any_of(earlier, [&](const Statement* each) { return each->name.text == name.text; });
        if (!known) return;
        expressions_.fault(DiagnosticKind::duplicate_name, name.span, fmt::format("a second {} `{}`", what, name.text),
                           "expected a new name");
    }

    /// Declares the indices. Bounds depend only on the indices of enclosing lists and tasks. So a list has the same
    /// combinations of indices each time it runs.
    void task_indices(Statement& each) {
        std::vector<TaskClauses::Index>& indices = each.clauses[0].indices;
        for (std::size_t k = 0; k < 2 * indices.size(); ++k) {
            expressions_.check(each.expressions[k], {Kind::integer, false}, "the bound of an index");
        }
        for (TaskClauses::Index& index : indices) index.slot = declare(index.name, {Kind::integer, false});
    }

    void task_option(Statement& each, const std::optional<std::uint32_t>& option, Type type, std::string_view what) {
        if (option) expressions_.check(each.expressions[*option], type, what);
    }

    void record(Statement& each) {
        refuse_second_of(each.name, records_, "record");
        const std::size_t outer = scope_.size();
        task_indices(each);
        task_option(each, each.clauses[0].bytes, {Kind::bytes, false}, "the size of a record");
        scope_.shrink(outer);
        records_.push_back(&each);
    }

    /// Checks a list of tasks that is one of the costs of a subtask. A rank executes the tasks of this list on its
    /// cores, and they only compute.
    void list_of_rank(Statement& each) {
        if (each.clauses[0].on_nodes) {
            expressions_.fault(DiagnosticKind::task_order, each.span, "a rank cannot run a list for nodes",
                               "expected `on core`: a rank has only cores of its node");
        }
        in_list_of_rank_ = true;
        task_list(each, nullptr);
        in_list_of_rank_ = false;
    }

    void task_list(Statement& each, const Statement* around) {
        TaskClauses& clauses = each.clauses[0];
        if (around != nullptr && clauses.on_nodes) {
            expressions_.fault(DiagnosticKind::task_order, each.span, "a task cannot contain a list for nodes",
                               "expected `on core`: lists for nodes belong in the application");
        }
        if (around != nullptr && !around->clauses[0].on_nodes) {
            expressions_.fault(DiagnosticKind::task_order, each.span, "a task of a core cannot contain a list",
                               "expected the list within a task of a list `on node`");
        }
        const std::size_t outer = scope_.size();
        const Type whole{Kind::integer, false};
        task_option(each, clauses.ahead, whole, "the number of tasks ahead");
        task_option(each, clauses.window, whole, "the number of tasks to choose among");
        task_option(each, clauses.chunk, whole, "the number of tasks to take");
        if (clauses.window && (clauses.chunk || clauses.rule != program::Take::Rule::chunk)) {
            expressions_.fault(DiagnosticKind::task_order, each.expressions[*clauses.window].span,
                               "`among` and `take` exclude each other",
                               "expected one of them: a worker that takes several tasks takes the next ones");
        }
        task_indices(each);
        std::vector<const Statement*> earlier;
        for (Statement& task : each.body) {
            refuse_second_of(task.name, earlier, "task");
            if (task.name.text == each.name.text) {
                expressions_.fault(DiagnosticKind::duplicate_name, task.name.span,
                                   fmt::format("the list and one of its tasks have the name `{}`", each.name.text),
                                   "expected different names, since `after` could mean either");
            }
            earlier.push_back(&task);
        }
        for (Statement& one : each.body) task(one, each);
        scope_.shrink(outer);
    }

    void task(Statement& each, const Statement& list) {
        const std::size_t before = scope_.size();
        TaskClauses& clauses = each.clauses[0];
        // The indices of the list are hidden, since the bounds of a task must not depend on them.
        const std::size_t own = list.clauses[0].indices.size();
        std::vector<Variable> hidden;
        for (std::size_t k = 0; k < own; ++k) hidden.push_back(scope_[before - own + k]);
        scope_.shrink(before - own);
        for (std::size_t k = 0; k < 2 * clauses.indices.size(); ++k) {
            expressions_.check(each.expressions[k], {Kind::integer, false}, "the bound of an index");
        }
        for (Variable& variable : hidden) scope_.restore(std::move(variable));
        for (TaskClauses::Index& index : clauses.indices) index.slot = declare(index.name, {Kind::integer, false});
        task_option(each, clauses.condition, {Kind::boolean, false}, "the condition");
        if (clauses.preference) {
            const std::size_t inner = scope_.size();
            const Name worker{"worker", each.name.span};
            clauses.worker = declare(worker, {Kind::integer, false});
            task_option(each, clauses.preference, {Kind::integer, false}, "the preference");
            scope_.shrink(inner);
        }
        std::vector<std::string> names;
        if (!list.name.text.empty()) names.push_back(list.name.text);
        for (const Statement& sibling : list.body) names.push_back(sibling.name.text);
        for (TaskClauses::Reference& reference : clauses.references) {
            const auto sibling = std::ranges::find_if(
                list.body, [&](const Statement& other) { return other.name.text == reference.name.text; });
            const std::size_t of_list = list.clauses[0].indices.size();
            if (sibling != list.body.end()) {
                reference.target = &*sibling;
                task_reference(reference, each, of_list + sibling->clauses[0].indices.size());
            } else if (!list.name.text.empty() && list.name.text == reference.name.text) {
                reference.target = &list;
                task_reference(reference, each, of_list);
            } else {
                expressions_.fault(DiagnosticKind::unknown_name, reference.name.span,
                                   fmt::format("this list has no task `{}`", reference.name.text),
                                   input::suggestion(reference.name.text, names));
            }
        }
        for (Statement& step : each.body) task_step(step, list);
        scope_.shrink(before);
    }

    /// Checks a reference to a task or record. `indices` is the number of its indices.
    void task_reference(TaskClauses::Reference& reference, Statement& each, std::size_t indices) {
        for (const TaskClauses::Part& part : reference.parts) {
            Expression& first = each.expressions[part.expression];
            if (part.is_range) {
                expressions_.check(first, {Kind::integer, false}, "the first value of an index");
                expressions_.check(each.expressions[part.expression + 1], {Kind::integer, false},
                                   "the last value of an index");
                continue;
            }
            const Type type = expressions_.check(first);
            if (type.kind == Kind::integer || type.kind == Kind::any) continue;
            expressions_.fault(DiagnosticKind::wrong_type, first.span,
                               fmt::format("this index is of type `{}`", type_name(type)), "expected `int` or `[int]`");
        }
        if (reference.parts.size() <= indices) return;
        expressions_.fault(
            DiagnosticKind::wrong_arity, reference.span,
            fmt::format("`{}` is given {}", reference.name.text,
                        reference.parts.size() == 1 ? "an index" : fmt::format("{} indices", reference.parts.size())),
            fmt::format("expected at most {}: first the indices of the list, then those of the task", indices));
    }

    void task_step(Statement& each, const Statement& list) {
        switch (each.form) {
            case Form::task_list: return task_list(each, &list);
            case Form::compute:
            case Form::let: return statement(each);
            default: break;
        }
        if (in_list_of_rank_) {
            return expressions_.fault(
                DiagnosticKind::task_order, each.span, "a list that a rank runs has no records",
                "expected `compute`: only lists of an application without `iteration` read and write "
                "records");
        }
        TaskClauses::Reference& reference = each.clauses[0].references[0];
        std::vector<std::string> names;
        for (const Statement* known : records_) {
            names.push_back(known->name.text);
            if (known->name.text == reference.name.text) reference.target = known;
        }
        if (reference.target == nullptr) {
            return expressions_.fault(DiagnosticKind::unknown_name, reference.name.span,
                                      fmt::format("there is no record `{}`", reference.name.text),
                                      names.empty() ? "expected `record NAME: SIZE` in the application, before the list"
                                                    : input::suggestion(reference.name.text, names));
        }
        task_reference(reference, each, reference.target->clauses[0].indices.size());
    }

    // Checks the entries of subtasks with a value, and hardware objects.

    void cost_entry(Statement& each) {
        switch (each.form) {
            case Form::duration: return amount(each, Kind::time, "the time");
            case Form::flops: return amount(each, Kind::real, "the number of operations");
            case Form::count: amount(each, Kind::real, "the number of operations"); return operation(each);
            case Form::average_loop: amount(each, Kind::real, "the number of iterations"); return block(each.body);
            case Form::alternative: amount(each, Kind::real, "the probability"); return block(each.body);
            default: return block(each.body);
        }
    }

    /// Checks an operation. Hardware is bound at run time, so any of the loaded objects may have it.
    void operation(const Statement& each) {
        std::vector<std::string> names;
        bool any = false;
        for (const File& file : model_.files) {
            for (const auto& object : file.objects) {
                if (object->form != Object::Form::hardware) continue;
                any = true;
                for (const Statement& item : object->body) {
                    if (item.form == Form::operation) names.push_back(item.name.text);
                }
            }
        }
        if (!any || std::ranges::find(names, each.name.text) != names.end()) return;
        expressions_.fault(DiagnosticKind::unknown_name, each.name.span,
                           fmt::format("no hardware object has an operation `{}`", each.name.text),
                           input::suggestion(each.name.text, names));
    }

    const CheckedModel& model_;
    const Callables& callables_;
    std::vector<Call>& calls_;
    Scope scope_;
    ExpressionChecker expressions_;
    std::map<std::string, std::string> roles_;  // names of the application's parameters by the roles that they declare
    Object* object_ = nullptr;
    const Name* iteration_name_ = nullptr;
    /// open requests of each enclosing block; the innermost block is last
    std::vector<std::vector<OpenRequest>> requests_;
    /// For each enclosing block, the receives from any rank that are complete.
    std::vector<std::vector<const Statement*>> sources_;
    struct OpenLoop {
        Statement* statement;
        std::size_t outside;  // number of variables that are declared outside the loop
    };
    std::vector<OpenLoop> loops_;            // enclosing loops, the innermost last
    std::vector<const Statement*> records_;  // records of cluster memory that have been declared so far
    bool in_list_of_rank_ = false;
};

}  // namespace

void check_statements(Object& object, const CheckedModel& model, const Callables& callables, std::vector<Call>& calls,
                      Diagnostics& faults) {
    ObjectChecker checker(model, callables, calls, faults);
    if (object.form == Object::Form::application) return checker.application(object);
    if (object.form == Object::Form::hardware) return checker.hardware(object);
    checker.block_object(object);
}

}  // namespace warpfront::psl
