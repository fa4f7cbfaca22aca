#include "psl/specialising/folding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "psl/specialising/limits.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;

void Folding::step(Span origin) {
    if (++steps_ <= kMostSteps) return;
    graph_.fail(
        {DiagnosticKind::program_too_large, fmt::format("folding the model takes more than {} steps", kMostSteps)},
        origin);
}

namespace {

/// Counts a level of folding for as long as it lives.
class Level {
public:
    explicit Level(unsigned& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

private:
    unsigned& depth_;
};

}  // namespace

NameBinding Folding::fold(const Expression& expression) {
    step(expression.span);
    const Level level(depth_);
    if (depth_ > kDeepestResidual) {
        graph_.fail({DiagnosticKind::nesting_too_deep,
                     fmt::format("expressions nested more than {} levels deep through functions", kDeepestResidual)},
                    expression.span);
    }
    switch (expression.form) {
        case Expression::Form::literal: return {graph_.literal(expression.literal, expression.span), {}};
        case Expression::Form::name: return name(expression);
        case Expression::Form::apply: return {operation(expression), {}};
        case Expression::Form::choose: return choice(expression);
        case Expression::Form::index: return {index(expression), {}};
        case Expression::Form::call: return call(expression);
        default: break;
    }
    NameBinding list;
    for (const Expression& item : expression.operands) list.items.push_back(value(item, expression.type.kind));
    return list;
}

NodeId Folding::value(const Expression& expression, Kind kind) {
    return graph_.coerced(fold(expression).node, kind, expression.span);
}

NameBinding Folding::coerced(NameBinding binding, Type type, Span origin) {
    if (!type.list) {
        binding.node = graph_.coerced(binding.node, type.kind, origin);
    }
    for (NodeId& item : binding.items) item = graph_.coerced(item, type.kind, origin);
    return binding;
}

Value Folding::constant(const Expression& expression, Kind kind, std::string_view what) {
    const ExpressionNode& node = graph_[settled(value(expression, kind))];
    if (!node.literal()) {
        graph_.fail({DiagnosticKind::rank_dependent, fmt::format("{} differs from rank to rank", what)},
                    expression.span);
    }
    return node.value;
}

NameBinding Folding::name(const Expression& expression) {
    return expression.builtin ? NameBinding{builtin(expression), {}} : variable(expression.slot);
}

NodeId Folding::loop_variable(Span origin) {
    const Trips& trips = loops.back().trips;
    if (trips.single()) return graph_.literal(integer(trips.first + trips.from), origin);
    return graph_.loop_variable(loops.back().level, origin);
}

void Folding::split(NodeId node) const {
    const LoopVariable& variable = loops[graph_[node].level - 1];
    const Trips& trips = variable.trips;
    if (trips.times == 1 || trips.from == trips.to) throw Distinction{Distinction::Kind::each, variable.level, 0};
    throw Distinction{Distinction::Kind::part, variable.level, trips.from + 1};
}

NodeId Folding::builtin(const Expression& expression) {
    using Constant = Builtin::Constant;
    const auto corner = [&](program::Corner which) {
        return graph_.literal({Kind::corner, static_cast<std::int64_t>(which), 0.0L}, expression.span);
    };
    const auto whole = [&](std::int64_t number) { return graph_.literal(integer(number), expression.span); };
    mention(*expression.builtin);
    switch (expression.builtin->constant) {
        case Constant::columns: return whole(graph_.grid().columns);
        case Constant::rows: return whole(graph_.grid().rows);
        case Constant::planes: return whole(graph_.grid().planes);
        case Constant::ranks: return whole(static_cast<std::int64_t>(graph_.grid().ranks()));
        case Constant::iterations: return whole(iterations_);
        case Constant::nobody: return graph_.literal({Kind::peer, kNobody, 0.0L}, expression.span);
        case Constant::northwest: return corner(program::Corner::northwest);
        case Constant::northeast: return corner(program::Corner::northeast);
        case Constant::southwest: return corner(program::Corner::southwest);
        case Constant::southeast: return corner(program::Corner::southeast);
        case Constant::none: break;
    }
    return graph_.apply(expression.builtin->op, {}, expression.span, guards > 0);
}

/// A constant on an array of one plane.
NodeId Folding::own_plane(Span origin) {
    if (graph_.grid().planes == 1) return graph_.literal(integer(1), origin);
    return graph_.apply(OperatorKind::plane, {}, origin, guards > 0);
}

void Folding::mention(const Builtin& builtin) {
    using Constant = Builtin::Constant;
    switch (builtin.op) {
        case OperatorKind::plane: mentions_planes_ = true; break;
        case OperatorKind::up:
        case OperatorKind::down: mentions_up_or_down_ = true; break;
        case OperatorKind::column:
        case OperatorKind::row:
        case OperatorKind::west:
        case OperatorKind::east:
        case OperatorKind::north:
        case OperatorKind::south: mentions_columns_or_rows_ = true; break;
        default: break;
    }
    if (builtin.constant == Constant::planes) mentions_planes_ = true;
    if (builtin.constant == Constant::columns || builtin.constant == Constant::rows) mentions_columns_or_rows_ = true;
}

void Folding::note_planes() {
    const std::uint32_t planes = graph_.grid().planes;
    if (mentions_planes_) return;
    if (planes == 1 && mentions_up_or_down_) {
        notes.emplace_back("`up` and `down` lead to other planes of ranks, and this array has one: they are nobody");
    }
    if (planes > 1 && mentions_columns_or_rows_ && !mentions_up_or_down_) {
        notes.push_back(
            fmt::format("the model has columns and rows of ranks, but no planes: each of the {} planes is a "
                        "copy of its own, but for collectives over all ranks",
                        planes));
    }
}

/// A condition must not depend on a loop's variable: branches are decided before ranks are known.
NodeId Folding::settled(NodeId node) const {
    if (graph_[node].level > 0) split(node);
    return node;
}

NameBinding Folding::choice(const Expression& expression) {
    const NodeId condition = settled(value(expression.operands[0], Kind::boolean));
    const ExpressionNode& known = graph_[condition];
    if (known.literal()) {
        const Expression& chosen = expression.operands[known.value.whole != 0 ? 1 : 2];
        return coerced(fold(chosen), expression.type, chosen.span);
    }
    if (expression.type.list) {
        graph_.fail({DiagnosticKind::rank_dependent, "which list is meant differs from rank to rank"},
                    expression.operands[0].span);
    }
    ++guards;
    const NodeId yes = value(expression.operands[1], expression.type.kind);
    const NodeId no = value(expression.operands[2], expression.type.kind);
    --guards;
    return {graph_.choose(condition, yes, no, expression.span), {}};
}

NodeId Folding::operation(const Expression& expression) {
    const OperatorKind op = expression.op;
    if (op == OperatorKind::length) {
        const std::size_t length = fold(expression.operands[0]).items.size();
        return graph_.literal(integer(static_cast<std::int64_t>(length)), expression.span);
    }
    if (op == OperatorKind::interpolate) return interpolate(expression);
    if (op == OperatorKind::logical_and || op == OperatorKind::logical_or) return logical(expression);
    std::array<NodeId, 3> operands{};
    std::size_t arity = expression.operands.size();
    for (std::size_t i = 0; i < arity; ++i) operands[i] = fold(expression.operands[i]).node;
    if (op == OperatorKind::rank_at) {
        mentions_planes_ = mentions_planes_ || arity == 3;
        if (arity == 2) operands[arity++] = own_plane(expression.span);
    }
    if (op >= OperatorKind::less && op <= OperatorKind::not_equal)
        return comparison(op, operands[0], operands[1], expression.span);
    if (op == OperatorKind::share) note_share(expression, operands[0], operands[1]);
    const NodeId node = graph_.apply(op, {operands.data(), arity}, expression.span, guards > 0);
    if (op == OperatorKind::remainder || op == OperatorKind::quotient) return whole_division(node, expression.span);
    return graph_[node].kind == Kind::boolean ? settled(node) : node;
}

NodeId Folding::logical(const Expression& expression) {
    const NodeId left = value(expression.operands[0], Kind::boolean);
    const ExpressionNode known = graph_[left];
    const bool decides = expression.op == OperatorKind::logical_or;  // the left value that decides alone
    if (known.literal() && (known.value.whole != 0) == decides) return left;
    const unsigned guard = known.literal() ? 0 : 1;
    guards += guard;
    const NodeId right = value(expression.operands[1], Kind::boolean);
    guards -= guard;
    if (known.literal()) return right;
    const std::array<NodeId, 2> operands{left, right};
    return graph_.apply(expression.op, operands, expression.span, guards > 0);
}

/// Remainders and quotients of a loop's variable give the period of the loop and are then known.
NodeId Folding::whole_division(NodeId node, Span origin) {
    if (graph_[node].level == 0) return node;
    const auto known = affine(graph_, node, loops[graph_[node].level - 1]);
    if (!known || !known->constant()) return node;
    return graph_.literal(integer(static_cast<std::int64_t>(known->offset)), origin);
}

NodeId Folding::comparison(OperatorKind op, NodeId left, NodeId right, Span origin) {
    const std::array<NodeId, 2> operands{left, right};
    const NodeId innermost = graph_[left].level >= graph_[right].level ? left : right;
    if (graph_[innermost].level == 0) return graph_.apply(op, operands, origin, guards > 0);
    const LoopVariable& variable = loops[graph_[innermost].level - 1];
    const auto a = affine(graph_, left, variable);
    const auto b = affine(graph_, right, variable);
    if (!a || !b) split(innermost);
    const Affine difference{a->turn - b->turn, a->part - b->part, a->offset - b->offset};
    const bool outcome = holds_throughout(op, difference, variable);
    return graph_.literal(boolean(outcome), origin);
}

void Folding::note_share(const Expression& expression, NodeId amount, NodeId parts) {
    if (!graph_[amount].literal() || !graph_[parts].literal()) return;
    const std::int64_t whole = graph_[amount].value.whole;
    const std::int64_t over = graph_[parts].value.whole;
    if (whole <= 0 || over <= 0 || whole % over == 0) return;
    const auto shown = [&](const Expression& operand, std::int64_t value) {
        if (operand.form == Expression::Form::literal) return fmt::format("{}", value);
        return fmt::format("{} = {}", graph_.model().line(operand.span), value);
    };
    const std::string note = fmt::format("{} over {} is {:.6g}, rounded up to {}", shown(expression.operands[0], whole),
                                         shown(expression.operands[1], over),
                                         static_cast<double>(whole) / static_cast<double>(over), whole / over + 1);
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

}  // namespace warpfront::psl
