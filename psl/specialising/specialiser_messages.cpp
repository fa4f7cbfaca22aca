// Specialises messages, waits and collectives.
#include "psl/specialising/specialiser.hpp"

namespace warpfront::psl {

using Form = Statement::Form;
using ResidualForm = ResidualStatement::Form;

SlotId Specialiser::size(const Expression& expression) {
    return slot(Use::size, folding_.value(expression, Kind::bytes), expression.span);
}

SlotId Specialiser::partner(const Expression& expression) {
    return slot(Use::peer, folding_.value(expression, Kind::peer), expression.span);
}

/// 0 where the statement has no expression at `index`.
SlotId Specialiser::tag_of(const Statement& each, std::size_t index) {
    if (index >= each.expressions.size()) return slot(Use::tag, graph_.literal(integer(0), each.span), each.span);
    const Expression& expression = each.expressions[index];
    return slot(Use::tag, folding_.value(expression, Kind::integer), expression.span);
}

void Specialiser::message(const Statement& each) {
    const bool sends = each.form == Form::send || each.form == Form::isend || each.form == Form::ssend;
    const std::size_t peer_index = sends ? 1 : 0;
    const SlotId peer = partner(each.expressions[peer_index]);
    const SlotId tag = tag_of(each, peer_index + 1);
    const SlotId bytes = sends ? size(each.expressions[0]) : 0;
    if (!each.name.text.empty()) folding_.variable(each.slot).items = {peer, tag};
    if (slots_[peer].known == kNoPeer) return;
    ResidualStatement& left = emit(each.form == Form::send    ? ResidualForm::send
                                   : each.form == Form::isend ? ResidualForm::isend
                                   : each.form == Form::ssend ? ResidualForm::ssend
                                   : each.form == Form::recv  ? ResidualForm::recv
                                                              : ResidualForm::irecv,
                                   each);
    left.amount = bytes;
    left.peer = peer;
    left.tag = tag;
}

void Specialiser::receive_any(const Statement& each) {
    const SlotId tag = tag_of(each, 0);
    emit(each.form == Form::recv_any ? ResidualForm::recv_any : ResidualForm::irecv_any, each).tag = tag;
}

void Specialiser::reply(const Statement& each) {
    const SlotId bytes = size(each.expressions[0]);
    const SlotId tag = tag_of(each, 2);
    ResidualStatement& left = emit(each.form == Form::reply ? ResidualForm::reply : ResidualForm::ireply, each);
    left.amount = bytes;
    left.tag = tag;
}

/// Posts the receive, sends, waits: as the exchanges of collectives do.
void Specialiser::sendrecv(const Statement& each) {
    const SlotId bytes = size(each.expressions[0]);
    const SlotId to = partner(each.expressions[1]);
    const SlotId from = partner(each.expressions[2]);
    const SlotId tag = tag_of(each, 3);
    const auto part = [&](ResidualForm form, SlotId peer) {
        if (slots_[peer].known == kNoPeer) return;
        ResidualStatement& left = emit(form, each);
        left.amount = bytes;
        left.peer = peer;
        left.tag = tag;
    };
    part(ResidualForm::irecv, from);
    part(ResidualForm::send, to);
    part(ResidualForm::wait, from);
}

void Specialiser::wait(const Statement& each) {
    if (each.source != nullptr) {
        emit(each.waits_for_send ? ResidualForm::wait_reply : ResidualForm::wait_source, each);
        return;
    }
    const std::vector<NodeId> request = folding_.variable(each.slot).items;
    if (slots_[request[0]].known == kNoPeer) return;
    ResidualStatement& left = emit(each.waits_for_send ? ResidualForm::wait_send : ResidualForm::wait, each);
    left.peer = request[0];
    left.tag = request[1];
}

const collectives::Algorithms& Specialiser::algorithms() {
    if (!skeleton_.algorithms) {
        skeleton_.algorithms = bindings_.algorithms ? bindings_.algorithms() : collectives::Algorithms{};
    }
    return *skeleton_.algorithms;
}

/// Over all ranks by recursive doubling it is an instruction of its own.
void Specialiser::allreduce(const Statement& each) {
    const Expression& expression = each.expressions[0];
    const Value size = folding_.constant(expression, Kind::bytes, "the size of an allreduce");
    const auto ranks = static_cast<std::uint32_t>(bindings_.grid.ranks());
    const collectives::Algorithm algorithm = algorithms().of(collectives::Kind::allreduce, {size.whole}, ranks);
    if (algorithm != collectives::Algorithm::recursive_doubling) return collective(each);
    const SlotId amount = slot(Use::size, graph_.literal(size, expression.span), expression.span);
    emit(ResidualForm::allreduce, each).amount = amount;
}

void Specialiser::collective(const Statement& each) {
    algorithms();
    const bool sized = each.collective != collectives::Kind::barrier;
    const auto literal = [&](Use use, const Value& value) {
        return slot(use, graph_.literal(value, each.span), each.span);
    };
    const SlotId amount = sized ? size(each.expressions[0]) : literal(Use::size, {Kind::bytes, 0, 0.0L});
    const SlotId root = each.rooted ? slot(Use::root, folding_.value(each.root(), Kind::peer), each.root().span)
                                    : literal(Use::root, integer(0));
    const SlotId group = each.over_some
                             ? slot(Use::colour, folding_.value(each.colour(), Kind::integer), each.colour().span)
                             : literal(Use::colour, integer(0));
    ResidualStatement& left = emit(ResidualForm::collective, each);
    left.amount = amount;
    left.peer = root;
    left.tag = group;
}

}  // namespace warpfront::psl
