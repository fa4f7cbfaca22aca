#include "psl/specialising/task_lists.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace warpfront::psl {

using Form = Statement::Form;
using StepForm = program::TaskStep::Form;
using program::TaskNumber;

namespace {

/// Returns the number of combinations of the indices. Returns nothing if it depends on enclosing indices.
std::optional<double> count_of_values(const std::vector<program::TaskIndex>& indices) {
    double count = 1.0;
    for (const program::TaskIndex& index : indices) {
        if (index.first.formula || index.last.formula) return std::nullopt;
        const auto [first, last] = std::pair{index.first.known, index.last.known};
        count *= std::max(static_cast<double>(last) - static_cast<double>(first) + 1.0, 0.0);
    }
    return count;
}

}  // namespace

program::TaskLists TaskListMaker::make() {
    for (const Statement& each : model_.application->body) {
        if (each.form == Form::record) record(each);
        if (each.form == Form::task_list) lists_.order.push_back(list(each));
    }
    return std::move(lists_);
}

std::variant<program::TaskLists, FailingValue> TaskListMaker::make(const Statement& each) {
    try {
        lists_.order.push_back(list(each));
    } catch (const FailingValue& failing) {
        return failing;
    }
    return std::move(lists_);
}

bool TaskListMaker::differs_between_ranks(NodeId node) const {
    return any_part(graph_, node, [this](NodeId part) { return depends_on_rank(graph_[part].op); });
}

/// Returns an expression within the value that fails for every task, since all its operands are constants. Operands
/// that are evaluated only if needed are not examined.
std::optional<NodeId> TaskListMaker::failing(NodeId node, std::unordered_set<NodeId>& seen) const {
    if (!seen.insert(node).second) return std::nullopt;
    const ExpressionNode& each = graph_[node];
    const bool is_lazy =
        each.op == OperatorKind::choose || each.op == OperatorKind::logical_and || each.op == OperatorKind::logical_or;
    bool is_known = !is_lazy && each.arity > 0 && !depends_on_rank(each.op);
    for (std::size_t k = 0; k < (is_lazy ? 1 : each.arity); ++k) {
        if (const auto found = failing(each.operands[k], seen)) return found;
        is_known = is_known && graph_[each.operands[k]].literal();
    }
    return is_known ? std::optional(node) : std::nullopt;
}

/// Returns the range at which an error of the value is reported. This is the argument if the value is a parameter.
Span TaskListMaker::place(const Expression& written) const {
    if (written.form != Expression::Form::name || written.builtin != nullptr) return written.span;
    const Span argument = folding_.variable(written.slot).argument;
    return argument.length > 0 ? argument : written.span;
}

/// Returns the range at which an error about different values on ranks is reported. This is the argument from which the
/// value is computed, if there is one.
Span TaskListMaker::place_of_ranks(NodeId node, const Expression& written) const {
    if (folding_.local == nullptr) return written.span;
    const auto contains = [&](NodeId value) {
        return any_part(graph_, node, [value](NodeId part) { return part == value; });
    };
    for (const NameBinding& each : *folding_.local) {
        if (each.argument.length == 0) continue;
        std::vector<NodeId> values = each.items;
        if (values.empty()) values.push_back(each.node);
        if (std::ranges::any_of(values,
                                [&](NodeId value) { return differs_between_ranks(value) && contains(value); })) {
            return each.argument;
        }
    }
    return written.span;
}

void TaskListMaker::refuse_failing(NodeId node) const {
    if (folding_.guards == 0) return;
    std::unordered_set<NodeId> seen;
    if (const auto found = failing(node, seen)) throw FailingValue{*found};
}

void TaskListMaker::refuse_ranks(NodeId node, const Expression& written) const {
    if (!differs_between_ranks(node)) return;
    throw BadInput(DiagnosticKind::rank_dependent, model_.range_of(place_of_ranks(node, written)),
                   "a value in a list of tasks differs from rank to rank",
                   "expected indices of lists and tasks, and values that are equal on all ranks");
}

TaskNumber TaskListMaker::number(Use use, NodeId node, const Expression& written) {
    refuse_ranks(node, written);
    refuse_failing(node);
    if (graph_[node].level > 0) folding_.split(node);
    const SlotId slot = slots_.make(use, node, place(written), folding_.guards > 0);
    if (const auto known = slots_[slot].known) return {*known, {}};
    return {0, slot};
}

TaskNumber TaskListMaker::number(Use use, const Expression& expression, Kind kind) {
    return number(use, folding_.value(expression, kind), expression);
}

