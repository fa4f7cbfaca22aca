// The key of a rank. It contains the slots that determine the class of the rank. Each slot has the conditions under
// which it is evaluated.
#pragma once

#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "psl/specialising/residual.hpp"
#include "psl/specialising/skeleton.hpp"

namespace warpfront::psl {

class RankClassKey {
public:
    explicit RankClassKey(const Slots& slots) : slots_(slots) {}

    void add(const Block& block);
    /// Returns the number of different expressions that one rank may evaluate.
    std::uint64_t expressions(const Graph& graph) const;
    /// Appends the values of this rank to `key`. `value` evaluates a slot. `number_of` returns the number of the steps
    /// of a collective or a trace.
    template <class Evaluate, class NumberOf>
    void append_key(std::vector<std::int64_t>& key, Evaluate value, NumberOf number_of) const {
        for (const SlotId slot : wanted_) key.push_back(value(slot));
        for (const ResidualStatement* each : traces_) key.push_back(number_of(*each));
        for (const ResidualStatement* each : collectives_) key.push_back(number_of(*each));
        for (const Branch& branch : branches_) {
            if ((value(branch.condition) != 0) == branch.taken) branch.probe->append_key(key, value, number_of);
        }
    }
    /// Calls `visit` for every collective, including those in branches.
    template <class Visit>
    void for_each_collective(Visit visit) const {
        for (const ResidualStatement* each : collectives_) visit(*each);
        for (const Branch& branch : branches_) branch.probe->for_each_collective(visit);
    }

    const std::vector<const ResidualStatement*>& traces() const { return traces_; }

private:
    struct Branch {
        SlotId condition;
        bool taken;  // required value of the condition
        std::unique_ptr<RankClassKey> probe;
    };

    void include(SlotId slot);
    void include(const ResidualStatement& collective);
    void include_trace(const ResidualStatement& trace);
    bool includes(SlotId slot) const { return known_.contains(slot) || (outer_ && outer_->includes(slot)); }
    RankClassKey& behind(SlotId condition, bool taken);
    void mark(const Graph& graph, std::vector<bool>& reached) const;

    const Slots& slots_;
    const RankClassKey* outer_ = nullptr;
    std::vector<SlotId> wanted_;
    std::vector<const ResidualStatement*> traces_;  // all ranks execute the traces, so no branch contains one
    std::vector<const ResidualStatement*> collectives_;
    std::vector<Branch> branches_;
    std::unordered_set<SlotId> known_;
    std::map<std::pair<SlotId, bool>, std::size_t> by_condition_;
};

}  // namespace warpfront::psl
