#include "psl/specialising/specialiser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "psl/specialising/limits.hpp"

namespace warpfront::psl {

using input::DiagnosticKind;
using Form = Statement::Form;
using ResidualForm = ResidualStatement::Form;

Specialiser::Specialiser(const CheckedModel& model, const Bindings& bindings, Graph& graph, Slots& slots)
    : model_(model), bindings_(bindings), graph_(graph), slots_(slots), folding_(graph, bindings) {}

void Specialiser::fail(DiagnosticKind kind, Span span, std::string message) const {
    graph_.fail({kind, std::move(message)}, span);
}

Skeleton Specialiser::run(BoundValues values) {
    folding_.objects = std::move(values.objects);
    folding_.application.resize(model_.application->slots);
    Block everywhere;
    out_ = &everywhere;
    try {
        items(values.parameters);
    } catch (const input::BadInput&) {
        requirements_.raise();  // further faults may follow from them
        throw;
    }
    requirements_.raise();
    const auto& body = model_.application->body;
    const auto found =
        std::find_if(body.begin(), body.end(), [](const Statement& s) { return s.form == Form::iteration; });
    skeleton_.iteration_site = site(*found);
    skeleton_.iterations =
        by_trips(1, 1, bindings_.iterations, [&](const Trips& trips) { return body_for(*found, trips); });
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
    if (each.declared.list ? std::any_of(binding.items.begin(), binding.items.end(), differs) : differs(binding.node)) {
        fail(DiagnosticKind::rank_dependent, value.span,
             fmt::format("the default of `{}` differs from rank to rank", each.name.text));
    }
}

void Specialiser::block(const std::vector<Statement>& statements) {
    for (const Statement& each : statements) {
        folding_.step(each.span);
        if (++depth_ > kDeepestResidual) {
            fail(DiagnosticKind::nesting_too_deep, each.span,
                 fmt::format("statements nested more than {} levels deep", kDeepestResidual));
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
        default: return call(each);
    }
}

SlotId Specialiser::slot(Use use, NodeId node, Span origin) {
    if (graph_[node].level > 0) folding_.split(node);
    return slots_.make(use, node, origin, folding_.guards > 0);
}

void Specialiser::spend(std::size_t statements, const Statement& each) {
    emitted_ += statements;
    if (emitted_ <= kMostStatements) return;
    fail(DiagnosticKind::program_too_large, each.span, fmt::format("more than {} statements remain", kMostStatements));
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
             fmt::format("more than {} different statements", kMostSites));
    }
    const input::SourceRange range = model_.range_of(each.span);
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
    input::SourceRange range = model_.range_of(each.expressions[0].span);
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

}  // namespace warpfront::psl
