#include "psl/lowering/collective_steps.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "psl/specialising/limits.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::psl {

std::size_t CollectiveSteps::Hash::operator()(const std::vector<CollectiveStep>& steps) const {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
    constexpr std::int64_t kNone = std::int64_t{1} << 40U;
    std::uint64_t hash = steps.size();
    const auto add = [&hash](std::int64_t value) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * kGolden;
        hash ^= hash >> 29U;
    };
    for (const CollectiveStep& step : steps) {
        add(step.to ? *step.to : kNone);
        add(step.from ? *step.from : kNone);
        add(step.bytes.count);
        add(step.begins ? 1 : 0);
    }
    return hash;
}

std::int64_t CollectiveSteps::number_of(const ResidualStatement& collective, RankValues& values) {
    const auto rank = static_cast<std::uint32_t>(values.here().rank());
    const Membership here = communicators_.of(collective.tag, rank);
    const Bytes bytes{values(collective.amount)};
    const std::uint32_t root = root_of(collective, here, values);
    agree(collective, here, {bytes.count, root, rank}, values);
    std::vector<CollectiveStep> steps;
    const auto relative = [&](std::optional<std::uint32_t> member) -> std::optional<std::int32_t> {
        if (!member) return std::nullopt;
        return static_cast<std::int32_t>(here.rank_of(*member)) - static_cast<std::int32_t>(rank);
    };
    const collectives::Collective call{*collective.origin->collective, root, bytes};
    if (here.member == 0) note(call, here.members);
    collectives::for_each_exchange(
        call, skeleton_.algorithms, here.member, here.members, [&](const collectives::Exchange& each) {
            if (++made_ > kMostExchanges || different_ + steps.size() >= kMostDifferentExchanges) {
                refuse_many(collective, values);
            }
            steps.push_back({relative(each.to), relative(each.from), each.to ? each.bytes : Bytes{}, each.begins});
        });
    const auto [entry, fresh] = numbers_.try_emplace(std::move(steps), static_cast<std::int64_t>(all_.size()));
    if (fresh) {
        all_.push_back(&entry->first);
        different_ += entry->first.size();
    }
    return entry->second;
}

/// Returns the number of the root within its communicator. Returns 0 if the statement has no root.
std::uint32_t CollectiveSteps::root_of(const ResidualStatement& collective, const Membership& here,
                                       RankValues& values) const {
    if (!collective.origin->rooted) return 0;
    const auto root = static_cast<std::uint32_t>(values(collective.peer));
    if (here.ranks.empty()) return root;
    const auto found = std::ranges::lower_bound(here.ranks, root);
    if (found == here.ranks.end() || *found != root) {
        graph_.fail(
            {DiagnosticKind::out_of_range,
             fmt::format("rank {} is the root, but does not take part, since its value after `over` is different",
                         root)},
            collective.origin->root().span, &values.here());
    }
    return static_cast<std::uint32_t>(found - here.ranks.begin());
}

void CollectiveSteps::agree(const ResidualStatement& collective, const Membership& here, const Agreed& own,
                            RankValues& values) {
    const std::tuple key(collective.amount, collective.peer, collective.tag, here.rank_of(0));
    const Agreed& first = agreed_.try_emplace(key, own).first->second;
    if (first.bytes != own.bytes) {
        graph_.fail(
            {DiagnosticKind::unmatched_collectives,
             fmt::format("the size is {} on this rank, but {} on rank {} of the same collective: expected the same "
                         "size on all its ranks",
                         input::counted(static_cast<std::uint64_t>(own.bytes), "byte"), first.bytes, first.rank)},
            collective.origin->span, &values.here());
    }
    if (first.root != own.root) {
        graph_.fail({DiagnosticKind::unmatched_collectives,
                     fmt::format("the root is rank {} on this rank, but rank {} on rank {} of the same collective: "
                                 "expected the same root on all its ranks",
                                 here.rank_of(own.root), here.rank_of(first.root), first.rank)},
                    collective.origin->span, &values.here());
    }
}

void CollectiveSteps::refuse_many(const ResidualStatement& collective, RankValues& values) const {
    graph_.fail(
        {DiagnosticKind::program_too_large, fmt::format("the collectives of one iteration have more than {} messages "
                                                        "on all ranks together, or more than {} different messages",
                                                        kMostExchanges, kMostDifferentExchanges)},
        collective.origin->span, &values.here());
}

void CollectiveSteps::note(const collectives::Collective& call, std::uint32_t members) {
    if (!noted_.emplace(call.kind, call.bytes.count, members).second) return;
    for (collectives::Description& each : collectives::descriptions_of(call, skeleton_.algorithms, members)) {
        program::add_use(uses_, {std::move(each.operation), std::move(each.algorithm), std::move(each.because), members,
                                 members, each.bytes, each.bytes});
    }
}

void Communicators::add(SlotId colour, RankValues& values) {
    if (slots_[colour].known || splits_.contains(colour)) return;
    std::vector<std::int64_t> colours(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        values.set_rank({rank});
        colours[rank] = values(colour);
    }
    Split& split = splits_[colour];
    split.ranks.resize(ranks_);
    std::iota(split.ranks.begin(), split.ranks.end(), 0U);
    std::ranges::stable_sort(split.ranks, [&](std::uint32_t a, std::uint32_t b) { return colours[a] < colours[b]; });
    split.place.resize(ranks_);
    split.begins.resize(ranks_);
    for (std::uint32_t at = 0; at < ranks_; ++at) {
        const bool continues = at > 0 && colours[split.ranks[at]] == colours[split.ranks[at - 1]];
        split.place[split.ranks[at]] = at;
        split.begins[at] = continues ? split.begins[at - 1] : at;
    }
}

Membership Communicators::of(SlotId colour, std::uint32_t rank) const {
    if (slots_[colour].known) return {rank, ranks_, {}};
    const Split& split = splits_.at(colour);
    const std::uint32_t place = split.place[rank];
    const std::uint32_t begin = split.begins[place];
    const auto end = std::upper_bound(split.begins.begin() + place, split.begins.end(), begin) - split.begins.begin();
    const std::uint32_t members = static_cast<std::uint32_t>(end) - begin;
    return {place - begin, members, std::span(split.ranks).subspan(begin, members)};
}

}  // namespace warpfront::psl
