#include "psl/lowering/code_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "psl/lowering/collective_steps.hpp"
#include "psl/lowering/rank_class_key.hpp"
#include "psl/specialising/limits.hpp"

namespace warpfront::psl {
namespace {

using KeyValues = std::vector<std::int64_t>;

struct KeyHash {
    std::size_t operator()(const KeyValues& key) const {
        std::uint64_t hash = key.size();
        for (const std::int64_t value : key) {
            hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15ULL;
            hash ^= hash >> 29U;
        }
        return hash;
    }
};

class Classes {
public:
    Classes(const Skeleton& skeleton, const Slots& slots, const Graph& graph, program::Program& program)
        : skeleton_(skeleton),
          slots_(slots),
          graph_(graph),
          program_(program),
          probe_(slots),
          values_(slots, graph),
          communicators_(slots, program.grid),
          steps_(skeleton, graph, communicators_) {
        for (const Stretch<Block>& stretch : skeleton.iterations) {
            for (const Run<Block>& run : stretch.runs) probe_.add(run.body);
        }
    }

    void make() {
        refuse_many_evaluations();
        program_.class_of.reserve(ranks_);
        probe_.for_each_collective([&](const ResidualStatement& each) { communicators_.add(each.tag, values_); });
        KeyValues key;
        for (std::uint32_t index = 0; index < ranks_; ++index) {
            values_.set_rank(Rank{index});
            key.clear();
            probe_.append_key(
                key, [&](SlotId slot) { return values_(slot); },
                [&](const ResidualStatement& each) { return number_of(each); });
            const auto [entry, fresh] = known_.try_emplace(key, static_cast<std::uint32_t>(program_.classes.size()));
            if (fresh) add_class(key, index);
            program_.class_of.push_back(entry->second);
        }
        find_sources(skeleton_, graph_, wildcards_, program_);
        program_.collectives = steps_.uses();
        for (const program::Program& trace : skeleton_.traces) {
            for (const program::CollectiveUse& use : trace.collectives) program::add_use(program_.collectives, use);
        }
    }

private:
    /// Returns a number for the operations in a collective or a trace. Ranks with equal operations have equal numbers.
    std::int64_t number_of(const ResidualStatement& each) {
        if (each.form != ResidualStatement::Form::trace) return steps_.number_of(each, values_);
        return skeleton_.traces[each.trace].class_of[static_cast<std::size_t>(values_.here().rank())];
    }

    void refuse_many_evaluations() const {
        const std::uint64_t expressions = probe_.expressions(graph_);
        if (expressions <= kMostEvaluations / ranks_) return;
        graph_.fail({DiagnosticKind::program_too_large,
                     fmt::format("{} expressions have different values on the {} ranks, and must be evaluated for each "
                                 "rank; the limit is {} evaluations",
                                 expressions, ranks_, kMostEvaluations)},
                    skeleton_.site_statements[skeleton_.iteration_site]->span);
    }

    void add_class(const KeyValues& key, std::uint32_t rank) {
        auto [rank_class, wildcards] = write_class(skeleton_, graph_, values_, steps_);
        wildcards_.push_back(std::move(wildcards));
        rank_class.code.shrink_to_fit();
        bytes_ += kBytesOfClass + key.size() * sizeof(key[0]) + rank_class.code.size() * sizeof(program::Instruction) +
                  (rank_class.send_endpoints.size() + rank_class.receive_endpoints.size()) * sizeof(program::Channel);
        if (bytes_ > kMostClassBytes) refuse(rank);
        program_.classes.push_back(std::move(rank_class));
    }

    /// Throws program_too_large at the expression that has the most different values.
    [[noreturn]] void refuse(std::uint32_t rank) {
        constexpr std::uint64_t kSample = 4096;
        std::unordered_map<SlotId, std::set<std::int64_t>> seen;
        const std::uint64_t sample = std::min(kSample, ranks_);
        for (std::uint64_t i = 0; i < sample; ++i) {
            values_.set_rank(Rank{static_cast<std::uint32_t>(i * ranks_ / sample)});
            KeyValues key;
            probe_.append_key(
                key,
                [&](SlotId slot) {
                    const std::int64_t value = values_(slot);
                    seen[slot].insert(value);
                    return value;
                },
                [&](const ResidualStatement& each) {
                    const std::int64_t number = number_of(each);
                    if (each.form != ResidualStatement::Form::trace) seen[each.amount].insert(number);
                    return number;
                });
        }
        SlotId most = 0;
        for (SlotId slot = 0; slot < slots_.size(); ++slot) {
            if (seen[slot].size() > seen[most].size()) most = slot;
        }
        std::size_t values = seen[most].size();
        Span origin = slots_[most].origin;
        for (const ResidualStatement* each : probe_.traces()) {
            const std::size_t different = skeleton_.traces[each->trace].classes.size();
            if (different <= values) continue;
            values = different;
            origin = each->origin->span;
        }
        throw BadInput(
            DiagnosticKind::program_too_large, graph_.model().range_of(origin),
            fmt::format("the first {} of {} ranks need {} different programs, which take more than {} MiB",
                        std::uint64_t{rank} + 1, ranks_, program_.classes.size() + 1, kMostClassBytes >> 20U),
            fmt::format(
                "this expression has {} values on {} ranks: expected a value that most ranks share, or fewer ranks",
                values, sample));
    }

    /// The estimated memory of a class: the class, its entry in the map of keys, and the overhead of allocation.
    static constexpr std::size_t kBytesOfClass = sizeof(program::RankClass) + 128;

    const Skeleton& skeleton_;
    const Slots& slots_;
    const Graph& graph_;
    program::Program& program_;
    RankClassKey probe_;
    RankValues values_;
    Communicators communicators_;
    CollectiveSteps steps_;
    std::unordered_map<KeyValues, std::uint32_t, KeyHash> known_;
    std::uint64_t ranks_ = program_.grid.ranks();
    std::size_t bytes_ = 0;
    std::vector<Wildcards> wildcards_;  // receives from any rank and replies of each class
};

}  // namespace

void make_classes(const Skeleton& skeleton, const Slots& slots, const Graph& graph, program::Program& program) {
    Classes(skeleton, slots, graph, program).make();
}

}  // namespace warpfront::psl
