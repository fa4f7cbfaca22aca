// Folds what has a frame or items: calls of functions, and items of lists.
#include <array>
#include <utility>

#include "psl/folding.hpp"

namespace warpfront::psl {

namespace {

/// Makes `frame` the local one for as long as it lives.
class Entered {
public:
    Entered(Frame*& local, Frame& frame) : local_(local), outer_(std::exchange(local, &frame)) {}
    ~Entered() { local_ = outer_; }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

private:
    Frame*& local_;
    Frame* outer_;
};

}  // namespace

NameBinding Folding::call(const Expression& expression) {
    const Object& callee = *expression.callee;
    Frame frame(callee.slots);
    for (std::size_t i = 0; i < expression.operands.size(); ++i) {
        const Parameter& parameter = callee.parameters[i];
        const Expression& given = expression.operands[i];
        frame[parameter.slot.index] = coerced(fold(given), parameter.type, given.span);
    }
    const Entered entered(local, frame);
    return coerced(fold(callee.body[0].expressions[0]), callee.result, expression.span);
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

}  // namespace warpfront::psl
