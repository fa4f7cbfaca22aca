// Folds what has a frame or items: calls of functions, and items of lists.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "psl/specialising/folding.hpp"

namespace warpfront::psl {

const BoundValue* Folding::replaced(const Object& object, const std::string& name) const {
    const auto found = objects.find(&object);
    if (found == objects.end()) return nullptr;
    const auto value = found->second.find(name);
    return value == found->second.end() ? nullptr : &value->second;
}

/// A default may use the parameters before it.
Frame Folding::frame_of(const Object& callee, const std::vector<Expression>& given) {
    Frame frame(callee.slots);
    for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
        const Parameter& parameter = callee.parameters[i];
        NameBinding& binding = frame[parameter.slot.index];
        if (i < given.size()) {
            binding = coerced(fold(given[i]), parameter.type, given[i].span);
            continue;
        }
        const Expression& preset = parameter.preset[0];
        if (const BoundValue* bound = replaced(callee, parameter.name.text)) {
            binding.node = graph_.literal(bound->value, preset.span);
            for (const Value& item : bound->items) binding.items.push_back(graph_.literal(item, preset.span));
            continue;
        }
        const ScopedValue<Frame*> entered(local, &frame);
        binding = coerced(fold(preset), parameter.type, preset.span);
    }
    return frame;
}

NameBinding Folding::call(const Expression& expression) {
    const Object& callee = *expression.callee;
    Frame frame = frame_of(callee, expression.operands);
    if (callee.form == Object::Form::function) {
        const ScopedValue<Frame*> entered(local, &frame);
        return coerced(fold(callee.body[0].expressions[0]), callee.result, expression.span);
    }
    const NodeId total = recording({nullptr, &expression, 0, {}, {}}, &expression, [&](auto) {
        const ScopedValue<Frame*> entered(local, &frame);
        return cost(callee.body, expression.span);
    });
    return {total, {}};
}

/// An index that differs between trips or ranks is compared with the middle of the list, of its half, and so on: trips
/// are split only where another item begins, and ranks evaluate log2 of the length.
NodeId Folding::index(const Expression& expression) {
    const std::vector<NodeId> items = fold(expression.operands[0]).items;
    const Span origin = expression.span;
    const NodeId index = value(expression.operands[1], Kind::integer);
    const NodeId length = graph_.literal(integer(static_cast<std::int64_t>(items.size())), origin);
    const NodeId least = comparison(OperatorKind::greater_equal, index, graph_.literal(integer(1), origin), origin);
    const NodeId most = comparison(OperatorKind::less_equal, index, length, origin);
    const auto refused = [&] {
        if (graph_[index].level > 0) split(index);
        const std::array<NodeId, 2> checked{index, length};
        return graph_.apply(OperatorKind::list_index, checked, origin, guards > 0);
    };
    const auto fails = [&](NodeId side) { return graph_[side].literal() && graph_[side].value.whole == 0; };
    if (items.empty() || fails(least) || fails(most)) return refused();
    const NodeId item = item_at(items, 0, items.size() - 1, index, origin);
    if (graph_[index].literal() || graph_[index].level > 0) return item;
    const std::array<NodeId, 2> both{least, most};
    return graph_.choose(graph_.apply(OperatorKind::logical_and, both, origin, true), item, refused(), origin);
}

NodeId Folding::item_at(const std::vector<NodeId>& items, std::size_t from, std::size_t to, NodeId index, Span origin) {
    if (from == to) return items[from];
    const std::size_t middle = from + (to - from) / 2;
    const NodeId number = graph_.literal(integer(static_cast<std::int64_t>(middle + 1)), origin);
    const NodeId lower = comparison(OperatorKind::less_equal, index, number, origin);
    const ExpressionNode known = graph_[lower];
    if (known.literal()) {
        return known.value.whole != 0 ? item_at(items, from, middle, index, origin)
                                      : item_at(items, middle + 1, to, index, origin);
    }
    const NodeId before = item_at(items, from, middle, index, origin);
    return graph_.choose(lower, before, item_at(items, middle + 1, to, index, origin), origin);
}

/// Linear between the points, constant beyond the first and the last.
NodeId Folding::interpolate(const Expression& expression) {
    const NodeId x = value(expression.operands[0], Kind::real);
    const std::vector<NodeId> points = fold(expression.operands[1]).items;
    const std::vector<NodeId> values = fold(expression.operands[2]).items;
    const Span at = expression.span;
    if (points.empty() || points.size() != values.size()) {
        graph_.fail({input::DiagnosticKind::out_of_range,
                     fmt::format("`interpolate` between {} points with {} values", points.size(), values.size())},
                    at);
    }
    NodeId result = graph_.coerced(values.back(), expression.type.kind, at);
    for (std::size_t k = points.size() - 1; k-- > 0;) {
        const NodeId from = graph_.coerced(points[k], Kind::real, at);
        const NodeId to = graph_.coerced(points[k + 1], Kind::real, at);
        if (!graph_[from].literal() || !graph_[to].literal() ||
            !(graph_[from].value.amount < graph_[to].value.amount)) {
            graph_.fail({input::DiagnosticKind::out_of_range, "the points of `interpolate` do not ascend"},
                        expression.operands[1].span);
        }
        const NodeId low = graph_.coerced(values[k], expression.type.kind, at);
        const NodeId high = graph_.coerced(values[k + 1], expression.type.kind, at);
        const NodeId width = applied(OperatorKind::subtract, to, from, at);
        const NodeId part = applied(OperatorKind::divide, applied(OperatorKind::subtract, x, from, at), width, at);
        const NodeId rise = applied(OperatorKind::multiply, applied(OperatorKind::subtract, high, low, at), part, at);
        const NodeId between = applied(OperatorKind::add, low, rise, at);
        result = chosen(comparison(OperatorKind::less, x, to, at), between, result, at);
        if (k == 0) result = chosen(comparison(OperatorKind::less, x, from, at), low, result, at);
    }
    return result;
}

NodeId Folding::chosen(NodeId condition, NodeId yes, NodeId no, Span origin) {
    const ExpressionNode& known = graph_[condition];
    if (known.literal()) return known.value.whole != 0 ? yes : no;
    return graph_.choose(condition, yes, no, origin);
}

}  // namespace warpfront::psl
