#include "tools/from_code/learning/merging.hpp"

#include <algorithm>
#include <map>

namespace warpfront::learning {

namespace {

/// A symbol, the ranks that take part in its step, and how often it has been executed.
struct Shared {
    std::uint32_t symbol = 0;
    std::vector<std::uint32_t> ranks;
    std::uint64_t done = 0;
    std::uint64_t all = 0;  // number of executions on one rank
};

class RankMerger {
public:
    RankMerger(const std::vector<std::vector<std::uint32_t>>& ranks, const MergeRules& rules)
        : ranks_(ranks), rules_(rules), next_(ranks.size()) {
        for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
            std::map<std::uint32_t, std::uint64_t> counts;
            for (const std::uint32_t symbol : ranks[rank]) ++counts[symbol];
            for (const auto& [symbol, count] : counts) {
                const auto [known, is_new] = shared_.try_emplace(symbol);
                Shared& shared = known->second;
                shared.all = std::max(shared.all, count);
                if (!is_new) continue;
                shared.symbol = symbol;
                for (std::uint32_t each = 0; each < ranks.size(); ++each) {
                    if (rules.takes_part(symbol, Rank{each})) shared.ranks.push_back(each);
                }
            }
        }
    }

    std::optional<InteriorSteps> merge(MergeConflict& conflict) {
        while (true) {
            Shared* next = nullptr;     // the first step that all its ranks can perform now
            Shared* blocked = nullptr;  // among the other steps, the one that is least advanced
            std::uint32_t first = 0;    // a rank that would perform the blocked step
            for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
                if (is_at_end(rank)) continue;
                Shared& shared = shared_.at(head(rank));
                Shared*& best = is_next(shared) ? next : blocked;
                if (best != nullptr && !comes_before(shared, *best)) continue;
                best = &shared;
                if (best == blocked) first = rank;
            }
            if (next != nullptr) {
                take(*next);
            } else if (blocked == nullptr) {
                return std::move(result_);
            } else {
                conflict = conflict_of(*blocked, first);
                return std::nullopt;
            }
        }
    }

private:
    bool is_at_end(std::uint32_t rank) const { return next_[rank] == ranks_[rank].size(); }
    std::uint32_t head(std::uint32_t rank) const { return ranks_[rank][next_[rank]]; }
    bool has_next(std::uint32_t rank, const Shared& shared) const {
        return !is_at_end(rank) && head(rank) == shared.symbol;
    }
    bool is_next(const Shared& shared) const {
        return std::ranges::all_of(shared.ranks, [&](std::uint32_t rank) { return has_next(rank, shared); });
    }
    /// Returns true if step `a` is next in an earlier iteration than `b`, or precedes it in the code. Iterations are
    /// counted as in a loop with as many iterations as the rarer of the two steps has executions.
    bool comes_before(const Shared& a, const Shared& b) const {
        const std::uint64_t iterations = std::min(a.all, b.all);
        const std::uint64_t own = a.done * iterations / a.all;
        const std::uint64_t other = b.done * iterations / b.all;
        return own != other ? own < other : rules_.precedes(a.symbol, b.symbol);
    }
    Origin origin(std::uint32_t rank) const { return {Rank{rank}, static_cast<std::uint32_t>(next_[rank])}; }

    void take(Shared& shared) {
        result_.symbols.push_back(shared.symbol);
        result_.origins.push_back(origin(shared.ranks.front()));
        for (const std::uint32_t rank : shared.ranks) ++next_[rank];
        ++shared.done;
    }

    MergeConflict conflict_of(const Shared& blocked, std::uint32_t first) const {
        const auto other =
            std::ranges::find_if(blocked.ranks, [&](std::uint32_t rank) { return !has_next(rank, blocked); });
        return {origin(first), origin(other == blocked.ranks.end() ? first : *other)};
    }

    const std::vector<std::vector<std::uint32_t>>& ranks_;
    const MergeRules& rules_;
    std::vector<std::size_t> next_;  // next step of each rank
    std::map<std::uint32_t, Shared> shared_;
    InteriorSteps result_;
};

}  // namespace

std::optional<InteriorSteps> merged_ranks(const std::vector<std::vector<std::uint32_t>>& ranks, const MergeRules& rules,
                                          MergeConflict& conflict) {
    return RankMerger(ranks, rules).merge(conflict);
}

}  // namespace warpfront::learning
