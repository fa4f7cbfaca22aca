#include "tools/report/timeline_excerpt.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;
using Ranks = std::span<const record::RankTimeline>;

/// Of the last span; the beginning of the run where there is none.
Time last_end(Ranks ranks) {
    Time end;
    for (const record::RankTimeline& rank : ranks) {
        if (!rank.spans.empty()) end = std::max(end, rank.spans.back().end);
    }
    return end;
}

/// Those that begin before `end`, none of them longer.
std::vector<record::Span> cut_at(const std::vector<record::Span>& spans, Time end) {
    std::vector<record::Span> kept;
    for (const record::Span& span : spans) {
        if (span.begin >= end) break;
        kept.push_back(span);
        kept.back().end = std::min(span.end, end);
    }
    return kept;
}

ordered_json spans_json(const record::RankTimeline& rank, Time begin) {
    ordered_json spans = ordered_json::array();
    for (const record::Span& span : rank.spans) {
        spans.push_back({(span.begin - begin).ps, (span.end - begin).ps, span.activity, span.site});
    }
    return spans;
}

ordered_json collectives_json(const record::RankTimeline& rank, Time begin) {
    ordered_json spans = ordered_json::array();
    for (const record::Span& span : rank.collectives) {
        spans.push_back({(span.begin - begin).ps, (span.end - begin).ps, span.site});
    }
    return spans;
}

ordered_json messages_json(const TimelineExcerpt& excerpt) {
    const std::vector<record::RankTimeline>& ranks = excerpt.timeline.ranks;
    const auto place = [&](Rank rank) {
        const auto found = std::lower_bound(ranks.begin(), ranks.end(), rank,
                                            [](const record::RankTimeline& a, Rank b) { return a.rank < b; });
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
    std::vector<Time> begins;
    for (const record::RankTimeline& rank : ranks) {
        for (const record::Span& span : rank.spans) begins.push_back(span.begin);
    }
    std::sort(begins.begin(), begins.end());
    TimelineExcerpt excerpt;
    excerpt.begin = begins.empty() ? Time{} : begins.front();
    excerpt.end = begins.size() <= size.spans ? last_end(ranks) : begins[size.spans];
    for (const record::RankTimeline& rank : ranks) {
        excerpt.timeline.ranks.push_back(
            {rank.rank, cut_at(rank.spans, excerpt.end), cut_at(rank.collectives, excerpt.end), {}});
    }
    const auto drawn = [&](Rank rank) {
        return std::any_of(ranks.begin(), ranks.end(), [&](const auto& each) { return each.rank == rank; });
    };
    for (const record::TimedMessage& message : whole.messages) {
        const bool within = message.left >= excerpt.begin && message.received <= excerpt.end;
        if (within && drawn(message.from) && drawn(message.to)) excerpt.timeline.messages.push_back(message);
    }
    return excerpt;
}

ordered_json excerpt_json(const ChromeTimeline& file) {
    const TimelineExcerpt excerpt = excerpt_of(file.timeline);
    ordered_json ranks = ordered_json::array();
    for (std::size_t k = 0; k < excerpt.timeline.ranks.size(); ++k) {
        const record::RankTimeline& rank = excerpt.timeline.ranks[k];
        ranks.push_back({{"name", file.ranks[k]},
                         {"number", rank.rank.index},
                         {"spans", spans_json(rank, excerpt.begin)},
                         {"collectives", collectives_json(rank, excerpt.begin)}});
    }
    return {{"schema", "warpfront.timeline-excerpt/1"},
            {"title", file.title},
            {"ranks_in_file", file.timeline.ranks.size()},
            {"begin_s", seconds(excerpt.begin)},
            {"end_s", seconds(excerpt.end)},
            {"end_of_file_s", seconds(last_end(Ranks(file.timeline.ranks).first(excerpt.timeline.ranks.size())))},
            {"activities", record::kActivityNames},
            {"statements", file.statements},
            {"ranks", ranks},
            {"messages", messages_json(excerpt)}};
}

}  // namespace warpfront::tools
