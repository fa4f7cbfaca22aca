#include "psl/specialising/folding.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "psl/specialising/limits.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::psl {

void Folding::step(Span origin) {
    if (++steps_ <= kMostSteps) return;
    graph_.fail(
        {DiagnosticKind::program_too_large, fmt::format("folding the model takes more than {} steps", kMostSteps)},
        origin);
}

NameBinding Folding::fold(const Expression& expression) {
    step(expression.span);
    const ScopedValue<unsigned> level(depth_, depth_ + 1);
    if (depth_ > kDeepestResidual) {
        graph_.fail(
            {DiagnosticKind::nesting_too_deep,
             fmt::format("expressions are nested more than {} levels deep through functions", kDeepestResidual)},
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
    const Iterations& iterations = loops.back().iterations;
    if (iterations.single()) return graph_.literal(integer(iterations.first + iterations.from), origin);
    return graph_.loop_variable(loops.back().level, origin);
}

void Folding::split(NodeId node) const {
    const LoopVariable& variable = loops[graph_[node].level - 1];
    const Iterations& iterations = variable.iterations;
    if (iterations.times == 1 || iterations.from == iterations.to)
        throw SplitRequest{SplitRequest::Kind::each, variable.level, 0};
    throw SplitRequest{SplitRequest::Kind::part, variable.level, iterations.from + 1};
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

/// Returns the plane of the rank. It is a constant if the process grid has only one plane.
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
        notes.emplace_back("`up` and `down` are `nobody`, since this process grid has only one plane of ranks");
    }
    if (planes > 1 && mentions_columns_or_rows_ && !mentions_up_or_down_) {
        notes.push_back(
            fmt::format("the model has columns and rows of ranks, but no planes: each of the {} planes is an "
                        "independent copy, except for collectives over all ranks",
                        planes));
    }
}

/// Returns the node if it does not depend on a loop's variable. Otherwise throws a SplitRequest, since all of the
/// iterations that are folded together must take the same branch.
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
        graph_.fail({DiagnosticKind::rank_dependent, "the choice between lists differs from rank to rank"},
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
    // The right operand does not matter if the left operand has this value.
    const bool decides = expression.op == OperatorKind::logical_or;
    if (known.literal() && (known.value.whole != 0) == decides) return left;
    const unsigned guard = known.literal() ? 0 : 1;
    guards += guard;
    const NodeId right = value(expression.operands[1], Kind::boolean);
    guards -= guard;
    if (known.literal()) return right;
    return applied(expression.op, left, right, expression.span);
}

/// Folds remainders and quotients of a loop's variable. Throws a SplitRequest until the result is constant or linear in
/// the iterations that are folded together.
NodeId Folding::whole_division(NodeId node, Span origin) {
    if (graph_[node].level == 0) return node;
    const auto known = affine(graph_, node, loops[graph_[node].level - 1]);
    if (!known || !known->constant()) return node;
    return graph_.literal(integer(static_cast<std::int64_t>(known->offset)), origin);
}

NodeId Folding::comparison(OperatorKind op, NodeId left, NodeId right, Span origin) {
    const NodeId innermost = graph_[left].level >= graph_[right].level ? left : right;
    if (graph_[innermost].level == 0) return applied(op, left, right, origin);
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
    const std::string note = fmt::format("`share` divides {} by {} and rounds {:.6g} up to {}",
                                         shown(expression.operands[0], whole), shown(expression.operands[1], over),
                                         static_cast<double>(whole) / static_cast<double>(over), whole / over + 1);
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

// Folds calls of functions and items of lists. Each call has its own frame.

const BoundValue* Folding::replaced(const Object& object, const std::string& name) const {
    const auto found = objects.find(&object);
    if (found == objects.end()) return nullptr;
    const auto value = found->second.find(name);
    return value == found->second.end() ? nullptr : &value->second;
}

/// Makes the frame of a call. A default may use the parameters to its left.
Frame Folding::frame_of(const Object& callee, const std::vector<Expression>& given) {
    Frame frame(callee.slots);
    for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
        const Parameter& parameter = callee.parameters[i];
        NameBinding& binding = frame[parameter.slot.index];
        if (i < given.size()) {
            binding = coerced(fold(given[i]), parameter.type, given[i].span);
            if (binding.argument.length == 0) binding.argument = given[i].span;
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

/// Folds an index of a list. If the index differs between iterations or ranks, the item is found by bisection. So
/// iterations are split only where the item changes. A rank evaluates about log2(length) comparisons.
NodeId Folding::index(const Expression& expression) {
    const std::vector<NodeId> items = fold(expression.operands[0]).items;
    const Span origin = expression.span;
    const NodeId index = value(expression.operands[1], Kind::integer);
    const NodeId length = graph_.literal(integer(static_cast<std::int64_t>(items.size())), origin);
    const NodeId least = comparison(OperatorKind::greater_equal, index, graph_.literal(integer(1), origin), origin);
    const NodeId most = comparison(OperatorKind::less_equal, index, length, origin);
    const auto refused = [&] {
        if (graph_[index].level > 0) split(index);
        return applied(OperatorKind::list_index, index, length, origin);
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

/// Folds an interpolation. The value is linear between two points. It is constant before the first point and after the
/// last.
NodeId Folding::interpolate(const Expression& expression) {
    const NodeId x = value(expression.operands[0], Kind::real);
    const std::vector<NodeId> points = fold(expression.operands[1]).items;
    const std::vector<NodeId> values = fold(expression.operands[2]).items;
    const Span at = expression.span;
    if (points.empty() || points.size() != values.size()) {
        graph_.fail({DiagnosticKind::out_of_range,
                     fmt::format("`interpolate` is given {} and {}", input::counted(points.size(), "point"),
                                 input::counted(values.size(), "value"))},
                    at);
    }
    NodeId result = graph_.coerced(values.back(), expression.type.kind, at);
    for (std::size_t k = points.size() - 1; k-- > 0;) {
        const NodeId from = graph_.coerced(points[k], Kind::real, at);
        const NodeId to = graph_.coerced(points[k + 1], Kind::real, at);
        if (!graph_[from].literal() || !graph_[to].literal() ||
            !(graph_[from].value.amount < graph_[to].value.amount)) {
            graph_.fail({DiagnosticKind::out_of_range, "the points of `interpolate` are not in ascending order"},
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

// Folds the costs of a subtask with a value to their sum.

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
        case Form::task_list: return list_time(each);
        case Form::cases: return cases(each);
        default: return cost_branch(each);
    }
}

NodeId Folding::average_loop(const Statement& each) {
    const NodeId iterations = value(each.expressions[0], Kind::real);
    if (graph_[iterations].literal() && graph_[iterations].value.amount < 0.0L) {
        graph_.fail({DiagnosticKind::out_of_range,
                     fmt::format("the number of iterations is {}", to_text(graph_[iterations].value))},
                    each.expressions[0].span);
    }
    return applied(OperatorKind::multiply, cost(each.body, each.span), iterations, each.span);
}

NodeId Folding::cases(const Statement& each) {
    constexpr long double kRounding = 1e-9L;  // tolerance for sums of probabilities that are written in decimals
    NodeId total = graph_.literal(kNoTime, each.span);
    long double sum = 0.0L;
    for (const Statement& alternative : each.body) {
        const Expression& written = alternative.expressions[0];
        const Value probability = constant(written, Kind::real, "a probability");
        sum += probability.amount;
        if (probability.amount < 0.0L || sum > 1.0L + kRounding) {
            graph_.fail(
                {DiagnosticKind::out_of_range, fmt::format("the probability of this `case` is {}, and the sum up to "
                                                           "here is {}: expected 0 or more, and a sum of at most 1",
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
    throw BadInput(DiagnosticKind::no_hardware, graph_.model().range_of(each.span),
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
                     fmt::format("hardware `{}` describes another processor than that of the platform, and has no "
                                 "`rate` by which its times could be converted",
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
        "the times of operations of `{}` are multiplied by {:.6g}: the hardware object has a rate of {:.6g} Mflop/s, "
        "the platform one of {:.6g} Mflop/s",
        object.name.text, static_cast<double>(there / here), static_cast<double>(there * 1e-6L),
        static_cast<double>(here * 1e-6L));
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    return time;
}

ChosenHardware choose_hardware(const CheckedModel& model, const std::optional<Processor>& processor) {
    std::vector<const Object*> all;
    for (const File& file : model.files) {
        for (const auto& object : file.objects) {
            if (object->form == Object::Form::hardware) all.push_back(object.get());
        }
    }
    if (!processor) return {nullptr, false, "the platform does not state its processor"};
    const auto same = std::ranges::find_if(all, [&](const Object* object) {
        return !processor->name.empty() && object->processor.text == processor->name;
    });
    if (same != all.end()) return {*same, true, {}};
    if (all.empty()) return {nullptr, false, "the model has no hardware object"};
    if (all.size() == 1) return {all[0], false, {}};
    return {nullptr, false,
            fmt::format("none of the model's {} hardware objects describes the platform's processor `{}`", all.size(),
                        processor->name)};
}

const Expression* achieved_rate(const Object& hardware) {
    const auto found =
        std::ranges::find_if(hardware.body, [](const Statement& each) { return each.form == Form::achieved_rate; });
    return found == hardware.body.end() ? nullptr : &found->expressions[0];
}

const Expression* operation_time(const Object& hardware, std::string_view name) {
    const auto found = std::ranges::find_if(
        hardware.body, [&](const Statement& each) { return each.form == Form::operation && each.name.text == name; });
    return found == hardware.body.end() ? nullptr : &found->expressions[0];
}

}  // namespace warpfront::psl
