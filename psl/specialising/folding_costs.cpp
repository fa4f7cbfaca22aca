// Folds the entries of a subtask with a value to their sum.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "psl/specialising/folding.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Form = Statement::Form;

namespace {

constexpr Value kNoTime{Kind::time, 0, 0.0L};

}  // namespace

NodeId Folding::applied(OperatorKind op, NodeId a, NodeId b, Span origin) {
    const std::array<NodeId, 2> operands{a, b};
    return graph_.apply(op, operands, origin, guards > 0);
}

NodeId Folding::cost(const std::vector<Statement>& entries, Span origin) {
    NodeId total = graph_.literal(kNoTime, origin);
    for (const Statement& each : entries) {
        step(each.span);
        const Expression* written = each.expressions.empty() ? nullptr : &each.expressions[0];
        const NodeId node = recording({&each, nullptr, 0, {}, {}}, written,
                                      [&](std::vector<CostEntry::NamedNode>* names) { return entry(each, names); });
        if (graph_[node].literal() && graph_[node].value == kNoTime) continue;
        const bool first = graph_[total].literal() && graph_[total].value == kNoTime;
        total = first ? node : applied(OperatorKind::add, total, node, each.span);
    }
    return total;
}

void Folding::add_names(const Expression& expression, std::vector<CostEntry::NamedNode>& names) {
    if (expression.form == Expression::Form::name && expression.builtin == nullptr) {
        names.push_back({expression.name, variable(expression.slot)});
    }
    for (const Expression& operand : expression.operands) add_names(operand, names);
}

NodeId Folding::entry(const Statement& each, std::vector<CostEntry::NamedNode>* names) {
    const auto name = [&](std::string_view text, const NameBinding& value) {
        if (names != nullptr) names->push_back({std::string(text), value});
    };
    switch (each.form) {
        case Form::let: {
            NameBinding value = coerced(fold(each.expressions[0]), each.expressions[0].type, each.span);
            name(each.name.text, value);
            variable(each.slot) = std::move(value);
            return graph_.literal(kNoTime, each.span);
        }
        case Form::duration: return value(each.expressions[0], Kind::time);
        case Form::flops: {
            const NodeId rate = graph_.literal(machine_rate(each), each.span);
            name("rate", {rate, {}});
            return applied(OperatorKind::divide, value(each.expressions[0], Kind::real), rate, each.span);
        }
        case Form::count: {
            const NodeId time = graph_.literal(time_of_operation(each), each.span);
            name(fmt::format("{}.{}", hardware_.object->name.text, each.name.text), {time, {}});
            return applied(OperatorKind::multiply, value(each.expressions[0], Kind::real), time, each.span);
        }
        case Form::average_loop: return average_loop(each);
        case Form::cases: return cases(each);
        default: return cost_branch(each);
    }
}

NodeId Folding::average_loop(const Statement& each) {
    const NodeId trips = value(each.expressions[0], Kind::real);
    if (graph_[trips].literal() && graph_[trips].value.amount < 0.0L) {
        graph_.fail({DiagnosticKind::out_of_range, fmt::format("a loop of {} trips", to_text(graph_[trips].value))},
                    each.expressions[0].span);
    }
    return applied(OperatorKind::multiply, cost(each.body, each.span), trips, each.span);
}

NodeId Folding::cases(const Statement& each) {
    constexpr long double kRounding = 1e-9L;  // of probabilities written in decimals
    NodeId total = graph_.literal(kNoTime, each.span);
    long double sum = 0.0L;
    for (const Statement& alternative : each.body) {
        const Expression& written = alternative.expressions[0];
        const Value probability = constant(written, Kind::real, "a probability");
        sum += probability.amount;
        if (probability.amount < 0.0L || sum > 1.0L + kRounding) {
            graph_.fail(
                {DiagnosticKind::out_of_range, fmt::format("a probability of {}, with those before it {}",
                                                           to_text(probability), to_text({Kind::real, 0, sum}))},
                written.span);
        }
        const NodeId part = recording({&alternative, nullptr, 0, {}, {}}, &written, [&](auto) {
            return applied(OperatorKind::multiply, cost(alternative.body, alternative.span),
                           graph_.literal(probability, written.span), alternative.span);
        });
        total = applied(OperatorKind::add, total, part, each.span);
    }
    return total;
}

NodeId Folding::cost_branch(const Statement& each) {
    const NodeId condition = settled(value(each.expressions[0], Kind::boolean));
    const ExpressionNode known = graph_[condition];
    if (known.literal()) return cost(known.value.whole != 0 ? each.body : each.otherwise, each.span);
    const ScopedValue<unsigned> guarded(guards, guards + 1);
    const NodeId yes = cost(each.body, each.span);
    return graph_.choose(condition, yes, cost(each.otherwise, each.span), each.span);
}

void Folding::refuse_hardware(const Statement& each, std::string_view what) const {
    throw input::BadInput(DiagnosticKind::no_hardware, graph_.model().range_of(each.span),
                          fmt::format("no {}: {}", what, hardware_.reason),
                          "expected `processor: {name: NAME, speed: RATE}` in the platform's hardware file, and for "
                          "`count` an object `hardware` with this name");
}

Value Folding::machine_rate(const Statement& each) const {
    if (!processor_) refuse_hardware(each, "rate for `flops`");
    return {Kind::rate, 0, static_cast<long double>(processor_->operations_per_second)};
}

Value Folding::time_of_operation(const Statement& each) {
    if (hardware_.object == nullptr) refuse_hardware(each, "times of operations");
    const Object& object = *hardware_.object;
    const Expression* written = operation_time(object, each.name.text);
    if (written == nullptr) {
        graph_.fail({DiagnosticKind::no_hardware,
                     fmt::format("hardware `{}` has no operation `{}`", object.name.text, each.name.text)},
                    each.name.span);
    }
    const BoundValue* set = replaced(object, each.name.text);
    Value time = set != nullptr ? set->value : constant(*written, Kind::time, "the time of an operation");
    const Expression* rate = achieved_rate(object);
    if (rate == nullptr && !hardware_.described) {
        graph_.fail({DiagnosticKind::no_hardware,
                     fmt::format("hardware `{}` is of another processor than the platform's, and states no `rate` to "
                                 "carry its times there",
                                 object.name.text)},
                    each.span);
    }
    const long double here = processor_->operations_per_second;
    const BoundValue* set_rate = replaced(object, "rate");
    const long double there = set_rate != nullptr ? set_rate->value.amount
                              : rate != nullptr   ? constant(*rate, Kind::rate, "the rate").amount
                                                  : here;
    if (there == here) return time;
    time.amount *= there / here;
    const std::string note = fmt::format(
        "times of operations of `{}` times {:.6g}: its rate is {:.6g} Mflop/s, that of "
        "the platform {:.6g}",
        object.name.text, static_cast<double>(there / here), static_cast<double>(there * 1e-6L),
        static_cast<double>(here * 1e-6L));
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    return time;
}

}  // namespace warpfront::psl
