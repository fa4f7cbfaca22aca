#include "psl/checking/object_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "psl/checking/fields.hpp"
#include "psl/syntax/foreign_words.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Form = Statement::Form;

Slot ObjectChecker::declare(const Name& name, Type type) {
    const Builtin* builtin = find_builtin(name.text);
    if (scope_.find(name.text) || (builtin && !builtin->may_be_hidden) || find_function(name.text)) {
        expressions_.fault(DiagnosticKind::duplicate_name, name.span,
                           fmt::format("`{}` already has a meaning here", name.text), "expected a new name");
    }
    return scope_.declare(name.text, type, object_->form != Object::Form::application, object_->slots);
}

void ObjectChecker::enter(Object& object) {
    object_ = &object;
    expressions_.enter(object);
}

void ObjectChecker::application(Object& object) {
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

void ObjectChecker::block_object(Object& object) {
    enter(object);
    const std::size_t outer = scope_.size();
    bool presets = false;
    for (Parameter& parameter : object.parameters) {
        if (presets && parameter.preset.empty()) {
            expressions_.fault(DiagnosticKind::wrong_arity, parameter.name.span,
                               fmt::format("`{}` has no default, but stands after one that has", parameter.name.text),
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

void ObjectChecker::item(Statement& each) {
    switch (each.form) {
        case Form::iteration: return iteration(each);
        case Form::closed_form: return closed_form(each);
        case Form::parameter:
            if (!each.expressions.empty()) {
                expressions_.check(each.expressions[0], each.declared,
                                   fmt::format("the default of `{}`", each.name.text));
            }
            each.slot = declare(each.name, each.declared);
            return;
        default: return statement(each);
    }
}

void ObjectChecker::iteration(Statement& each) {
    const std::size_t outer = scope_.size();
    if (!each.name.text.empty()) each.slot = declare(each.name, {Kind::integer, false});
    block(each.body);
    scope_.shrink(outer);
}

void ObjectChecker::closed_form(Statement& each) {
    const std::size_t outer = scope_.size();
    if (iteration_name_) each.slot = declare(*iteration_name_, {Kind::integer, false});
    fields(each);
    scope_.shrink(outer);
}

void ObjectChecker::fields(Statement& block) {
    std::vector<std::string> given;
    for (Statement& entry : block.body) field(entry, given);
    std::string missing;
    for (const Field& known : kFields) {
        if (!known.required || std::find(given.begin(), given.end(), known.name) != given.end()) continue;
        missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", known.name);
    }
    if (!missing.empty()) {
        expressions_.fault(DiagnosticKind::missing_field, block.span, fmt::format("the closed form lacks {}", missing));
    }
}

void ObjectChecker::field(Statement& entry, std::vector<std::string>& given) {
    const auto known =
        std::find_if(kFields.begin(), kFields.end(), [&](const Field& f) { return f.name == entry.name.text; });
    if (known == kFields.end()) {
        std::vector<std::string> names;
        for (const Field& each : kFields) names.emplace_back(each.name);
        expressions_.fault(DiagnosticKind::unknown_name, entry.name.span,
                           fmt::format("a closed form has no `{}`", entry.name.text),
                           input::suggestion(entry.name.text, names));
        return;
    }
    if (std::find(given.begin(), given.end(), entry.name.text) != given.end()) {
        expressions_.fault(DiagnosticKind::duplicate_name, entry.name.span,
                           fmt::format("`{}` is given twice", entry.name.text));
    }
    given.push_back(entry.name.text);
    expressions_.check(entry.expressions[0], known->type, fmt::format("`{}`", known->name));
}

void ObjectChecker::block(std::vector<Statement>& statements) {
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

void ObjectChecker::statement(Statement& each) {
    switch (each.form) {
        case Form::let:
        case Form::variable: return variable(each);
        case Form::assign: return assignment(each);
        case Form::result: return expressions_.check(each.expressions[0], object_->result, "the value");
        case Form::require: return expressions_.check(each.expressions[0], {Kind::boolean, false}, "the requirement");
        case Form::note: return note(each);
        case Form::compute: return amount(each, Kind::time, "the work");
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
        default: return loop(each);
    }
}

void ObjectChecker::note(Statement& each) {
    expressions_.check(each.expressions[0], {Kind::boolean, false}, "the condition");
    const std::size_t values = each.expressions.size() - 1;
    for (std::size_t k = 1; k <= values; ++k) {
        const Type type = expressions_.check(each.expressions[k]);
        if (!type.list) continue;
        expressions_.fault(DiagnosticKind::wrong_type, each.expressions[k].span, "a note has single values",
                           "expected an item of the list");
    }
    std::size_t marks = 0;
    for (std::size_t at = 0; (at = each.message.find(kNoteMark, at)) != std::string::npos; at += kNoteMark.size())
        ++marks;
    if (marks == values) return;
    expressions_.fault(DiagnosticKind::wrong_arity, each.span,
                       fmt::format("a note with {} `{{}}` and {} value{}", marks, values, values == 1 ? "" : "s"),
                       "expected a value for each `{}` of its text");
}

void ObjectChecker::amount(Statement& each, Kind kind, std::string_view what) {
    expressions_.check(each.expressions[0], {kind, false}, what);
}

void ObjectChecker::analytic(Statement& each) {
    refuse_in_subtask(each.span, "`analytic`");
    if (each.expressions.empty()) return fields(each);
    amount(each, Kind::time, "the time");
}

void ObjectChecker::trace(Statement& each) {
    refuse_in_subtask(each.span, "`trace`");
    if (!each.expressions.empty()) amount(each, Kind::rate, "the rate");
}

void ObjectChecker::refuse_in_subtask(Span span, std::string_view what) {
    if (object_->form != Object::Form::subtask) return;
    expressions_.fault(DiagnosticKind::message_in_subtask, span, fmt::format("{} in a subtask", what),
                       "a subtask only computes; expected this in a template");
}

void ObjectChecker::loop(Statement& each) {
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
                               fmt::format("`for` runs over a value of type `{}`", type_name(list)),
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

void ObjectChecker::call(Statement& each) {
    for (Expression& argument : each.expressions) expressions_.check(argument);
    const Object* callee = expressions_.find_callable(each.name.text);
    if (callee == nullptr) return unknown_callee(each);
    if (callee->form == Object::Form::function) {
        return expressions_.fault(
            DiagnosticKind::wrong_type, each.name.span,
            fmt::format("`{}` is a function: it does nothing by itself", each.name.text),
            fmt::format("expected its value in an expression, as in `let x = {}(...)`", each.name.text));
    }
    each.callee = callee;
    calls_.push_back({object_, each.callee, each.name.span});
    if (each.callee->form == Object::Form::parallel_template) refuse_in_subtask(each.name.span, "a template");
    expressions_.arguments(*callee, each.expressions, each.span);
    if (callee->has_value()) compute_value(each);
}

/// A subtask with a value, called as a statement, computes for this time.
void ObjectChecker::compute_value(Statement& each) {
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

void ObjectChecker::unknown_callee(const Statement& each) {
    std::vector<std::string> names;
    for (const Object* object : callables_) names.push_back(object->name.text);
    std::string expected(foreign_word_remedy(each.name.text, WordPlace::statement));
    if (expected.empty()) expected = input::suggestion(each.name.text, names);
    if (expected.empty()) expected = "expected one declared in this file or in a file it imports";
    expressions_.fault(DiagnosticKind::unknown_name, each.name.span,
                       fmt::format("unknown template or subtask `{}`", each.name.text), std::move(expected));
}

}  // namespace warpfront::psl
