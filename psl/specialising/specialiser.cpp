#include "psl/specialising/specialiser.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "psl/specialising/limits.hpp"
#include "psl/specialising/task_lists.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

using Form = Statement::Form;
using ResidualForm = ResidualStatement::Form;

Specialiser::Specialiser(const CheckedModel& model, const Bindings& bindings, Graph& graph, Slots& slots)
    : model_(model), bindings_(bindings), graph_(graph), slots_(slots), folding_(graph, bindings) {
    folding_.list_time = [this](const Statement& each) { return list_time(each); };
    skeleton_.algorithms = bindings.algorithms;
}

/// Collects statements in `out`. The end of a scope restores the previous block and the state of enclosing loops,
/// branches and calls. A thrown SplitRequest may also end the scope.
class Specialiser::Scope {
public:
    Scope(Specialiser& of, Block& out)
        : out_(of.out_, &out),
          loops_(of.loops_, of.loops_),
          depth_(of.depth_, of.depth_),
          guards_(of.folding_.guards, of.folding_.guards),
          local_(of.folding_.local, of.folding_.local),
          variables_(of.folding_.loops),
          level_(variables_.size()) {}
    ~Scope() { variables_.resize(level_); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

private:
    ScopedValue<Block*> out_;
    ScopedValue<unsigned> loops_, depth_, guards_;
    ScopedValue<Frame*> local_;
    std::vector<LoopVariable>& variables_;
    std::size_t level_;
};

void Specialiser::fail(DiagnosticKind kind, Span span, std::string message) const {
    graph_.fail({kind, std::move(message)}, span);
}

/// Gives values to parameters, and folds the other items before the iteration. Returns the requirements that differ
/// from rank to rank.
Block Specialiser::bind(BoundValues values) {
    folding_.objects = std::move(values.objects);
    folding_.application.resize(model_.application->slots);
    Block everywhere;
    out_ = &everywhere;
    try {
        items(values.parameters);
    } catch (const BadInput&) {
        requirements_.raise();  // report failed requirements first, since they may have caused this error
        throw;
    }
    requirements_.raise();
    return everywhere;
}

std::vector<std::vector<Span>> Specialiser::run_tasks(BoundValues values, program::Program& program) {
    bind(std::move(values));
    const ScopedValue<bool> within(in_list_, true);
    TaskListMaker maker(model_, folding_, graph_, slots_, [this](const Statement& each) { return site(each); });
    program.tasks = std::make_shared<const program::TaskLists>(maker.make());
    program.sites = std::move(skeleton_.sites);
    program.notes = std::move(folding_.notes);
    return maker.condition_spans();
}

Skeleton Specialiser::run(BoundValues values) {
    const Block everywhere = bind(std::move(values));
    const auto& body = model_.application->body;
    const auto found = std::ranges::find_if(body, [](const Statement& s) { return s.form == Form::iteration; });
    skeleton_.iteration_site = site(*found);
    skeleton_.iterations = stretches_of(*found, 1, bindings_.iterations);
    auto& first = skeleton_.iterations.front().runs.front().body;
    first.insert(first.begin(), everywhere.begin(), everywhere.end());
    skeleton_.closed_form = closed_form(model_, folding_, graph_, bindings_.iterations);
    folding_.note_planes();
    skeleton_.notes = std::move(folding_.notes);
    return std::move(skeleton_);
}

void Specialiser::items(const std::map<std::string, BoundValue>& values) {
    for (const Statement& each : model_.application->body) {
        if (each.form == Form::iteration || each.form == Form::closed_form) continue;
        if (each.form == Form::parameter) {
            parameter(each, values);
        } else {
            statement(each);
        }
    }
}

void Specialiser::parameter(const Statement& each, const std::map<std::string, BoundValue>& values) {
    parameters_[each.slot.index] = &each;
    NameBinding& binding = folding_.variable(each.slot);
    if (const auto bound = values.find(each.name.text); bound != values.end()) {
        binding.node = graph_.literal(bound->second.value, each.span);
        for (const Value& item : bound->second.items) binding.items.push_back(graph_.literal(item, each.span));
        return;
    }
    const Expression& value = each.expressions[0];
    binding = folding_.coerced(folding_.fold(value), each.declared, value.span);
    const auto differs = [&](NodeId node) { return !graph_[node].literal(); };
    if (each.declared.list ? std::ranges::any_of(binding.items, differs) : differs(binding.node)) {
        fail(DiagnosticKind::rank_dependent, value.span,
             fmt::format("the default of `{}` differs from rank to rank", each.name.text));
    }
}

void Specialiser::block(const std::vector<Statement>& statements) {
    for (const Statement& each : statements) {
        folding_.step(each.span);
        if (++depth_ > kDeepestResidual) {
            fail(DiagnosticKind::nesting_too_deep, each.span,
                 fmt::format("statements are nested more than {} levels deep", kDeepestResidual));
        }
        statement(each);
        --depth_;
    }
}

void Specialiser::statement(const Statement& each) {
    switch (each.form) {
        case Form::let:
        case Form::variable: return let(each);
        case Form::assign: return assign(each);
        case Form::require: return require(each);
        case Form::note: return note(each);
        case Form::compute: return compute(each);
        case Form::analytic: return analytic(each);
        case Form::trace: return trace(each);
        case Form::send:
        case Form::isend:
        case Form::ssend:
        case Form::recv:
        case Form::irecv: return message(each);
        case Form::sendrecv: return sendrecv(each);
        case Form::wait: return wait(each);
        case Form::waitall: emit(ResidualForm::waitall, each); return;
        case Form::waitany: emit(ResidualForm::waitany, each); return;
        case Form::recv_any:
        case Form::irecv_any: return receive_any(each);
        case Form::reply:
        case Form::ireply: return reply(each);
        case Form::allreduce: return allreduce(each);
        case Form::collective: return collective(each);
        case Form::branch: return branch(each);
        case Form::repeat: return repeat(each);
        case Form::for_range: return for_range(each);
        case Form::for_each: return for_each(each);
        case Form::while_loop: return while_loop(each);
        case Form::phase: return phase(each);
        case Form::call: return call(each);
        case Form::parameter:
        case Form::iteration:
        case Form::closed_form:
        case Form::field:
        case Form::result:
        case Form::duration:
        case Form::flops:
        case Form::count:
        case Form::average_loop:
        case Form::cases:
        case Form::alternative:
        case Form::achieved_rate:
        case Form::operation:
        case Form::task_list:
        case Form::task:
        case Form::record:
        case Form::read_record:
        case Form::write_record: return;  // these forms occur only outside iterations
    }
}

SlotId Specialiser::slot(Use use, NodeId node, Span origin) {
    if (graph_[node].level > 0) folding_.split(node);
    return slots_.make(use, node, origin, folding_.guards > 0);
}

void Specialiser::spend(std::size_t statements, const Statement& each) {
    emitted_ += statements;
    if (emitted_ <= kMostStatements) return;
    fail(DiagnosticKind::program_too_large, each.span,
         fmt::format("more than {} statements remain after templates and loops are expanded", kMostStatements));
}

ResidualStatement& Specialiser::emit(ResidualForm form, const Statement& each) {
    spend(1, each);
    ResidualStatement statement;
    statement.form = form;
    statement.site = site(each);
    statement.origin = &each;
    out_->push_back(std::move(statement));
    return out_->back();
}

std::uint16_t Specialiser::site(const Statement& each) {
    const auto found = sites_.find(&each);
    if (found != sites_.end()) return found->second;
    if (skeleton_.sites.size() >= kMostSites) {
        fail(DiagnosticKind::program_too_large, each.span,
             fmt::format("the model has more than {} different statements", kMostSites));
    }
    const SourceRange range = model_.range_of(each.span);
    const auto position = range.source->position(range.offset);
    const auto id = static_cast<std::uint16_t>(skeleton_.sites.size());
    skeleton_.sites.push_back({range.source->name(), position.line, position.column, model_.line(each.span)});
    skeleton_.site_statements.push_back(&each);
    sites_.emplace(&each, id);
    return id;
}

void Specialiser::require(const Statement& each) {
    const NodeId condition = folding_.value(each.expressions[0], Kind::boolean);
    const ExpressionNode known = graph_[condition];
    if (known.literal() && known.value.whole != 0) return;
    if (known.literal() && folding_.guards == 0) return requirement_failed(each);
    const SlotId truth = slot(Use::condition, condition, each.span);
    emit(ResidualForm::require, each).amount = truth;
}

void Specialiser::note(const Statement& each) {
    const auto known = [&](std::size_t k) {
        const Expression& expression = each.expressions[k];
        return folding_.constant(expression, expression.type.kind,
                                 k == 0 ? "the condition of a note" : "a value of a note");
    };
    if (known(0).whole == 0) return;
    std::string text;
    std::string_view rest = each.message;
    for (std::size_t k = 1; k < each.expressions.size(); ++k) {
        const std::size_t mark = rest.find(kNoteMark);
        text += rest.substr(0, mark);
        text += to_text(known(k));
        rest.remove_prefix(mark + kNoteMark.size());
    }
    note(text.append(rest));
}

namespace {

void collect_names(const Expression& expression, std::vector<const Expression*>& names) {
    if (expression.form == Expression::Form::name) names.push_back(&expression);
    for (const Expression& operand : expression.operands) collect_names(operand, names);
}

}  // namespace

void Specialiser::requirement_failed(const Statement& each) {
    std::vector<const Expression*> names;
    collect_names(each.expressions[0], names);
    SourceRange range = model_.range_of(each.expressions[0].span);
    std::string values;
    bool at_binding = false;
    for (const Expression* name : names) {
        const ExpressionNode& node = graph_[folding_.fold(*name).node];
        const std::string text = fmt::format("{} = {}", name->name, to_text(node.value));
        if (node.literal() && values.find(text) == std::string::npos) {
            values += (values.empty() ? ", with " : ", ") + text;
        }
        const auto parameter =
            name->builtin || name->slot.local ? parameters_.end() : parameters_.find(name->slot.index);
        if (at_binding || parameter == parameters_.end()) continue;
        const auto bound = bindings_.parameters.find(name->name);
        if (bound == bindings_.parameters.end() || !bound->second.range.source) continue;
        range = bound->second.range;
        at_binding = true;
    }
    const std::string expected = fmt::format("expected `{}`{}", model_.line(each.expressions[0].span), values);
    requirements_.add(DiagnosticKind::requirement_failed, range, each.message, expected);
    if (depth_ > 0) requirements_.raise();
}

// Specialises each kind of statement except loops.

void Specialiser::let(const Statement& each) {
    NameBinding value = folding_.coerced(folding_.fold(each.expressions[0]), each.expressions[0].type, each.span);
    value.guards = folding_.guards;
    folding_.variable(each.slot) = std::move(value);
}

/// Folds an assignment. Reports an assignment in a branch that only some ranks take, since the variable would have
/// different values on different ranks.
void Specialiser::assign(const Statement& each) {
    NameBinding& variable = folding_.variable(each.slot);
    if (folding_.guards > variable.guards) {
        throw BadInput(DiagnosticKind::rank_dependent, model_.range_of(each.span),
                       fmt::format("`{}` is assigned on some ranks only", each.name.text),
                       fmt::format("expected an assignment on all ranks, such as `{0} = if CONDITION then A else {0}`",
                                   each.name.text));
    }
    NameBinding value = folding_.fold(each.expressions[0]);
    value.guards = variable.guards;
    folding_.variable(each.slot) = std::move(value);
}

void Specialiser::compute(const Statement& each) {
    const Expression& work = each.expressions[0];
    const NodeId time =
        folding_.recording({&each, nullptr, 0, {}, {}}, &work, [&](auto) { return folding_.value(work, Kind::time); });
    const SlotId amount = slot(Use::cost, time, work.span);
    if (slots_[amount].known == 0) return;
    emit(ResidualForm::compute, each).amount = amount;
}

/// Folds the time of a list that a rank executes on its cores. The rank computes until all tasks are done.
NodeId Specialiser::list_time(const Statement& each) {
    if (in_list_) {
        throw BadInput(DiagnosticKind::task_order, model_.range_of(each.span),
                       "the work of a task cannot contain a list of tasks among its costs",
                       "expected the list as work of ranks");
    }
    const ScopedValue<bool> within(in_list_, true);
    program::Program program;
    TaskListMaker maker(model_, folding_, graph_, slots_, [this](const Statement& inner) { return site(inner); });
    std::variant<program::TaskLists, FailingValue> made = maker.make(each);
    if (const auto* const failing = std::get_if<FailingValue>(&made)) return failing_time(failing->node, each.span);
    auto& lists = std::get<program::TaskLists>(made);
    lists.formulas = [this] { return std::make_unique<TaskSlots>(slots_, graph_); };
    program.tasks = std::make_shared<const program::TaskLists>(std::move(lists));
    program.sites = skeleton_.sites;
    Time time;
    try {
        if (bindings_.list_time) time = bindings_.list_time(program);
    } catch (const BadInput&) {
        throw;
    } catch (const std::runtime_error& refused) {
        std::string text = refused.what();
        std::ranges::replace(text, '\n', ';');
        fail(DiagnosticKind::task_order, each.span, std::move(text));
    }
    return graph_.literal({Kind::time, 0, static_cast<long double>(time.ps)}, each.span);
}

/// Returns a time whose evaluation fails with the error of `node`, on each rank that executes the statement.
NodeId Specialiser::failing_time(NodeId node, Span origin) {
    const Kind kind = graph_[node].kind;
    if (kind == Kind::time) return node;
    const NodeId time = graph_.literal({Kind::time, 0, 1.0L}, origin);
    if (kind == Kind::boolean) return graph_.choose(node, time, graph_.literal({Kind::time, 0, 2.0L}, origin), origin);
    const std::array<NodeId, 2> operands{time, node};
    return graph_.apply(OperatorKind::multiply, operands, origin, true);
}

Block Specialiser::folded_apart(const std::vector<Statement>& statements, bool guarded) {
    Block result;
    const Scope scope(*this, result);
    folding_.guards += guarded ? 1U : 0U;
    block(statements);
    return result;
}

void Specialiser::branch(const Statement& each) {
    const Expression& condition = each.expressions[0];
    const SlotId truth = slot(Use::condition, folding_.value(condition, Kind::boolean), condition.span);
    if (const auto known = slots_[truth].known) return block(*known != 0 ? each.body : each.otherwise);
    Block body = folded_apart(each.body, true);
    Block otherwise = folded_apart(each.otherwise, true);
    if (body.empty() && otherwise.empty()) return;
    ResidualStatement& left = emit(ResidualForm::branch, each);
    left.amount = truth;
    left.body = std::move(body);
    left.otherwise = std::move(otherwise);
}

/// Folds a phase. Phases with the same name have the same number. Numbers follow the source, so a phase has a lower
/// number than the phases within it.
void Specialiser::phase(const Statement& each) {
    std::vector<std::string>& names = skeleton_.phases;
    const auto known = std::ranges::find(names, each.name.text);
    const auto number = static_cast<std::uint32_t>(known - names.begin()) + 1;
    const bool fresh = known == names.end();
    if (fresh) names.push_back(each.name.text);
    Block body = folded_apart(each.body, false);
    if (body.empty()) {
        if (fresh) names.pop_back();
        return;
    }
    ResidualStatement& left = emit(ResidualForm::phase, each);
    left.phase = number;
    left.body = std::move(body);
}

void Specialiser::call(const Statement& each) {
    const Object& callee = *each.callee;
    Frame frame = folding_.frame_of(callee, each.expressions);
    const ScopedValue<Frame*> entered(folding_.local, &frame);
    block(callee.body);
}

// Specialises loops. Iterations with equal bodies remain a loop, others are split (iterations.hpp).

void Specialiser::repeat(const Statement& each) {
    if (each.assigns) {
        constexpr std::string_view kTimes = "the number of iterations of a loop that assigns a variable";
        return iteration_by_iteration(each, 1, folding_.constant(each.expressions[0], Kind::integer, kTimes).whole);
    }
    loop(each, folding_.value(each.expressions[0], Kind::integer), each.expressions[0].span);
}

void Specialiser::loop(const Statement& each, NodeId times, Span times_span) {
    const SlotId count = slot(Use::times, times, times_span);
    const auto known = slots_[count].known;
    if (known == 0) return;
    if (known == 1) return block(each.body);
    residual_loop(each, count);
}

void Specialiser::residual_loop(const Statement& each, SlotId times) {
    Block body;
    {
        const ScopedValue<unsigned> within(loops_, loops_ + 1);
        body = folded_apart(each.body, !slots_[times].known);
    }
    if (body.empty()) return;
    if (loops_ + 2 > program::kMaxLoopDepth && !only_work(body)) {
        fail(DiagnosticKind::loops_too_deep, each.span,
             fmt::format("loops are nested {} levels deep within the iteration; the limit is {}", loops_ + 1,
                         program::kMaxLoopDepth - 1));
    }
    ResidualStatement& left = emit(ResidualForm::loop, each);
    left.amount = times;
    left.body = std::move(body);
}

Folded<Block> Specialiser::body_for(const Statement& each, const Iterations& iterations) {
    Block body;
    const Scope scope(*this, body);
    const std::size_t emitted = emitted_;
    folding_.loops.push_back({static_cast<unsigned>(folding_.loops.size() + 1), iterations});
    try {
        folding_.step(each.span);
        if (!each.name.text.empty()) folding_.variable(each.slot) = {folding_.loop_variable(each.span), {}};
        block(each.body);
    } catch (const SplitRequest& needed) {
        emitted_ = emitted;
        return needed;
    }
    return body;
}

std::vector<Stretch<Block>> Specialiser::stretches_of(const Statement& each, std::int64_t first, std::int64_t count) {
    const auto level = static_cast<unsigned>(folding_.loops.size() + 1);
    auto stretches = by_iterations<Block>(level, first, count,
                                          [&](const Iterations& iterations) { return body_for(each, iterations); });
    if (const auto* const of_outer_loop = std::get_if<SplitRequest>(&stretches)) throw SplitRequest(*of_outer_loop);
    return std::get<std::vector<Stretch<Block>>>(std::move(stretches));
}

/// Emits a loop. If loops would be nested too deep, emits copies of the body instead.
void Specialiser::repeated(const Statement& each, std::int64_t count, Block body) {
    if (body.empty()) return;
    const std::size_t size = statements_in(body);
    const bool nests = only_work(body) || loops_ + 2 + loops_in(body) <= program::kMaxLoopDepth;
    if (count > 1 && nests) {
        const SlotId times = slot(Use::times, graph_.literal(integer(count), each.span), each.span);
        spend(size, each);
        ResidualStatement& left = emit(ResidualForm::loop, each);
        left.amount = times;
        left.body = std::move(body);
        return;
    }
    for (; count > 0; --count) {
        spend(size, each);
        out_->insert(out_->end(), body.begin(), body.end());
    }
}

void Specialiser::counted_loop(const Statement& each, std::int64_t first, std::int64_t count) {
    const std::size_t emitted = emitted_;
    std::vector<Stretch<Block>> stretches = stretches_of(each, first, count);
    emitted_ = emitted;
    for (Stretch<Block>& stretch : stretches) {
        Block turn;
        {
            const Scope scope(*this, stretch.times > 1 ? turn : *out_);
            for (Run<Block>& run : stretch.runs) repeated(each, run.count, std::move(run.body));
        }
        repeated(each, stretch.times, std::move(turn));
    }
}

void Specialiser::for_range(const Statement& each) {
    if (each.uses_variable || each.assigns) {
        constexpr std::string_view kBound = "a bound of a loop whose body uses its variable or assigns another";
        const std::int64_t first = folding_.constant(each.expressions[0], Kind::integer, kBound).whole;
        const std::int64_t last = folding_.constant(each.expressions[1], Kind::integer, kBound).whole;
        const Wide count = Wide{last} - first + 1;
        if (count > std::numeric_limits<std::int64_t>::max()) {
            fail(DiagnosticKind::program_too_large, each.span, "the number of iterations does not fit 64 bits");
        }
        if (each.assigns) return iteration_by_iteration(each, first, static_cast<std::int64_t>(count));
        if (count > 0) counted_loop(each, first, static_cast<std::int64_t>(count));
        return;
    }
    const bool guarded = folding_.guards > 0;
    const NodeId first = folding_.value(each.expressions[0], Kind::integer);
    const NodeId last = folding_.value(each.expressions[1], Kind::integer);
    const NodeId one = graph_.literal(integer(1), each.span);
    const auto apply = [&](OperatorKind op, NodeId a, NodeId b) {
        const std::array<NodeId, 2> operands{a, b};
        return graph_.apply(op, operands, each.span, guarded);
    };
    const NodeId count = apply(OperatorKind::add, apply(OperatorKind::subtract, last, first), one);
    loop(each, apply(OperatorKind::maximum, count, graph_.literal(integer(0), each.span)), each.span);
}

void Specialiser::iteration_by_iteration(const Statement& each, std::int64_t first, std::int64_t count) {
    for (std::int64_t iteration = 0; iteration < count; ++iteration) {
        folding_.step(each.span);
        if (!each.name.text.empty())
            folding_.variable(each.slot) = {graph_.literal(integer(first + iteration), each.span), {}};
        block(each.body);
    }
}

void Specialiser::while_loop(const Statement& each) {
    while (folding_.constant(each.expressions[0], Kind::boolean, "the condition of a `while`").whole != 0) {
        folding_.step(each.span);
        block(each.body);
    }
}

void Specialiser::for_each(const Statement& each) {
    const std::vector<NodeId> items = folding_.fold(each.expressions[0]).items;
    for (const NodeId item : items) {
        folding_.variable(each.slot) = {item, {}};
        folding_.step(each.span);
        block(each.body);
    }
}

// Specialises messages, waits and collectives.

SlotId Specialiser::size(const Expression& expression) {
    return slot(Use::size, folding_.value(expression, Kind::bytes), expression.span);
}

SlotId Specialiser::partner(const Expression& expression) {
    return slot(Use::peer, folding_.value(expression, Kind::peer), expression.span);
}

/// Returns the slot of the tag at `index`. Returns 0 if the statement has no tag.
SlotId Specialiser::tag_of(const Statement& each, std::size_t index) {
    if (index >= each.expressions.size()) return slot(Use::tag, graph_.literal(integer(0), each.span), each.span);
    const Expression& expression = each.expressions[index];
    return slot(Use::tag, folding_.value(expression, Kind::integer), expression.span);
}

void Specialiser::message(const Statement& each) {
    const bool sends = each.form == Form::send || each.form == Form::isend || each.form == Form::ssend;
    const std::size_t peer_index = sends ? 1 : 0;
    const SlotId peer = partner(each.expressions[peer_index]);
    const SlotId tag = tag_of(each, peer_index + 1);
    const SlotId bytes = sends ? size(each.expressions[0]) : 0;
    if (!each.name.text.empty()) folding_.variable(each.slot).items = {peer, tag};
    if (slots_[peer].known == kNoPeer) return;
    ResidualStatement& left = emit(each.form == Form::send    ? ResidualForm::send
                                   : each.form == Form::isend ? ResidualForm::isend
                                   : each.form == Form::ssend ? ResidualForm::ssend
                                   : each.form == Form::recv  ? ResidualForm::recv
                                                              : ResidualForm::irecv,
                                   each);
    left.amount = bytes;
    left.peer = peer;
    left.tag = tag;
}

void Specialiser::receive_any(const Statement& each) {
    const SlotId tag = tag_of(each, 0);
    emit(each.form == Form::recv_any ? ResidualForm::recv_any : ResidualForm::irecv_any, each).tag = tag;
}

void Specialiser::reply(const Statement& each) {
    const SlotId bytes = size(each.expressions[0]);
    const SlotId tag = tag_of(each, 2);
    ResidualStatement& left = emit(each.form == Form::reply ? ResidualForm::reply : ResidualForm::ireply, each);
    left.amount = bytes;
    left.tag = tag;
}

/// Emits a sendrecv: posts the receive, sends, and waits for the receive, like an exchange of a collective.
void Specialiser::sendrecv(const Statement& each) {
    const SlotId bytes = size(each.expressions[0]);
    const SlotId to = partner(each.expressions[1]);
    const SlotId from = partner(each.expressions[2]);
    const SlotId tag = tag_of(each, 3);
    const auto part = [&](ResidualForm form, SlotId peer) {
        if (slots_[peer].known == kNoPeer) return;
        ResidualStatement& left = emit(form, each);
        left.amount = bytes;
        left.peer = peer;
        left.tag = tag;
    };
    part(ResidualForm::irecv, from);
    part(ResidualForm::send, to);
    part(ResidualForm::wait, from);
}

void Specialiser::wait(const Statement& each) {
    if (each.source != nullptr) {
        emit(each.waits_for_send ? ResidualForm::wait_reply : ResidualForm::wait_source, each);
        return;
    }
    const std::vector<NodeId> request = folding_.variable(each.slot).items;
    if (slots_[request[0]].known == kNoPeer) return;
    ResidualStatement& left = emit(each.waits_for_send ? ResidualForm::wait_send : ResidualForm::wait, each);
    left.peer = request[0];
    left.tag = request[1];
}

/// Emits an allreduce. It is a single instruction if all ranks take part and the algorithm is recursive doubling.
void Specialiser::allreduce(const Statement& each) {
    const Expression& expression = each.expressions[0];
    const Value size = folding_.constant(expression, Kind::bytes, "the size of an allreduce");
    const auto ranks = static_cast<std::uint32_t>(bindings_.grid.ranks());
    const collectives::Collective call{collectives::Kind::allreduce, 0, {size.whole}};
    const collectives::Algorithm algorithm = bindings_.algorithms.choose(call, ranks).algorithm;
    if (algorithm != collectives::Algorithm::recursive_doubling) return collective(each);
    const SlotId amount = slot(Use::size, graph_.literal(size, expression.span), expression.span);
    emit(ResidualForm::allreduce, each).amount = amount;
}

void Specialiser::collective(const Statement& each) {
    const bool sized = each.collective != collectives::Kind::barrier;
    const auto literal = [&](Use use, const Value& value) {
        return slot(use, graph_.literal(value, each.span), each.span);
    };
    const SlotId amount = sized ? size(each.expressions[0]) : literal(Use::size, {Kind::bytes, 0, 0.0L});
    const SlotId root = each.rooted ? slot(Use::root, folding_.value(each.root(), Kind::peer), each.root().span)
                                    : literal(Use::root, integer(0));
    const SlotId group = each.over_some
                             ? slot(Use::colour, folding_.value(each.colour(), Kind::integer), each.colour().span)
                             : literal(Use::colour, integer(0));
    ResidualStatement& left = emit(ResidualForm::collective, each);
    left.amount = amount;
    left.peer = root;
    left.tag = group;
}

// Specialises analytic regions and trace regions. Analytic regions are not simulated message by message.

void Specialiser::analytic(const Statement& each) {
    const Expression* given = each.body.empty() ? &each.expressions[0] : nullptr;
    const NodeId time = folding_.recording({&each, nullptr, 0, {}, {}}, given, [&](auto) {
        return given != nullptr ? folding_.value(*given, Kind::time) : time_by_closed_form(each);
    });
    const SlotId amount = slot(Use::cost, time, given != nullptr ? given->span : each.span);
    if (slots_[amount].known == 0) return;
    note("analytic regions count as compute; neither noise nor calibration changes their times");
    emit(ResidualForm::delay, each).amount = amount;
}

NodeId Specialiser::time_by_closed_form(const Statement& each) {
    const program::WavefrontPhase phase = phase_of(each, folding_, graph_);
    WideTime time;
    try {
        if (bindings_.closed_form) time = bindings_.closed_form(phase);
    } catch (const BadInput& bad) {
        const Diagnostic& fault = bad.diagnostics().all().front();
        fail(fault.kind, each.span, fault.message);
    }
    return graph_.literal({Kind::time, 0, static_cast<long double>(time.ps)}, each.span);
}

void Specialiser::trace(const Statement& each) {
    if (folding_.guards > 0) {
        throw BadInput(DiagnosticKind::rank_dependent, model_.range_of(each.span),
                       "only some ranks execute this `trace`",
                       "expected a place that all ranks execute, since every rank has a trace");
    }
    const std::filesystem::path folder = input::folder_of(model_.sources[each.span.file]->name());
    TraceRegion region{(folder / each.name.text).lexically_normal(), model_.range_of(each.name.span), std::nullopt};
    if (!each.expressions.empty()) {
        const Value rate = folding_.constant(each.expressions[0], Kind::rate, "the rate of a trace");
        region.speed = FlopRate{static_cast<double>(rate.amount)};
        if (!(rate.amount > 0.0L)) {
            fail(DiagnosticKind::out_of_range, each.expressions[0].span,
                 fmt::format("the rate is {}, expected more than 0", to_text(rate)));
        }
    }
    if (!bindings_.trace) return;
    const std::uint32_t number = trace_number(region);
    emit(ResidualForm::trace, each).trace = number;
}

/// Returns the number of a trace. A trace is read only once for each rate.
std::uint32_t Specialiser::trace_number(const TraceRegion& region) {
    const std::pair key(region.list, region.speed ? region.speed->per_second : 0.0);
    if (const auto known = traces_.find(key); known != traces_.end()) return known->second;
    program::Program read = bindings_.trace(region);
    set_tags_apart(read);
    for (const std::string& text : read.notes) note(text);
    const auto number = static_cast<std::uint32_t>(skeleton_.traces.size());
    skeleton_.traces.push_back(std::move(read));
    traces_.emplace(key, number);
    return number;
}

void Specialiser::note(const std::string& text) {
    std::vector<std::string>& notes = folding_.notes;
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);
}

/// Gives new numbers to the negative tags of a trace. Otherwise they could be equal to tags of collectives or of other
/// traces.
void Specialiser::set_tags_apart(program::Program& trace) {
    std::int32_t lowest = lowest_tag_;
    const auto set_apart = [&](std::vector<program::Channel>& channels) {
        for (program::Channel& channel : channels) {
            if (channel.tag >= 0) continue;
            channel.tag += lowest_tag_;
            lowest = std::min(lowest, channel.tag);
        }
    };
    for (program::RankClass& rank_class : trace.classes) {
        set_apart(rank_class.send_endpoints);
        set_apart(rank_class.receive_endpoints);
    }
    lowest_tag_ = lowest;
}

}  // namespace warpfront::psl
