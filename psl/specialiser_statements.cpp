// Specialises each kind of statement except loops.
#include <fmt/format.h>

#include "psl/specialiser.hpp"

namespace warpfront::psl {

using Form = Statement::Form;
using ResidualForm = ResidualStatement::Form;

void Specialiser::let(const Statement& each) {
    NameBinding value = folding_.coerced(folding_.fold(each.expressions[0]), each.expressions[0].type, each.span);
    value.guards = folding_.guards;
    folding_.variable(each.slot) = std::move(value);
}

/// Ranks that take a branch and those that do not would go on with different values.
void Specialiser::assign(const Statement& each) {
    NameBinding& variable = folding_.variable(each.slot);
    if (folding_.guards > variable.guards) {
        throw input::BadInput(
            input::DiagnosticKind::rank_dependent, model_.range_of(each.span),
            fmt::format("`{}` is assigned on some ranks only", each.name.text),
            fmt::format("expected one value on all, such as `{0} = if CONDITION then A else {0}`", each.name.text));
    }
    NameBinding value = folding_.fold(each.expressions[0]);
    value.guards = variable.guards;
    folding_.variable(each.slot) = std::move(value);
}

void Specialiser::compute(const Statement& each) {
    const Expression& work = each.expressions[0];
    const NodeId time =
        folding_.recording({&each, nullptr, 0, {}, {}}, &work, [&](auto) { return folding_.value(work, Kind::time); });
    const SlotId amount = slot(Use::cost, time, work.span);
    if (slots_[amount].known == 0) return;
    emit(ResidualForm::compute, each).amount = amount;
}

void Specialiser::message(const Statement& each) {
    const std::size_t peer_index = each.form == Form::send ? 1 : 0;
    const Expression& peer_expression = each.expressions[peer_index];
    const SlotId peer = slot(Use::peer, folding_.value(peer_expression, Kind::peer), peer_expression.span);
    const bool has_tag = each.expressions.size() > peer_index + 1;
    const Span tag_span = has_tag ? each.expressions[peer_index + 1].span : each.span;
    const NodeId tag_node = has_tag ? folding_.value(each.expressions[peer_index + 1], Kind::integer)
                                    : graph_.literal(integer(0), each.span);
    const SlotId tag = slot(Use::tag, tag_node, tag_span);
    SlotId size = 0;
    if (each.form == Form::send) {
        size = slot(Use::size, folding_.value(each.expressions[0], Kind::bytes), each.expressions[0].span);
    }
    if (each.form == Form::irecv) folding_.variable(each.slot).items = {peer, tag};
    if (slots_[peer].known == kNoPeer) return;
    ResidualStatement& left = emit(each.form == Form::send   ? ResidualForm::send
                                   : each.form == Form::recv ? ResidualForm::recv
                                                             : ResidualForm::irecv,
                                   each);
    left.amount = size;
    left.peer = peer;
    left.tag = tag;
}

void Specialiser::wait(const Statement& each) {
    const std::vector<NodeId> request = folding_.variable(each.slot).items;
    if (slots_[request[0]].known == kNoPeer) return;
    ResidualStatement& left = emit(ResidualForm::wait, each);
    left.peer = request[0];
    left.tag = request[1];
}

void Specialiser::allreduce(const Statement& each) {
    const Expression& expression = each.expressions[0];
    const Value size = folding_.constant(expression, Kind::bytes, "the size of an allreduce");
    const SlotId amount = slot(Use::size, graph_.literal(size, expression.span), expression.span);
    emit(ResidualForm::allreduce, each).amount = amount;
}

Block Specialiser::folded_apart(const std::vector<Statement>& statements, bool guarded) {
    Block result;
    Block* const outer = out_;
    out_ = &result;
    folding_.guards += guarded ? 1U : 0U;
    block(statements);
    folding_.guards -= guarded ? 1U : 0U;
    out_ = outer;
    return result;
}

void Specialiser::branch(const Statement& each) {
    const Expression& condition = each.expressions[0];
    const SlotId truth = slot(Use::condition, folding_.value(condition, Kind::boolean), condition.span);
    if (const auto known = slots_[truth].known) return block(*known != 0 ? each.body : each.otherwise);
    Block body = folded_apart(each.body, true);
    Block otherwise = folded_apart(each.otherwise, true);
    if (body.empty() && otherwise.empty()) return;
    ResidualStatement& left = emit(ResidualForm::branch, each);
    left.amount = truth;
    left.body = std::move(body);
    left.otherwise = std::move(otherwise);
}

void Specialiser::call(const Statement& each) {
    const Object& callee = *each.callee;
    Frame frame = folding_.frame_of(callee, each.expressions);
    Frame* const outer = folding_.local;
    folding_.local = &frame;
    block(callee.body);
    folding_.local = outer;
}

}  // namespace warpfront::psl
