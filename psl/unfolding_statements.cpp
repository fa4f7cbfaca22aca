// How each statement unfolds: what it leaves behind, and what is decided on the way.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "psl/unfolding.hpp"

namespace warpfront::psl {

using input::FaultKind;
using Form = Statement::Form;
using Left = ResidualStatement::Form;

void Unfolding::compute(const Statement& each) {
    const SlotId amount = slot(Use::cost, folding_.value(each.expressions[0], Kind::time), each.expressions[0].span);
    if (slots_[amount].known == 0) return;
    emit(Left::compute, each).amount = amount;
}

void Unfolding::message(const Statement& each) {
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
    ResidualStatement& left = emit(each.form == Form::send   ? Left::send
                                   : each.form == Form::recv ? Left::recv
                                                             : Left::post,
                                   each);
    left.amount = size;
    left.peer = peer;
    left.tag = tag;
}

void Unfolding::wait(const Statement& each) {
    const std::vector<NodeId> request = folding_.variable(each.slot).items;
    if (slots_[request[0]].known == kNoPeer) return;
    ResidualStatement& left = emit(Left::await, each);
    left.peer = request[0];
    left.tag = request[1];
}

void Unfolding::allreduce(const Statement& each) {
    const Expression& expression = each.expressions[0];
    const Value size = folding_.constant(expression, Kind::bytes, "the size of an allreduce");
    const SlotId amount = slot(Use::size, graph_.literal(size, expression.span), expression.span);
    emit(Left::allreduce, each).amount = amount;
}

Block Unfolding::folded_apart(const std::vector<Statement>& statements, bool guarded) {
    Block result;
    Block* const outer = out_;
    out_ = &result;
    folding_.guards += guarded ? 1U : 0U;
    block(statements);
    folding_.guards -= guarded ? 1U : 0U;
    out_ = outer;
    return result;
}

void Unfolding::branch(const Statement& each) {
    const Expression& condition = each.expressions[0];
    const SlotId truth = slot(Use::condition, folding_.value(condition, Kind::boolean), condition.span);
    if (const auto known = slots_[truth].known) return block(*known != 0 ? each.body : each.otherwise);
    Block body = folded_apart(each.body, true);
    Block otherwise = folded_apart(each.otherwise, true);
    if (body.empty() && otherwise.empty()) return;
    ResidualStatement& left = emit(Left::branch, each);
    left.amount = truth;
    left.body = std::move(body);
    left.otherwise = std::move(otherwise);
}

void Unfolding::repeat(const Statement& each) {
    loop(each, folding_.value(each.expressions[0], Kind::integer), each.expressions[0].span);
}

void Unfolding::loop(const Statement& each, NodeId times, Span times_span) {
    const SlotId count = slot(Use::times, times, times_span);
    const auto known = slots_[count].known;
    if (known == 0) return;
    if (known == 1) return block(each.body);
    residual_loop(each, count);
}

void Unfolding::residual_loop(const Statement& each, SlotId times) {
    ++loops_;
    Block body = folded_apart(each.body, !slots_[times].known);
    --loops_;
    if (body.empty()) return;
    if (loops_ + 2 > program::kMaxLoopDepth) {
        fail(FaultKind::loops_too_deep, each.span,
             fmt::format("loops nested {} deep within the iteration; the most is {}", loops_ + 1,
                         program::kMaxLoopDepth - 1));
    }
    ResidualStatement& left = emit(Left::loop, each);
    left.amount = times;
    left.body = std::move(body);
}

void Unfolding::for_range(const Statement& each) {
    if (each.uses_variable) {
        const std::int64_t first =
            folding_.constant(each.expressions[0], Kind::integer, "a bound of a loop whose body uses its variable")
                .whole;
        const std::int64_t last =
            folding_.constant(each.expressions[1], Kind::integer, "a bound of a loop whose body uses its variable")
                .whole;
        for (std::int64_t i = first; i <= last; ++i) {
            folding_.variable(each.slot) = {graph_.literal(integer(i), each.span), {}};
            folding_.step(each.span);
            block(each.body);
            if (i == std::numeric_limits<std::int64_t>::max()) return;
        }
        return;
    }
    const bool guarded = folding_.guards > 0;
    const NodeId first = folding_.value(each.expressions[0], Kind::integer);
    const NodeId last = folding_.value(each.expressions[1], Kind::integer);
    const NodeId one = graph_.literal(integer(1), each.span);
    const auto apply = [&](Op op, NodeId a, NodeId b) {
        const std::array<NodeId, 2> operands{a, b};
        return graph_.apply(op, operands, each.span, guarded);
    };
    const NodeId count = apply(Op::add, apply(Op::subtract, last, first), one);
    loop(each, apply(Op::maximum, count, graph_.literal(integer(0), each.span)), each.span);
}

void Unfolding::for_each(const Statement& each) {
    const std::vector<NodeId> items = folding_.fold(each.expressions[0]).items;
    for (const NodeId item : items) {
        folding_.variable(each.slot) = {item, {}};
        folding_.step(each.span);
        block(each.body);
    }
}

void Unfolding::call(const Statement& each) {
    const Object& callee = *each.callee;
    Frame frame(callee.slots);
    for (std::size_t i = 0; i < each.expressions.size(); ++i) {
        const Parameter& parameter = callee.parameters[i];
        frame[parameter.slot.index] =
            folding_.coerced(folding_.fold(each.expressions[i]), parameter.type, each.expressions[i].span);
    }
    Frame* const outer = folding_.local;
    folding_.local = &frame;
    block(callee.body);
    folding_.local = outer;
}

}  // namespace warpfront::psl
