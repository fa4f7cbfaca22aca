#include "simulator/results/waiting.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/over_ranks.hpp"
#include "simulator/results/statement.hpp"

namespace warpfront::results {

namespace {

using Json = nlohmann::ordered_json;

static_assert(record::kBreakdownParts[3].name == "wait", "the kinds of waiting stand behind the processor's time");
constexpr std::span kKinds = std::span(record::kBreakdownParts).subspan<3>();

constexpr Wide kNotable = 20;  // a share of so much

WideTime waiting(const record::Breakdown& parts) {
    WideTime sum;
    for (const record::BreakdownPart& kind : kKinds) sum += parts.*kind.time;
    return sum;
}

std::string by_kind(const record::Breakdown& parts) {
    std::string text;
    for (const auto& [name, time] : kKinds) {
        if ((parts.*time).ps == 0) continue;
        text += fmt::format("{} {} {}", text.empty() ? ":" : ",", name, duration(parts.*time));
    }
    return text;
}

std::string_view name_of(record::Activity activity) {
    return record::kActivityNames[static_cast<std::size_t>(activity)];
}

}  // namespace

std::vector<Rank> most_waiting(const record::Record& record) {
    std::vector<Rank> ranks;
    for (std::uint32_t rank = 0; rank < record.rank_breakdown.size(); ++rank) ranks.push_back({rank});
    const std::size_t named = std::min(ranks.size(), kMostWaitingNamed);
    const auto longer = [&](Rank a, Rank b) {
        const WideTime of_a = waiting(record.rank_breakdown[a.index]);
        const WideTime of_b = waiting(record.rank_breakdown[b.index]);
        return of_a != of_b ? of_a > of_b : a < b;
    };
    std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(named), ranks.end(), longer);
    ranks.resize(named);
    return ranks;
}

bool waits_unevenly(const record::Record& record) {
    const std::vector<Rank> most = most_waiting(record);
    if (most.empty()) return false;
    WideTime all;
    for (const record::Breakdown& parts : record.rank_breakdown) all += waiting(parts);
    const Wide mean = all.ps / static_cast<Wide>(record.rank_breakdown.size());
    return (waiting(record.rank_breakdown[most.front().index]).ps - mean) * kNotable > record.finish.ps;
}

std::string waiting_table(const record::Record& record, const RankGrid& grid) {
    const std::vector<Rank> ranks = most_waiting(record);
    if (ranks.empty()) return "";
    std::string text = "the ranks that wait most\n";
    for (const Rank rank : ranks) {
        const record::Breakdown& parts = record.rank_breakdown[rank.index];
        text += fmt::format("  {:<34}{:>10}{}\n", rank_text(rank, grid), duration(waiting(parts)), by_kind(parts));
    }
    return text;
}

Json waiting_json(const record::Record& record, const RankGrid& grid) {
    Json list = Json::array();
    for (const Rank rank : most_waiting(record)) {
        const record::Breakdown& parts = record.rank_breakdown[rank.index];
        Json json = {{"rank", rank.index}, {"column", grid.column(rank)}, {"row", grid.row(rank)}};
        json["all_s"] = seconds(waiting(parts));
        for (const auto& [name, time] : kKinds) json[seconds_key(name)] = seconds(parts.*time);
        list.push_back(std::move(json));
    }
    return list;
}

std::vector<StatementWait> waits_by_statement(const record::RankTimeline& timeline) {
    using record::Activity;
    std::map<std::pair<std::uint16_t, Activity>, WideTime> sums;
    for (const record::Span& span : timeline.spans) {
        if (span.activity < Activity::wait || span.begin == span.end) continue;
        sums[{span.site, span.activity}] += WideTime{Wide{span.end.ps} - Wide{span.begin.ps}};
    }
    std::vector<StatementWait> all;
    for (const auto& [what, waited] : sums) all.push_back({what.first, what.second, waited});
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.waited > b.waited; });
    if (all.size() > kMostWaitingNamed) all.resize(kMostWaitingNamed);
    return all;
}

std::string statements_table(const std::vector<StatementWait>& waits, const program::Program& program) {
    std::string text;
    for (const auto& [site, activity, waited] : waits) {
        text += fmt::format("  {:>10} {}{}\n", duration(waited), name_of(activity), in_statement(site, program));
    }
    return text;
}

Json statements_json(const std::vector<StatementWait>& waits, const program::Program& program) {
    Json list = Json::array();
    for (const auto& [site, activity, waited] : waits) {
        Json json = {{"kind", name_of(activity)}, {"time_s", seconds(waited)}};
        if (site < program.sites.size()) {
            const program::Site& statement = program.sites[site];
            json["statement"] = statement.text;
            json["file"] = statement.file;
            json["line"] = statement.line;
        }
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace warpfront::results