std::int64_t TaskListMaker::option(const Statement& each, const std::optional<std::uint32_t>& position,
                                   std::int64_t otherwise, std::int64_t least, std::string_view what) {
    if (!position) return otherwise;
    const Expression& expression = each.expressions[*position];
    const NodeId node = folding_.value(expression, Kind::integer);
    if (differs_between_ranks(node)) {
        graph_.fail({DiagnosticKind::rank_dependent, fmt::format("{} differs from rank to rank", what)},
                    place_of_ranks(node, expression));
    }
    refuse_failing(node);
    const Value value = folding_.constant(expression, Kind::integer, what);
    constexpr std::int64_t kMostChosenAmong = 1'000'000;
    if (value.whole > kMostChosenAmong && !(position == each.clauses[0].chunk)) {
        graph_.fail({DiagnosticKind::out_of_range,
                     fmt::format("{} is {}, expected {} or less", what, value.whole, kMostChosenAmong)},
                    place(expression));
    }
    if (value.whole < least) {
        graph_.fail(
            {DiagnosticKind::out_of_range, fmt::format("{} is {}, expected {} or more", what, value.whole, least)},
            place(expression));
    }
    return value.whole;
}

std::vector<program::TaskIndex> TaskListMaker::bounds(const Statement& each) {
    std::vector<program::TaskIndex> bounds;
    for (std::size_t k = 0; k < each.clauses[0].indices.size(); ++k) {
        bounds.push_back({each.clauses[0].indices[k].name.text,
                          number(Use::colour, each.expressions[2 * k], Kind::integer),
                          number(Use::colour, each.expressions[2 * k + 1], Kind::integer)});
    }
    return bounds;
}

/// Makes the indices of the list visible to the following expressions.
void TaskListMaker::enter(const Statement& each) {
    for (const TaskClauses::Index& index : each.clauses[0].indices) {
        folding_.variable(index.slot) = {graph_.task_index(depth_++, index.name.span), {}, folding_.guards};
    }
}

void TaskListMaker::record(const Statement& each) {
    program::TaskRecord record;
    record.name = each.name.text;
    record.indices = bounds(each);
    constexpr std::int64_t kMostItems = 100'000'000;
    if (count_of_values(record.indices).value_or(0.0) > static_cast<double>(kMostItems)) {
        graph_.fail(
            {DiagnosticKind::out_of_range, fmt::format("the array of records has more than {} items", kMostItems)},
            each.span);
    }
    const ScopedValue<std::size_t> inner(depth_, 0);
    enter(each);
    record.bytes = number(Use::record_size, each.expressions[*each.clauses[0].bytes], Kind::bytes);
    record.given = each.clauses[0].given;
    record.site = site_(each);
    numbers_[&each] = static_cast<std::uint32_t>(lists_.records.size());
    lists_.records.push_back(std::move(record));
}

std::uint32_t TaskListMaker::list(const Statement& each) {
    const TaskClauses& clauses = each.clauses[0];
    program::TaskList list;
    list.name = each.name.text;
    list.on_nodes = clauses.on_nodes;
    list.ahead = option(each, clauses.ahead, 0, 0, "the number of tasks ahead");
    list.window = option(each, clauses.window, 1, 1, "the number of tasks to choose among");
    list.take = {clauses.rule, option(each, clauses.chunk, 1, 1, "the number of tasks to take")};
    list.indices = bounds(each);
    list.site = site_(each);
    for (const Statement& task : each.body) {
        numbers_[&task] = static_cast<std::uint32_t>(lists_.tasks.size());
        list.tasks.push_back(numbers_[&task]);
        lists_.tasks.emplace_back();
        condition_spans_.emplace_back();
    }
    const auto number = static_cast<std::uint32_t>(lists_.lists.size());
    lists_.lists.push_back(list);
    for (const Statement& one : each.body) {
        program::Task task;
        task.name = one.name.text;
        // before the indices of the list are added, since the bounds must not depend on them
        task.indices = bounds(one);
        lists_.tasks[numbers_[&one]] = std::move(task);
    }
    refuse_many_places(each, list);
    const ScopedValue<std::size_t> inner(depth_, depth_);
    enter(each);
    for (const Statement& one : each.body) {
        const ScopedValue<std::size_t> within(depth_, depth_);
        enter(one);
        program::Task task = std::move(lists_.tasks[numbers_[&one]]);
        task.site = site_(one);
        conditions(one, each, task);
        for (const Statement& statement : one.body) step(statement, task);
        const auto is_read = [](const program::TaskStep& step) { return step.form == StepForm::read; };
        const auto is_write = [](const program::TaskStep& step) { return step.form == StepForm::write; };
        const auto first = std::ranges::find_if_not(task.steps, is_read);
        task.prefetched = static_cast<std::uint32_t>(first - task.steps.begin());
        const auto last = std::find_if_not(task.steps.rbegin(), task.steps.rend(), is_write);
        task.written_behind = static_cast<std::uint32_t>(last - task.steps.rbegin());
        lists_.tasks[numbers_[&one]] = std::move(task);
    }
    return number;
}

