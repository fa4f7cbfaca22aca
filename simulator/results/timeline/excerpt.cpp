#include "simulator/results/timeline/excerpt.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace warpfront::results {

namespace {

using nlohmann::ordered_json;
using Ranks = std::span<const record::RankTimeline>;

struct Window {
    Time begin;
    Time end;
};

/// Returns the window from the first span to the end of the last; empty if there are no spans.
Window window_of(Ranks ranks) {
    std::optional<Window> window;
    for (const record::RankTimeline& rank : ranks) {
        if (rank.spans.empty()) continue;
        const Window own{rank.spans.front().begin, rank.spans.back().end};
        window = window ? Window{std::min(window->begin, own.begin), std::max(window->end, own.end)} : own;
    }
    return window.value_or(Window{});
}

bool is_work(const record::Span& span) { return !record::is_waiting(span.activity); }

/// Returns the time at which the first rank does more than wait; nothing if none does.
std::optional<Time> work_begins(Ranks ranks) {
    std::optional<Time> first;
    for (const record::RankTimeline& rank : ranks) {
        const auto work = std::ranges::find_if(rank.spans, is_work);
        if (work != rank.spans.end()) first = std::min(work->begin, first.value_or(kHorizon));
    }
    return first;
}

Window drawn_window(Ranks ranks, std::size_t most_spans) {
    Window window = window_of(ranks);
    std::vector<Time> begins;
    for (const record::RankTimeline& rank : ranks) {
        for (const record::Span& span : rank.spans) begins.push_back(span.begin);
    }
    std::ranges::sort(begins);
    if (begins.size() > most_spans) window.end = begins[most_spans];
    const Time work = work_begins(ranks).value_or(window.begin);
    const Time rest = window.end - work;
    if (work - window.begin > rest && rest > Time{}) window.begin = work - Time{rest.ps / kLead};
    return window;
}

std::vector<record::Span> cut_to(const Window& window, const std::vector<record::Span>& spans) {
    std::vector<record::Span> kept;
    for (record::Span span : spans) {
        span.begin = std::max(span.begin, window.begin);
        span.end = std::min(span.end, window.end);
        if (span.begin < span.end) kept.push_back(span);
    }
    return kept;
}

/// The statements of the spans so far, numbered in the order of their first use.
class ExcerptStatements {
public:
    explicit ExcerptStatements(const TimelineNames& names) : names_(names) {}

    std::size_t number(std::uint16_t site) {
        const auto [known, is_new] = numbers_.try_emplace(site, texts.size());
        if (is_new) texts.push_back(names_.statement(site));
        return known->second;
    }
    ordered_json texts = ordered_json::array();

private:
    const TimelineNames& names_;
    std::map<std::uint16_t, std::size_t> numbers_;
};

ordered_json messages_json(const TimelineExcerpt& excerpt) {
    const std::vector<record::RankTimeline>& ranks = excerpt.timeline.ranks;
    const auto place = [&](Rank rank) {
        const auto found = std::ranges::lower_bound(ranks, rank, {}, &record::RankTimeline::rank);
        return found - ranks.begin();
    };
    ordered_json messages = ordered_json::array();
    for (const record::TimedMessage& message : excerpt.timeline.messages) {
        messages.push_back({place(message.from), place(message.to), (message.left - excerpt.begin).ps,
                            (message.received - excerpt.begin).ps, message.bytes.count});
    }
    return messages;
}

}  // namespace

TimelineExcerpt excerpt_of(const record::Timeline& whole, ExcerptSize size) {
    const Ranks ranks = Ranks(whole.ranks).first(std::min(size.ranks, whole.ranks.size()));
    const Window window = drawn_window(ranks, size.spans);
    TimelineExcerpt excerpt{{}, window.begin, window.end};
    for (const record::RankTimeline& rank : ranks) {
        excerpt.timeline.ranks.push_back({rank.rank, cut_to(window, rank.spans), cut_to(window, rank.collectives), {}});
    }
    const auto drawn = [&](Rank rank) {
        return std::ranges::any_of(ranks, [&](const auto& each) { return each.rank == rank; });
    };
    for (const record::TimedMessage& message : whole.messages) {
        const bool within = message.left >= excerpt.begin && message.received <= excerpt.end;
        if (within && drawn(message.from) && drawn(message.to)) excerpt.timeline.messages.push_back(message);
    }
    return excerpt;
}

ordered_json excerpt_json(const record::Timeline& timeline, const TimelineNames& names) {
    const TimelineExcerpt excerpt = excerpt_of(timeline);
    const Window whole = window_of(Ranks(timeline.ranks).first(excerpt.timeline.ranks.size()));
    ExcerptStatements statements(names);
    ordered_json ranks = ordered_json::array();
    for (const record::RankTimeline& rank : excerpt.timeline.ranks) {
        ordered_json spans = ordered_json::array();
        for (const record::Span& each : rank.spans) {
            spans.push_back({(each.begin - excerpt.begin).ps, (each.end - excerpt.begin).ps, each.activity,
                             statements.number(each.site)});
        }
        ordered_json collectives = ordered_json::array();
        for (const record::Span& each : rank.collectives) {
            collectives.push_back(
                {(each.begin - excerpt.begin).ps, (each.end - excerpt.begin).ps, statements.number(each.site)});
        }
        ranks.push_back({{"name", names.of(rank.rank)},
                         {"number", rank.rank.index},
                         {"spans", spans},
                         {"collectives", collectives}});
    }
    return {{"schema", "warpfront.timeline-excerpt/1"},
            {"title", names.title},
            {"ranks_in_file", timeline.ranks.size()},
            {"begin_s", seconds(excerpt.begin)},
            {"end_s", seconds(excerpt.end)},
            {"begin_of_file_s", seconds(whole.begin)},
            {"end_of_file_s", seconds(whole.end)},
            {"activities", record::kActivityNames},
            {"statements", statements.texts},
            {"ranks", ranks},
            {"messages", messages_json(excerpt)}};
}

}  // namespace warpfront::results
