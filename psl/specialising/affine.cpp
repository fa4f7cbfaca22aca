#include "psl/specialising/affine.hpp"

#include <algorithm>

namespace warpfront::psl {
namespace {

constexpr Wide kLimit = Wide{1} << 62;
constexpr unsigned kMostVisits = 1000;

using Split = SplitRequest::Kind;

Affine combined(const Affine& a, const Affine& b, Wide factor) {
    return {a.turn + factor * b.turn, a.part + factor * b.part, a.offset + factor * b.offset};
}

Affine negated(const Affine& a) { return combined({}, a, -1); }

bool holds(OperatorKind op, Wide difference) {
    switch (op) {
        case OperatorKind::less: return difference < 0;
        case OperatorKind::less_equal: return difference <= 0;
        case OperatorKind::greater: return difference > 0;
        case OperatorKind::greater_equal: return difference >= 0;
        case OperatorKind::equal: return difference == 0;
        default: return difference != 0;
    }
}

/// Returns the first value in (low, high] for which `differs` is true. It must be false at `low` and true from some
/// value on.
template <class Differs>
std::int64_t first_that(std::int64_t low, std::int64_t high, Differs differs) {
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (differs(middle) ? high : low) = middle;
    }
    return high;
}

enum class Side : std::uint8_t { below, above, both };

/// Returns on which side of the change of a comparison all iterations of a turn lie.
Side side_of_turn(OperatorKind op, const Affine& a, const Iterations& iterations, std::int64_t turn) {
    const OperatorKind below =
        op == OperatorKind::less_equal || op == OperatorKind::greater ? OperatorKind::less_equal : OperatorKind::less;
    const bool root = op == OperatorKind::equal || op == OperatorKind::not_equal;
    const OperatorKind above =
        root || below == OperatorKind::less_equal ? OperatorKind::greater : OperatorKind::greater_equal;
    const Wide from = a.turn * turn + a.part * iterations.from + a.offset;
    const Wide to = a.turn * turn + a.part * iterations.to + a.offset;
    if (holds(below, from) && holds(below, to)) return Side::below;
    return holds(above, from) && holds(above, to) ? Side::above : Side::both;
}

bool holds_in_all_turns(OperatorKind op, const Affine& difference, const LoopVariable& variable) {
    const Iterations& iterations = variable.iterations;
    const Side side = side_of_turn(op, difference, iterations, 0);
    const auto differs = [&](std::int64_t turn) { return side_of_turn(op, difference, iterations, turn) != side; };
    if (side == Side::both) throw SplitRequest{Split::turn, variable.level, 1};
    if (!differs(iterations.times - 1)) return holds(op, difference.part * iterations.from + difference.offset);
    throw SplitRequest{Split::turn, variable.level, first_that(0, iterations.times - 1, differs)};
}

class Linear {
public:
    Linear(const Graph& graph, const LoopVariable& variable) : graph_(graph), variable_(variable) {}

    /// Returns the linear form of a node. Operands with several users are visited once per user, so the number of
    /// visits is limited.
    std::optional<Affine> of(NodeId id) {
        const ExpressionNode& node = graph_[id];
        if (++visits_ > kMostVisits || node.kind != Kind::integer) return std::nullopt;
        if (node.literal()) return within({0, 0, node.value.whole});
        if (node.op == OperatorKind::loop_variable) return variable(node);
        if (node.arity == 0 || node.arity > 2) return std::nullopt;
        const auto a = of(node.operands[0]);
        if (!a) return std::nullopt;
        if (node.op == OperatorKind::negate) return within(negated(*a));
        if (node.arity != 2) return std::nullopt;
        const auto b = of(node.operands[1]);
        if (!b) return std::nullopt;
        switch (node.op) {
            case OperatorKind::add: return within(combined(*a, *b, 1));
            case OperatorKind::subtract: return within(combined(*a, *b, -1));
            case OperatorKind::multiply: return product(*a, *b);
            case OperatorKind::remainder:
            case OperatorKind::quotient: return division(node.op, *a, *b);
            default: return std::nullopt;
        }
    }

private:
    std::optional<Affine> variable(const ExpressionNode& node) const {
        if (node.level != variable_.level) return std::nullopt;
        const Iterations& iterations = variable_.iterations;
        const Wide turn = iterations.times > 1 ? iterations.period : 0;
        if (iterations.from == iterations.to) return within({turn, 0, Wide{iterations.first} + iterations.from});
        return within({turn, 1, iterations.first});
    }

