#include "psl/affine.hpp"

namespace warpfront::psl {
namespace {

constexpr Wide kLimit = Wide{1} << 62;
constexpr unsigned kMostVisits = 1000;

std::optional<Affine> within(const Affine& a) {
    const auto fits = [](Wide x) { return x <= kLimit && x >= -kLimit; };
    return fits(a.slope) && fits(a.offset) ? std::optional(a) : std::nullopt;
}

bool holds(Op op, const Affine& difference, std::int64_t k) {
    const Wide value = difference.slope * k + difference.offset;
    switch (op) {
        case Op::less: return value < 0;
        case Op::less_equal: return value <= 0;
        case Op::greater: return value > 0;
        case Op::greater_equal: return value >= 0;
        case Op::equal: return value == 0;
        default: return value != 0;
    }
}

/// Shared operands are visited once per use, so the visits are counted.
std::optional<Affine> linear(const Graph& graph, NodeId id, unsigned& visits) {
    const Node& node = graph[id];
    if (++visits > kMostVisits) return std::nullopt;
    if (node.kind != Kind::integer) return std::nullopt;
    if (node.literal()) return within({0, node.value.whole});
    if (node.op == Op::iteration) return Affine{1, 0};
    if (node.op != Op::negate && node.op != Op::add && node.op != Op::subtract && node.op != Op::multiply) {
        return std::nullopt;
    }
    const auto a = linear(graph, node.operands[0], visits);
    if (!a) return std::nullopt;
    if (node.op == Op::negate) return within({-a->slope, -a->offset});
    const auto b = linear(graph, node.operands[1], visits);
    if (!b) return std::nullopt;
    if (node.op == Op::add) return within({a->slope + b->slope, a->offset + b->offset});
    if (node.op == Op::subtract) return within({a->slope - b->slope, a->offset - b->offset});
    if (a->slope != 0 && b->slope != 0) return std::nullopt;
    return within({a->slope * b->offset + b->slope * a->offset, a->offset * b->offset});
}

}  // namespace

std::optional<Affine> affine(const Graph& graph, NodeId node) {
    unsigned visits = 0;
    return linear(graph, node, visits);
}

bool holds_throughout(Op op, const Affine& difference, const Interval& interval) {
    const bool outcome = holds(op, difference, interval.first);
    if (interval.single() || difference.slope == 0) return outcome;
    if (op == Op::equal || op == Op::not_equal) {
        const Wide root = -difference.offset / difference.slope;
        const bool inside =
            root * difference.slope == -difference.offset && root >= interval.first && root <= interval.last;
        if (inside) throw Split{root == interval.first ? interval.first + 1 : static_cast<std::int64_t>(root)};
        return outcome;
    }
    if (holds(op, difference, interval.last) == outcome) return outcome;
    std::int64_t same = interval.first;
    std::int64_t other = interval.last;
    while (other - same > 1) {
        const std::int64_t middle = same + (other - same) / 2;
        (holds(op, difference, middle) == outcome ? same : other) = middle;
    }
    throw Split{other};
}

}  // namespace warpfront::psl
