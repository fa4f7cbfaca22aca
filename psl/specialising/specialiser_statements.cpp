// Specialises each kind of statement except loops.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "psl/specialising/specialiser.hpp"

namespace warpfront::psl {

using Form = Statement::Form;
using ResidualForm = ResidualStatement::Form;

void Specialiser::let(const Statement& each) {
    NameBinding value = folding_.coerced(folding_.fold(each.expressions[0]), each.expressions[0].type, each.span);
    value.guards = folding_.guards;
    folding_.variable(each.slot) = std::move(value);
}

/// Ranks that take a branch and those that do not would go on with different values.
void Specialiser::assign(const Statement& each) {
    NameBinding& variable = folding_.variable(each.slot);
    if (folding_.guards > variable.guards) {
        throw input::BadInput(
            input::DiagnosticKind::rank_dependent, model_.range_of(each.span),
            fmt::format("`{}` is assigned on some ranks only", each.name.text),
            fmt::format("expected one value on all, such as `{0} = if CONDITION then A else {0}`", each.name.text));
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

Block Specialiser::folded_apart(const std::vector<Statement>& statements, bool guarded) {
    Block result;
    Block* const outer = out_;
    out_ = &result;
    folding_.guards += guarded ? 1U : 0U;
    block(statements);
    folding_.guards -= guarded ? 1U : 0U;
    out_ = outer;
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

/// Phases of one name are one. Numbers follow the source, so an outer phase has its own before what is within it.
void Specialiser::phase(const Statement& each) {
    std::vector<std::string>& names = skeleton_.phases;
    const auto known = std::find(names.begin(), names.end(), each.name.text);
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
    Frame* const outer = folding_.local;
    folding_.local = &frame;
    block(callee.body);
    folding_.local = outer;
}

}  // namespace warpfront::psl
