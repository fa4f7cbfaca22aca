// Checks messages, requests and collectives.
#include <fmt/format.h>

#include <algorithm>

#include "psl/object_checker.hpp"
#include "simulator/input/suggestion.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Form = Statement::Form;

void ObjectChecker::message(Statement& each) {
    const std::string_view word = each.form == Form::send    ? "`send`"
                                  : each.form == Form::isend ? "`isend`"
                                  : each.form == Form::recv  ? "`recv`"
                                  : each.form == Form::irecv ? "`irecv`"
                                                             : "`sendrecv`";
    refuse_in_subtask(each.span, word);
    std::size_t next = 0;
    if (each.form != Form::recv && each.form != Form::irecv) {
        expressions_.check(each.expressions[next++], {Kind::bytes, false}, "the size");
    }
    expressions_.check(each.expressions[next++], {Kind::peer, false}, "the partner");
    if (each.form == Form::sendrecv) expressions_.check(each.expressions[next++], {Kind::peer, false}, "the partner");
    if (each.expressions.size() > next) expressions_.check(each.expressions[next], {Kind::integer, false}, "the tag");
    if (!each.name.text.empty()) request(each);
}

/// One with a name: waited for once, in the same block. Others are there until the next `waitall`.
void ObjectChecker::request(Statement& each) {
    for (const auto& enclosing : requests_) {
        for (const OpenRequest& open : enclosing) {
            if (open.name.text != each.name.text) continue;
            expressions_.fault(DiagnosticKind::duplicate_name, each.name.span,
                               fmt::format("there is a request `{}` already", each.name.text), "expected a new name");
            return;
        }
    }
    each.slot = Slot{object_->form != Object::Form::application, object_->slots++};
    requests_.back().push_back({each.name, each.slot, each.form == Form::isend, false});
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
