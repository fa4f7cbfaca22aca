// Checks messages, requests and collectives.
#include <fmt/format.h>

#include <algorithm>

#include "psl/checking/object_checker.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Form = Statement::Form;

void ObjectChecker::message(Statement& each) {
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
    if (each.form == Form::sendrecv) expressions_.check(each.expressions[next++], {Kind::peer, false}, "the partner");
    if (each.expressions.size() > next) expressions_.check(each.expressions[next], {Kind::integer, false}, "the tag");
    if (!each.name.text.empty()) request(each);
}

/// Whether it is sent to the source of a receive, which stands there by its name.
bool ObjectChecker::answers(Statement& each) {
    const bool sends = each.form == Form::send || each.form == Form::isend || each.form == Form::ssend;
    if (!sends || each.expressions[1].form != Expression::Form::name) return false;
    const Statement* const source = find_source(each.expressions[1].name);
    if (source == nullptr)
        return refuse_early_answer(each.expressions[1]) || refuse_misspelt_source(each.expressions[1]);
    if (each.form == Form::ssend) {
        expressions_.fault(DiagnosticKind::wrong_type, each.expressions[1].span,
                           fmt::format("`{}` is the source of a receive", each.expressions[1].name),
                           "expected `send` or `isend`: no other statement reaches it");
    }
    each.form = each.form == Form::isend ? Form::ireply : Form::reply;
    each.source = source;
    each.expressions[1].slot = source->slot;
    each.expressions[1].type = {Kind::peer, false};
    return true;
}

/// It goes to the source of a receive that nothing has waited for yet. False where it does not.
bool ObjectChecker::refuse_early_answer(const Expression& to) {
    for (const auto& enclosing : requests_) {
        for (const OpenRequest& open : enclosing) {
            if (open.statement->form != Form::irecv_any || open.name.text != to.name) continue;
            expressions_.fault(DiagnosticKind::unknown_name, to.span,
                               fmt::format("which rank `{}` is, is not known before it is waited for", to.name),
                               fmt::format("expected `wait {}` before this, in the block of its `irecv`", to.name));
            return true;
        }
    }
    return false;
}

/// A name that nothing has, but one like it is that of a source.
bool ObjectChecker::refuse_misspelt_source(const Expression& to) {
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

const Statement* ObjectChecker::find_source(const std::string& name) const {
    for (auto block = sources_.rbegin(); block != sources_.rend(); ++block) {
        const auto found =
            std::find_if(block->begin(), block->end(), [&](const Statement* each) { return each->name.text == name; });
        if (found != block->end()) return *found;
    }
    return nullptr;
}

/// With a name, its source may be answered in the rest of its block, once it is there.
void ObjectChecker::receive_any(Statement& each) {
    refuse_in_subtask(each.span, each.form == Form::recv_any ? "`recv`" : "`irecv`");
    if (!each.expressions.empty()) expressions_.check(each.expressions[0], {Kind::integer, false}, "the tag");
    if (each.name.text.empty()) return;
    if (each.form == Form::irecv_any) return request(each);
    refuse_second_name(each.name);
    each.slot = Slot{object_->form != Object::Form::application, object_->slots++};
    sources_.back().push_back(&each);
}

void ObjectChecker::refuse_second_name(const Name& name) {
    const auto same = [&](const OpenRequest& open) { return open.name.text == name.text; };
    const bool request = std::any_of(requests_.begin(), requests_.end(), [&](const auto& enclosing) {
        return std::any_of(enclosing.begin(), enclosing.end(), same);
    });
    if (!request && find_source(name.text) == nullptr && !scope_.find(name.text)) return;
    expressions_.fault(DiagnosticKind::duplicate_name, name.span,
                       fmt::format("there is a {} `{}` already", request ? "request" : "name", name.text),
                       "expected a new name");
}

/// One with a name: waited for once, in the same block. Others are there until the next `waitall`.
void ObjectChecker::request(Statement& each) {
    refuse_second_name(each.name);
    each.slot = Slot{object_->form != Object::Form::application, object_->slots++};
    const bool sends = each.form == Form::isend || each.form == Form::ireply;
    requests_.back().push_back({each.name, each.slot, sends, false, &each});
}

void ObjectChecker::wait(Statement& each) {
    refuse_in_subtask(each.span, "`wait`");
    std::vector<std::string> names;
    for (OpenRequest& open : requests_.back()) {
        names.push_back(open.name.text);
        if (open.name.text != each.name.text) continue;
        if (open.waited) {
            expressions_.fault(DiagnosticKind::unknown_request, each.name.span,
                               fmt::format("`{}` has been waited for", each.name.text));
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
                       fmt::format("no request `{}` in this block", each.name.text),
                       near.empty() ? "expected the name of an `irecv` or `isend` earlier in this block" : near);
}

void ObjectChecker::collective(Statement& each) {
    const bool sized = each.collective != collectives::Kind::barrier;
    refuse_in_subtask(each.span, "a collective");
    if (sized) amount(each, Kind::bytes, "the size");
    if (each.rooted) {
        expressions_.check(each.expressions[sized ? 1 : 0], {Kind::peer, false}, "the root");
    }
    if (each.over_some) {
        expressions_.check(each.expressions.back(), {Kind::integer, false}, "what all members have in common");
    }
}

}  // namespace warpfront::psl
