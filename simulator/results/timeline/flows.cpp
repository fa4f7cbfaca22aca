#include "simulator/results/timeline/flows.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace warpfront::results {

namespace {

using Spans = std::vector<record::Span>;

/// The span that has begun before `time` and ends at it or later.
std::optional<std::size_t> ends_at_or_after(const Spans& spans, Time time) {
    const auto at = std::lower_bound(spans.begin(), spans.end(), time,
                                     [](const record::Span& each, Time wanted) { return each.end < wanted; });
    if (at == spans.end() || at->begin >= time) return std::nullopt;
    return static_cast<std::size_t>(at - spans.begin());
}

/// The span that begins at `time`, or before it and goes on.
std::optional<std::size_t> holds(const Spans& spans, Time time) {
    const auto at = std::upper_bound(spans.begin(), spans.end(), time,
                                     [](Time wanted, const record::Span& each) { return wanted < each.end; });
    if (at == spans.end() || at->begin > time) return std::nullopt;
    return static_cast<std::size_t>(at - spans.begin());
}

}  // namespace

Flows flows_of(const record::Timeline& timeline) {
    const std::size_t ranks = timeline.ranks.size();
    Flows flows{std::vector<std::vector<FlowEnd>>(ranks), std::vector<std::vector<FlowEnd>>(ranks)};
    if (ranks == 0) return flows;
    const std::uint32_t first = timeline.ranks.front().rank.index;
    for (std::size_t number = 0; number < timeline.messages.size(); ++number) {
        const record::TimedMessage& message = timeline.messages[number];
        const std::size_t from = message.from.index - first;
        const std::size_t to = message.to.index - first;
        const auto leaves = ends_at_or_after(timeline.ranks[from].spans, message.left);
        const auto received = holds(timeline.ranks[to].spans, message.received);
        if (!leaves || !received) continue;
        flows.leave[from].push_back({*leaves, number});
        flows.received[to].push_back({*received, number});
    }
    const auto by_span = [](const FlowEnd& a, const FlowEnd& b) { return a.span < b.span; };
    for (std::size_t k = 0; k < ranks; ++k) {
        std::stable_sort(flows.leave[k].begin(), flows.leave[k].end(), by_span);
        std::stable_sort(flows.received[k].begin(), flows.received[k].end(), by_span);
    }
    return flows;
}

std::vector<Level> levels_of(const record::Timeline& timeline, record::Resource resource) {
    std::map<Time, std::int64_t> changes{{Time{}, 0}};
    for (const record::RankTimeline& rank : timeline.ranks) {
        for (const record::Hold& hold : rank.holds) {
            if (hold.resource != resource) continue;
            ++changes[hold.begin];
            --changes[hold.end];
        }
    }
    std::vector<Level> levels;
    std::int64_t held = 0;
    for (const auto& [time, change] : changes) {
        held += change;
        if (levels.empty() || change != 0) levels.push_back({time, held});
    }
    return levels;
}

}  // namespace warpfront::results