    /// Returns `a`, or nothing if one of its values exceeds the limit. Then the arithmetic of that iteration could
    /// fail.
    std::optional<Affine> within(const Affine& a) const {
        const Iterations& iterations = variable_.iterations;
        const auto large = [](Wide x) { return x > kLimit || x < -kLimit; };
        if (large(a.turn) || large(a.part) || large(a.offset)) return std::nullopt;
        const Wide turns = a.turn * (iterations.times - 1);
        const Wide least =
            std::min<Wide>(turns, 0) + std::min(a.part * iterations.from, a.part * iterations.to) + a.offset;
        const Wide most =
            std::max<Wide>(turns, 0) + std::max(a.part * iterations.from, a.part * iterations.to) + a.offset;
        return large(least) || large(most) ? std::nullopt : std::optional(a);
    }

    std::optional<Affine> product(const Affine& a, const Affine& b) const {
        if (!a.constant() && !b.constant()) return std::nullopt;
        const Wide factor = a.constant() ? a.offset : b.offset;
        return within(combined({}, a.constant() ? b : a, factor));
    }

    /// Divides towards zero, as C does. Divides the absolute value and then sets the sign.
    std::optional<Affine> division(OperatorKind op, const Affine& a, const Affine& b) const {
        if (!b.constant() || b.offset == 0) return std::nullopt;
        const bool negative = !holds_throughout(OperatorKind::greater_equal, a, variable_);
        const Affine result = of_whole(op, negative ? negated(a) : a, b.offset < 0 ? -b.offset : b.offset);
        const bool opposite = op == OperatorKind::remainder ? negative : negative != (b.offset < 0);
        return within(opposite ? negated(result) : result);
    }

    /// Divides `a` by `divisor`. Requires `a` >= 0 in all iterations and `divisor` > 0.
    Affine of_whole(OperatorKind op, const Affine& a, Wide divisor) const {
        const Iterations& iterations = variable_.iterations;
        if (a.turn % divisor != 0) ask_period(divisor, a.turn, iterations.period);
        const auto quotient = [&](std::int64_t part) { return (a.part * part + a.offset) / divisor; };
        const Wide whole = quotient(iterations.from);
        if (quotient(iterations.to) != whole) {
            if (iterations.times == 1 && iterations.may_repeat) ask_period(divisor, a.part, 1);
            throw SplitRequest{
                Split::part, variable_.level,
                first_that(iterations.from, iterations.to, [&](std::int64_t part) { return quotient(part) != whole; })};
        }
        if (op == OperatorKind::quotient) return {a.turn / divisor, 0, whole};
        return {0, a.part, a.offset - divisor * whole};
    }

    /// Requests a period after which the remainder repeats. Remainders of multiples of `step` repeat after divisor /
    /// gcd(step, divisor) steps.
    [[noreturn]] void ask_period(Wide divisor, Wide step, std::int64_t iterations_of_step) const {
        Wide gcd = divisor;
        for (Wide rest = step < 0 ? -step : step; rest != 0;) rest = std::exchange(gcd, rest) % rest;
        const Wide period = std::min(divisor / gcd, kLimit / iterations_of_step) * iterations_of_step;
        throw SplitRequest{Split::period, variable_.level, static_cast<std::int64_t>(period)};
    }

    const Graph& graph_;
    const LoopVariable& variable_;
    unsigned visits_ = 0;
};

}  // namespace

std::optional<Affine> affine(const Graph& graph, NodeId node, const LoopVariable& variable) {
    return Linear(graph, variable).of(node);
}

bool holds_throughout(OperatorKind op, const Affine& difference, const LoopVariable& variable) {
    const Iterations& iterations = variable.iterations;
    if (difference.turn != 0) return holds_in_all_turns(op, difference, variable);
    const auto outcome_at = [&](std::int64_t part) { return holds(op, difference.part * part + difference.offset); };
    const bool outcome = outcome_at(iterations.from);
    if (iterations.from == iterations.to || difference.part == 0) return outcome;
    if (op == OperatorKind::equal || op == OperatorKind::not_equal) {
        const Wide root = -difference.offset / difference.part;
        const bool inside =
            root * difference.part == -difference.offset && root >= iterations.from && root <= iterations.to;
        if (!inside) return outcome;
        throw SplitRequest{Split::part, variable.level,
                           root == iterations.from ? iterations.from + 1 : static_cast<std::int64_t>(root)};
    }
    if (outcome_at(iterations.to) == outcome) return outcome;
    throw SplitRequest{Split::part, variable.level, first_that(iterations.from, iterations.to, [&](std::int64_t part) {
                           return outcome_at(part) != outcome;
                       })};
}

}  // namespace warpfront::psl