/// Reports a list whose indices have too many combinations. If their number depends on enclosing indices, the run
/// checks it.
void TaskListMaker::refuse_many_places(const Statement& each, const program::TaskList& list) const {
    double in_turn = 0.0;
    for (const std::uint32_t task : list.tasks) {
        in_turn += count_of_values(lists_.tasks[task].indices).value_or(0.0);
    }
    const double places = count_of_values(list.indices).value_or(0.0) * in_turn;
    if (places <= static_cast<double>(program::kMostTaskPlaces)) return;
    throw BadInput(
        DiagnosticKind::program_too_large, model_.range_of(each.span),
        fmt::format("the bounds of the indices permit {:.3g} tasks in this list", places),
        fmt::format("expected at most {} tasks: narrow the bounds of the indices of the list or of its tasks",
                    program::kMostTaskPlaces));
}

void TaskListMaker::conditions(const Statement& each, const Statement& list, program::Task& task) {
    const TaskClauses& clauses = each.clauses[0];
    if (clauses.condition) task.exists = number(Use::condition, each.expressions[*clauses.condition], Kind::boolean);
    if (clauses.preference) {
        folding_.variable(clauses.worker) = {graph_.task_index(depth_, each.name.span), {}, folding_.guards};
        task.preference = number(Use::colour, each.expressions[*clauses.preference], Kind::integer);
    }
    for (const TaskClauses::Reference& reference : clauses.references) {
        const std::vector<program::Subscript> items = subscripts(each, reference);
        for (const Statement& other : list.body) {
            if (reference.target != &list && reference.target != &other) continue;
            task.after.push_back({numbers_[&other], items, site_(each)});
            condition_spans_[numbers_[&each]].push_back(reference.span);
        }
    }
}

std::vector<program::Subscript> TaskListMaker::subscripts(const Statement& each,
                                                          const TaskClauses::Reference& reference) {
    std::vector<program::Subscript> all;
    for (const TaskClauses::Part& part : reference.parts) {
        program::Subscript subscript;
        subscript.is_range = part.is_range;
        const Expression& first = each.expressions[part.expression];
        if (first.type.list) {
            for (const NodeId item : folding_.fold(first).items) {
                subscript.numbers.push_back(number(Use::colour, item, first));
            }
        } else {
            subscript.numbers.push_back(number(Use::colour, first, Kind::integer));
        }
        if (part.is_range) {
            subscript.numbers.push_back(number(Use::colour, each.expressions[part.expression + 1], Kind::integer));
        }
        all.push_back(std::move(subscript));
    }
    return all;
}

void TaskListMaker::step(const Statement& each, program::Task& task) {
    switch (each.form) {
        case Form::let:
            folding_.variable(each.slot) =
                folding_.coerced(folding_.fold(each.expressions[0]), each.expressions[0].type, each.span);
            return;
        case Form::compute: {
            const Expression& work = each.expressions[0];
            const NodeId time = folding_.recording({&each, nullptr, 0, {}, {}}, &work,
                                                   [&](auto) { return folding_.value(work, Kind::time); });
            task.steps.push_back({StepForm::compute, site_(each), 0, number(Use::cost, time, work), {}});
            return;
        }
        case Form::task_list: {
            const std::uint32_t inner = list(each);
            task.steps.push_back({StepForm::list, site_(each), inner, {}, {}});
            return;
        }
        default: task.steps.push_back(transfer(each)); return;
    }
}

program::TaskStep TaskListMaker::transfer(const Statement& each) {
    const TaskClauses::Reference& reference = each.clauses[0].references[0];
    const std::uint32_t record = numbers_[reference.target];
    const StepForm form = each.form == Form::read_record ? StepForm::read : StepForm::write;
    program::TaskStep step{form, site_(each), record, {}, subscripts(each, reference)};
    const auto& indices = lists_.records[record].indices;
    while (step.subscripts.size() < indices.size()) {  // an index that is not written takes all its values
        const program::TaskIndex& rest = indices[step.subscripts.size()];
        step.subscripts.push_back({{rest.first, rest.last}, true});
    }
    return step;
}

}  // namespace warpfront::psl
