#include "psl/lowering/rank_class_key.hpp"

#include <algorithm>

namespace warpfront::psl {

using ResidualForm = ResidualStatement::Form;

void RankClassKey::include(SlotId slot) {
    if (slots_[slot].known || includes(slot)) return;
    wanted_.push_back(slot);
    known_.insert(slot);
}

/// Includes the number of a collective. Equal collectives have equal numbers, so it is included once.
void RankClassKey::include(const ResidualStatement& collective) {
    const auto same = [&](const ResidualStatement* other) {
        return other->origin->collective == collective.origin->collective && other->amount == collective.amount &&
               other->peer == collective.peer && other->tag == collective.tag;
    };
    if (std::ranges::none_of(collectives_, same)) collectives_.push_back(&collective);
}

void RankClassKey::include_trace(const ResidualStatement& trace) {
    const auto same = [&](const ResidualStatement* other) { return other->trace == trace.trace; };
    if (std::ranges::none_of(traces_, same)) traces_.push_back(&trace);
}

RankClassKey& RankClassKey::behind(SlotId condition, bool taken) {
    const auto [entry, fresh] = by_condition_.try_emplace({condition, taken}, branches_.size());
    if (fresh) {
        branches_.push_back({condition, taken, std::make_unique<RankClassKey>(slots_)});
        branches_.back().probe->outer_ = this;
    }
    return *branches_[entry->second].probe;
}

void RankClassKey::add(const Block& block) {
    for (const ResidualStatement& each : block) {
        if (each.form == ResidualForm::collective) {
            include(each);
            continue;
        }
        if (each.form == ResidualForm::trace) {
            include_trace(each);
            continue;
        }
        if (each.form == ResidualForm::phase) {
            add(each.body);
            continue;
        }
        const bool sends =
            each.form == ResidualForm::send || each.form == ResidualForm::isend || each.form == ResidualForm::ssend;
        const bool receives_any = each.form == ResidualForm::recv_any || each.form == ResidualForm::irecv_any;
        const bool any = receives_any || each.form == ResidualForm::reply || each.form == ResidualForm::ireply;
        const bool message = sends || each.form == ResidualForm::recv || each.form == ResidualForm::irecv ||
                             each.form == ResidualForm::wait || each.form == ResidualForm::wait_send;
        if (message) {
            include(each.peer);
            include(each.tag);
        }
        if (any) include(each.tag);
        if (each.form == ResidualForm::waitall || each.form == ResidualForm::waitany ||
            each.form == ResidualForm::wait_source || each.form == ResidualForm::wait_reply || receives_any) {
            continue;
        }
        if (!message || sends) include(each.amount);
        if (each.body.empty() && each.otherwise.empty()) continue;
        if (slots_[each.amount].known) {
            add(each.body);  // loops have no condition; branches with a known condition have been replaced
            continue;
        }
        if (!each.body.empty()) behind(each.amount, true).add(each.body);
        if (!each.otherwise.empty()) behind(each.amount, false).add(each.otherwise);
    }
}

void RankClassKey::mark(const Graph& graph, std::vector<bool>& reached) const {
    for (const SlotId slot : wanted_) reached[slots_[slot].node] = true;
    for (const ResidualStatement* each : collectives_) {
        for (const SlotId slot : {each->amount, each->peer, each->tag}) reached[slots_[slot].node] = true;
    }
    for (const Branch& branch : branches_) branch.probe->mark(graph, reached);
}

std::uint64_t RankClassKey::expressions(const Graph& graph) const {
    std::vector<bool> reached(graph.size(), false);
    mark(graph, reached);
    std::uint64_t count = 0;
    for (std::size_t id = graph.size(); id-- > 0;) {  // the operands of a node have smaller numbers
        if (!reached[id]) continue;
        ++count;
        const ExpressionNode& node = graph[static_cast<NodeId>(id)];
        for (std::size_t i = 0; i < node.arity; ++i) reached[node.operands[i]] = true;
    }
    return count;
}

}  // namespace warpfront::psl
