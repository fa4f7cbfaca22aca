#include "psl/specialising/residual.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/specialising/limits.hpp"

namespace warpfront::psl {

namespace {

std::size_t mixed(std::size_t seed, std::size_t next) {
    return seed ^ (next + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U));
}

}  // namespace

std::size_t Graph::Hash::operator()(const Key& key) const {
    std::size_t hash = static_cast<std::size_t>(key.op) * 16 + static_cast<std::size_t>(key.kind);
    for (const NodeId operand : key.operands) hash = mixed(hash, operand);
    hash = mixed(hash, std::hash<std::int64_t>{}(key.value.whole));
    return mixed(hash, std::hash<long double>{}(key.value.amount));
}

void Graph::fail(const EvaluationError& error, Span origin, const EvaluationContext* here) const {
    std::string reached;
    if (here != nullptr && !here->indices.empty()) {
        reached = fmt::format("found for the indices {}", fmt::join(here->indices, ", "));
    } else if (here != nullptr) {
        reached = fmt::format("found on rank {} ({})", here->rank(),
                              here->grid.coordinates({static_cast<std::uint32_t>(here->rank())}));
    }
    throw BadInput(error.kind, model_.range_of(origin), error.message, reached);
}

NodeId Graph::intern(ExpressionNode node) {
    const Key key{node.op, node.kind, node.operands, node.value};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    if (nodes_.size() >= kMostExpressions) {
        fail({DiagnosticKind::program_too_large,
              fmt::format("more than {} different expressions remain after the model's constants are inserted",
                          kMostExpressions)},
             node.origin);
    }
    unsigned depth = 0;
    for (std::size_t i = 0; i < node.arity; ++i) {
        depth = std::max<unsigned>(depth, nodes_[node.operands[i]].depth);
        node.level = std::max(node.level, nodes_[node.operands[i]].level);
    }
    if (depth >= kDeepestResidual) {
        fail({DiagnosticKind::nesting_too_deep,
              fmt::format(
                  "an expression with more than {} levels of nesting remains after the model's constants are inserted",
                  kDeepestResidual)},
             node.origin);
    }
    node.depth = static_cast<std::uint16_t>(depth + 1);
    const auto id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back(node);
    known_.emplace(key, id);
    return id;
}

NodeId Graph::literal(const Value& value, Span origin) {
    ExpressionNode node;
    node.kind = value.kind;
    node.value = value;
    node.origin = origin;
    return intern(node);
}

NodeId Graph::loop_variable(unsigned level, Span origin) {
    ExpressionNode node;
    node.op = OperatorKind::loop_variable;
    node.kind = Kind::integer;
    node.level = static_cast<std::uint16_t>(level);
    node.value = integer(level);
    node.origin = origin;
    return intern(node);
}

NodeId Graph::task_index(std::size_t number, Span origin) {
    ExpressionNode node;
    node.op = OperatorKind::task_index;
    node.kind = Kind::integer;
    node.value = integer(static_cast<std::int64_t>(number));
    node.origin = origin;
    return intern(node);
}

NodeId Graph::apply(OperatorKind op, std::span<const NodeId> operands, Span origin, bool guarded) {
    ExpressionNode node;
    node.op = op;
    node.origin = origin;
    node.arity = static_cast<std::uint8_t>(operands.size());
    std::array<Value, 3> values;
    std::array<Kind, 3> kinds{};
    bool literals = true;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const ExpressionNode& operand = nodes_[operands[i]];
        node.operands[i] = operands[i];
        values[i] = operand.value;
        kinds[i] = operand.kind;
        literals = literals && operand.literal();
    }
    if (op >= OperatorKind::upstream_x && op <= OperatorKind::downstream_y && literals) {
        return apply(direction(op, static_cast<program::Corner>(values[0].whole)), {}, origin, guarded);
    }
    if (operands.empty()) {
        node.kind = op >= OperatorKind::west && op <= OperatorKind::down ? Kind::peer : Kind::integer;
        return intern(node);
    }
    node.kind = result_kind(op, {kinds.data(), operands.size()}).value_or(Kind::any);
    if (!literals || depends_on_rank(op)) return intern(node);
    try {
        return literal(compute(op, {values.data(), operands.size()}, EvaluationContext{grid_}), origin);
    } catch (const EvaluationError& error) {
        if (!guarded) fail(error, origin);
    }
    return intern(node);
}

NodeId Graph::choose(NodeId condition, NodeId yes, NodeId no, Span origin) {
    if (yes == no) return yes;
    ExpressionNode node;
    node.op = OperatorKind::choose;
    node.kind = nodes_[yes].kind;
    node.arity = 3;
    node.operands = {condition, yes, no};
    node.origin = origin;
    return intern(node);
}

NodeId Graph::coerced(NodeId id, Kind kind, Span origin) {
    if (kind != Kind::real || nodes_[id].kind != Kind::integer) return id;
    return apply(OperatorKind::to_real, {&id, 1}, origin, true);
}

Evaluator::Evaluator(const Graph& graph)
    : graph_(graph), here_{graph.grid()}, stamps_(graph.size()), values_(graph.size()) {}

