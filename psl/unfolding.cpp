#include "psl/unfolding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "psl/limits.hpp"

namespace warpfront::psl {

using input::FaultKind;
using Form = Statement::Form;
using Left = ResidualStatement::Form;

Unfolding::Unfolding(const CheckedModel& model, const Bindings& bindings, Graph& graph, Slots& slots)
    : model_(model), bindings_(bindings), graph_(graph), slots_(slots), folding_(graph, bindings.iterations) {}

void Unfolding::fail(FaultKind kind, Span span, std::string message) const {
    graph_.fail({kind, std::move(message)}, span);
}

Skeleton Unfolding::run(const std::map<std::string, Value>& values) {
    folding_.application.resize(model_.application->slots);
    Block everywhere;
    out_ = &everywhere;
    try {
        items(values);
    } catch (const input::BadInput&) {
        requirements_.raise();  // what else is wrong may follow from them
        throw;
    }
    requirements_.raise();
    const auto& body = model_.application->body;
    const auto found =
        std::find_if(body.begin(), body.end(), [](const Statement& s) { return s.form == Form::iteration; });
    skeleton_.iteration_site = site(*found);
    std::size_t total = 0;
    auto runs = by_iteration(bindings_.iterations, [&](Interval interval) {
        Block folded = iteration(*found, interval);
        total += emitted_;
        if (total > kMostStatements) {
            fail(FaultKind::program_too_large, found->span,
                 fmt::format("more than {} statements remain", kMostStatements));
        }
        return folded;
    });
    for (auto& [count, block] : runs) skeleton_.phases.push_back({count, std::move(block)});
    auto& first = skeleton_.phases.front().body;
    first.insert(first.begin(), everywhere.begin(), everywhere.end());
    skeleton_.closed_form = closed_form(model_, folding_, graph_, bindings_.iterations);
    skeleton_.notes = std::move(folding_.notes);
    return std::move(skeleton_);
}

void Unfolding::items(const std::map<std::string, Value>& values) {
    for (const Statement& each : model_.application->body) {
        if (each.form == Form::iteration || each.form == Form::closed_form) continue;
        if (each.form == Form::parameter) {
            parameter(each, values);
        } else {
            statement(each);
        }
    }
}

void Unfolding::parameter(const Statement& each, const std::map<std::string, Value>& values) {
    const auto bound = values.find(each.name.text);
    const Value value = bound != values.end() ? bound->second
                                              : folding_.constant(each.expressions[0], each.declared.kind,
                                                                  fmt::format("the default of `{}`", each.name.text));
    folding_.variable(each.slot) = {graph_.literal(value, each.span), {}};
    parameters_[each.slot.index] = &each;
}

Block Unfolding::iteration(const Statement& each, Interval interval) {
    Block result;
    out_ = &result;
    emitted_ = 0;
    loops_ = 0;
    depth_ = 0;
    folding_.interval = interval;
    folding_.guards = 0;
    folding_.local = nullptr;
    if (!each.name.text.empty()) folding_.variable(each.slot) = {folding_.iteration_number(each.span), {}};
    block(each.body);
    return result;
}

void Unfolding::block(const std::vector<Statement>& statements) {
    for (const Statement& each : statements) {
        folding_.step(each.span);
        if (++depth_ > kDeepestResidual) {
            fail(FaultKind::nesting_too_deep, each.span,
                 fmt::format("statements nested more than {} levels deep", kDeepestResidual));
        }
        statement(each);
        --depth_;
    }
}

void Unfolding::statement(const Statement& each) {
    switch (each.form) {
        case Form::let:
            folding_.variable(each.slot) =
                folding_.coerced(folding_.fold(each.expressions[0]), each.expressions[0].type, each.span);
            return;
        case Form::require: return require(each);
        case Form::compute: return compute(each);
        case Form::send:
        case Form::recv:
        case Form::irecv: return message(each);
        case Form::wait: return wait(each);
        case Form::allreduce: return allreduce(each);
        case Form::branch: return branch(each);
        case Form::repeat: return repeat(each);
        case Form::for_range: return for_range(each);
        case Form::for_each: return for_each(each);
        default: return call(each);
    }
}

SlotId Unfolding::slot(Use use, NodeId node, Span origin) {
    if (graph_[node].iterates) throw OneByOne{};
    return slots_.make(use, node, origin, folding_.guards > 0);
}

ResidualStatement& Unfolding::emit(Left form, const Statement& each) {
    if (++emitted_ > kMostStatements) {
        fail(FaultKind::program_too_large, each.span, fmt::format("more than {} statements remain", kMostStatements));
    }
    ResidualStatement statement;
    statement.form = form;
    statement.site = site(each);
    statement.origin = &each;
    out_->push_back(std::move(statement));
    return out_->back();
}

std::uint16_t Unfolding::site(const Statement& each) {
    const auto found = sites_.find(&each);
    if (found != sites_.end()) return found->second;
    if (skeleton_.sites.size() >= kMostSites) {
        fail(FaultKind::program_too_large, each.span, fmt::format("more than {} different statements", kMostSites));
    }
    const input::Place place = model_.place(each.span);
    const auto position = place.source->position(place.offset);
    const auto id = static_cast<std::uint16_t>(skeleton_.sites.size());
    skeleton_.sites.push_back({place.source->name(), position.line, position.column, model_.line(each.span)});
    skeleton_.site_statements.push_back(&each);
    sites_.emplace(&each, id);
    return id;
}

void Unfolding::require(const Statement& each) {
    const NodeId condition = folding_.value(each.expressions[0], Kind::boolean);
    const Node known = graph_[condition];
    if (known.literal() && known.value.whole != 0) return;
    if (known.literal() && folding_.guards == 0) return requirement_failed(each);
    const SlotId truth = slot(Use::condition, condition, each.span);
    emit(Left::require, each).amount = truth;
}

namespace {

void collect_names(const Expression& expression, std::vector<const Expression*>& names) {
    if (expression.form == Expression::Form::name) names.push_back(&expression);
    for (const Expression& operand : expression.operands) collect_names(operand, names);
}

}  // namespace

void Unfolding::requirement_failed(const Statement& each) {
    std::vector<const Expression*> names;
    collect_names(each.expressions[0], names);
    input::Place place = model_.place(each.expressions[0].span);
    std::string values;
    bool at_binding = false;
    for (const Expression* name : names) {
        const Node& node = graph_[folding_.fold(*name).node];
        const std::string text = fmt::format("{} = {}", name->name, to_text(node.value));
        if (node.literal() && values.find(text) == std::string::npos)
            values += (values.empty() ? ", with " : ", ") + text;
        const auto parameter =
            name->builtin || name->slot.local ? parameters_.end() : parameters_.find(name->slot.index);
        if (at_binding || parameter == parameters_.end()) continue;
        const auto bound = bindings_.parameters.find(name->name);
        if (bound == bindings_.parameters.end() || !bound->second.place.source) continue;
        place = bound->second.place;
        at_binding = true;
    }
    const std::string expected = fmt::format("expected `{}`{}", model_.line(each.expressions[0].span), values);
    requirements_.add(FaultKind::requirement_failed, place, each.message, expected);
    if (depth_ > 0) requirements_.raise();
}

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
    if (each.form == Form::send)
        size = slot(Use::size, folding_.value(each.expressions[0], Kind::bytes), each.expressions[0].span);
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
