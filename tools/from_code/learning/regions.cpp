#include "tools/from_code/learning/regions.hpp"

#include <algorithm>
#include <utility>

namespace warpfront::learning {

namespace {

/// Returns the steps of a rank that are collectives over all ranks.
std::vector<std::uint32_t> meetings(const trace::RecordedRun& run, const RankSteps& rank) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t at = 0; at < rank.steps.size(); ++at) {
        const Step& step = rank.steps[at];
        if (step.kind == StepKind::collective && run.communicators[step.communicator].size() == run.ranks.size()) {
            result.push_back(at);
        }
    }
    return result;
}

/// The steps of a rank that remain between the regions, from `begin` up to `end`.
struct Left {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::optional<Left> left_of(const trace::RecordedRun& run, const RankSteps& rank, const Cut& cut) {
    const std::vector<std::uint32_t> all = meetings(run, rank);
    if (cut.setup + cut.finish > all.size()) return std::nullopt;
    Left left{0, rank.steps.size()};
    if (cut.setup > 0) left.begin = all[cut.setup - 1] + 1U;
    if (cut.finish > 0) left.end = all[all.size() - cut.finish] + 1U;
    if (left.begin >= left.end) return std::nullopt;
    const auto part = [&left](std::size_t step) { return step < left.begin ? 0 : step < left.end ? 1 : 2; };
    for (std::size_t at = 0; at < rank.steps.size(); ++at) {
        if (rank.steps[at].kind == StepKind::wait && part(at) != part(rank.steps[at].begun)) return std::nullopt;
    }
    return left;
}

Time end_of(const trace::RecordedRank& rank, std::size_t events) {
    return events == 0 ? Time{} : rank.events[events - 1].end;
}

void take_off(RankSteps& rank, const Left& left, std::size_t first_event, std::size_t last_event) {
    if (left.end < rank.steps.size()) rank.work_after = Time{};
    rank.steps.erase(rank.steps.begin() + static_cast<std::ptrdiff_t>(left.end), rank.steps.end());
    rank.steps.erase(rank.steps.begin(), rank.steps.begin() + static_cast<std::ptrdiff_t>(left.begin));
    for (Step& step : rank.steps) {
        if (step.kind == StepKind::wait) step.begun -= static_cast<std::uint32_t>(left.begin);
    }
    std::erase_if(rank.unsaid,
                  [=](const Unsaid& each) { return each.event < first_event || each.event >= last_event; });
}

}  // namespace

std::optional<std::vector<Region>> regions_of(const trace::RecordedRun& run, std::vector<RankSteps>& ranks,
                                              const Cut& cut) {
    Region setup{"setup"};
    Region finish{"finish"};
    double operations = 0;
    double time = 0;
    std::vector<Left> all;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::optional<Left> left = left_of(run, ranks[rank], cut);
        if (!left) return std::nullopt;
        all.push_back(*left);
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const trace::RecordedRank& recorded = run.ranks[rank];
        const Left& left = all[rank];
        const std::size_t events = recorded.events.size();
        const std::size_t first = left.begin == 0 ? 0 : ranks[rank].steps[left.begin - 1].event + std::size_t{1};
        const std::size_t last =
            left.end == ranks[rank].steps.size() ? events : ranks[rank].steps[left.end - 1].event + std::size_t{1};
        setup.events.push_back({0, first});
        finish.events.push_back({last, events});
        operations += static_cast<double>(ranks[rank].steps.size());
        setup.operations += static_cast<double>(left.begin);
        finish.operations += static_cast<double>(ranks[rank].steps.size() - left.end);
        const auto end = static_cast<double>(end_of(recorded, events).ps);
        time += end;
        setup.time += static_cast<double>(end_of(recorded, first).ps);
        finish.time += end - static_cast<double>(end_of(recorded, last).ps);
        take_off(ranks[rank], left, first, last);
    }
    std::vector<Region> regions;
    for (Region* region : {&setup, &finish}) {
        if ((region == &setup ? cut.setup : cut.finish) == 0) continue;
        region->operations /= std::max(operations, 1.0);
        region->time = time > 0 ? region->time / time : 0;
        regions.push_back(std::move(*region));
    }
    constexpr double kSmall = 0.05;
    const bool small = std::ranges::all_of(regions, [](const Region& each) { return each.operations <= kSmall; });
    for (Region& region : regions) region.left_out = small;
    return regions;
}

std::vector<Cut> cuts_of(const trace::RecordedRun& run, const std::vector<RankSteps>& ranks) {
    constexpr std::size_t kMost = 48;
    std::vector<std::vector<std::uint32_t>> all;
    std::size_t steps = 0;
    for (const RankSteps& rank : ranks) {
        all.push_back(meetings(run, rank));
        steps += rank.steps.size();
        if (all.back().size() != all.front().size()) return {};
    }
    std::vector<std::uint32_t> counts{0, 1};
    while (counts.back() < all.front().size()) counts.push_back(std::max(counts.back() + 1, counts.back() * 4 / 3));
    std::vector<std::pair<std::size_t, Cut>> found;  // number of steps in the regions of each cut
    for (const std::uint32_t setup : counts) {
        for (const std::uint32_t finish : counts) {
            const Cut cut{setup, finish};
            if (!cut.any() || setup + finish > all.front().size()) continue;
            std::size_t taken = 0;
            for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
                if (setup > 0) taken += all[rank][setup - 1] + std::size_t{1};
                if (finish > 0) taken += ranks[rank].steps.size() - all[rank][all[rank].size() - finish] - 1;
            }
            if (2 * taken <= steps && taken > 0) found.emplace_back(taken, cut);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Cut> cuts;
    // Take the first `kMost` cuts, then about as many spread over the rest.
    const std::size_t stride = std::max<std::size_t>(1, found.size() / kMost);
    for (std::size_t at = 0; at < found.size(); at += at < kMost ? 1 : stride) cuts.push_back(found[at].second);
    return cuts;
}

}  // namespace warpfront::learning