void Evaluator::set_rank(Rank rank) {
    here_.column = here_.grid.column(rank);
    here_.row = here_.grid.row(rank);
    here_.plane = here_.grid.plane(rank);
    ++stamp_;
}

const Value& Evaluator::value(NodeId id) {
    const ExpressionNode& node = graph_[id];
    if (node.literal()) return node.value;
    if (stamps_[id] != stamp_) {
        values_[id] = evaluate(node);
        stamps_[id] = stamp_;
    }
    return values_[id];
}

Value Evaluator::evaluate(const ExpressionNode& node) {
    if (node.op == OperatorKind::choose) return value(node.operands[value(node.operands[0]).whole != 0 ? 1 : 2]);
    if (node.op == OperatorKind::task_index) return integer(here_.indices[static_cast<std::size_t>(node.value.whole)]);
    if (node.op == OperatorKind::logical_and && value(node.operands[0]).whole == 0) return boolean(false);
    if (node.op == OperatorKind::logical_or && value(node.operands[0]).whole != 0) return boolean(true);
    std::array<Value, 3> operands;
    for (std::size_t i = 0; i < node.arity; ++i) operands[i] = value(node.operands[i]);
    try {
        return compute(node.op, {operands.data(), node.arity}, here_);
    } catch (const EvaluationError& error) {
        graph_.fail(error, node.origin, &here_);
    }
}

std::int64_t finished(Use use, const Value& value, const EvaluationContext& here) {
    const auto non_negative = [&](std::string_view what) {
        if (value.whole < 0)
            throw EvaluationError{DiagnosticKind::out_of_range,
                                  fmt::format("{} of {} is negative", what, to_text(value))};
        return value.whole;
    };
    switch (use) {
        case Use::cost: {
            const long double picoseconds = std::round(value.amount);
            if (picoseconds < 0.0L)
                throw EvaluationError{DiagnosticKind::out_of_range,
                                      fmt::format("work of {} is negative", to_text(value))};
            if (picoseconds > static_cast<long double>(kLongestCost.ps)) {
                throw EvaluationError{DiagnosticKind::out_of_range,
                                      fmt::format("work of {:.6g} s is too long; the longest cost is {:.6g} s",
                                                  static_cast<double>(picoseconds * 1e-12L), seconds(kLongestCost))};
            }
            return static_cast<std::int64_t>(picoseconds);
        }
        case Use::size:
            if (value.whole > kLargestMessage) {
                throw EvaluationError{
                    DiagnosticKind::out_of_range,
                    fmt::format("a message of {} is too large; expected at most {} GiB, or parts in a `repeat`",
                                to_text(value), kLargestMessage >> 30U)};
            }
            return non_negative("a message");
        case Use::record_size:
            if (value.whole > kLargestMessage) {
                throw EvaluationError{
                    DiagnosticKind::out_of_range,
                    fmt::format("a record of {} is too large; expected at most {} GiB, or several items",
                                to_text(value), kLargestMessage >> 30U)};
            }
            return non_negative("a record");
        case Use::times:
            if (value.whole >= 0) return value.whole;
            throw EvaluationError{DiagnosticKind::out_of_range,
                                  fmt::format("the number of repetitions is {}", to_text(value))};
        case Use::tag:
            if (value.whole > std::numeric_limits<std::int32_t>::max()) {
                throw EvaluationError{DiagnosticKind::out_of_range,
                                      fmt::format("a tag of {} is too large", value.whole)};
            }
            return non_negative("a tag");
        case Use::peer:
            if (value.whole == kNobody) return kNoPeer;
            if (value.whole == here.rank())
                throw EvaluationError{DiagnosticKind::self_message, "this is a message of a rank to itself"};
            return value.whole - here.rank();
        case Use::root:
            if (value.whole == kNobody)
                throw EvaluationError{DiagnosticKind::out_of_range, "the root of the collective is `nobody`"};
            return value.whole;
        default: return value.whole;
    }
}

SlotId Slots::make(Use use, NodeId node, Span origin, bool guarded) {
    const std::uint64_t key = std::uint64_t{node} * 16 + static_cast<std::uint64_t>(use);
    if (const auto found = known_.find(key);
        found != known_.end() && (slots_[found->second].known || guarded || !graph_[node].literal())) {
        return found->second;
    }
    ValueSlot slot{use, node, std::nullopt, origin};
    const Value& value = graph_[node].value;
    if (graph_[node].literal() && (use != Use::peer || value.whole == kNobody)) {
        try {
            slot.known = finished(use, value, EvaluationContext{graph_.grid()});
        } catch (const EvaluationError& error) {
            if (!guarded) graph_.fail(error, origin);
        }
    }
    const auto id = static_cast<SlotId>(slots_.size());
    slots_.push_back(slot);
    known_.emplace(key, id);
    return id;
}

std::int64_t RankValues::operator()(SlotId id) {
    const ValueSlot& slot = slots_[id];
    if (slot.known) return *slot.known;
    const Value& value = evaluator_.value(slot.node);
    try {
        return finished(slot.use, value, evaluator_.here());
    } catch (const EvaluationError& error) {
        graph_.fail(error, slot.origin, &evaluator_.here());
    }
}

}  // namespace warpfront::psl
