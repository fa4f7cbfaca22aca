#include "simulator/results/over_ranks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace warpfront::results {

namespace {

template <typename TimeOf>
OverRanks summarise(std::string_view name, std::uint32_t ranks, const TimeOf& time_of) {
    OverRanks over;
    over.name = name;
    over.least = over.most = time_of(0);
    WideTime sum;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const WideTime time = time_of(rank);
        sum += time;
        if (time < over.least) {
            over.least = time;
            over.least_rank = {rank};
        }
        if (time > over.most) {
            over.most = time;
            over.most_rank = {rank};
        }
    }
    over.mean = WideTime{sum.ps / ranks};
    return over;
}

void append_seconds(std::string& text, WideTime time) {
    constexpr Wide kSecond = 1'000'000'000'000;
    fmt::format_to(std::back_inserter(text), ",{}.{:012}", static_cast<std::int64_t>(time.ps / kSecond),
                   static_cast<std::int64_t>(time.ps % kSecond));
}

}  // namespace

std::optional<WideTime> link_wait_of_ranks(const record::Record& record) {
    if (record.rank_breakdown.empty()) return std::nullopt;
    WideTime sum;
    for (const record::Breakdown& each : record.rank_breakdown) sum += each.link_wait;
    return sum;
}

std::string seconds_key(std::string_view part) {
    std::string name(part);
    std::replace(name.begin(), name.end(), ' ', '_');
    return name + "_s";
}

std::vector<OverRanks> over_ranks(const record::Record& record) {
    std::vector<OverRanks> all;
    if (record.rank_breakdown.empty()) return all;
    const auto ranks = static_cast<std::uint32_t>(record.rank_breakdown.size());
    all.push_back(summarise("finish", ranks, [&](std::uint32_t rank) { return record.rank_finish[rank]; }));
    for (const auto& [name, part] : record::kBreakdownParts) {
        all.push_back(
            summarise(name, ranks, [&, time = part](std::uint32_t rank) { return record.rank_breakdown[rank].*time; }));
    }
    return all;
}

namespace {

/// The phases, then what is outside of them: name and times by rank.
std::vector<std::pair<std::string_view, const std::vector<WideTime>*>> phases_of(const record::Record& record) {
    std::vector<std::pair<std::string_view, const std::vector<WideTime>*>> all;
    if (!record.phases) return all;
    for (std::size_t k = 0; k < record.phases->names.size(); ++k) {
        all.emplace_back(record.phases->names[k], &record.phases->times[k]);
    }
    const std::vector<WideTime>& outside = record.phases->outside;
    const bool some = std::any_of(outside.begin(), outside.end(), [](WideTime time) { return time.ps != 0; });
    if (some) all.emplace_back("no phase", &outside);
    return all;
}

}  // namespace

std::vector<PhaseOverRanks> phases_over_ranks(const record::Record& record) {
    std::vector<PhaseOverRanks> all;
    for (const auto& [name, times] : phases_of(record)) {
        const auto ranks = static_cast<std::uint32_t>(times->size());
        const OverRanks over =
            summarise(name, ranks, [&, by_rank = times](std::uint32_t rank) { return (*by_rank)[rank]; });
        all.push_back({over, (*times)[record.last->index], times == &record.phases->outside});
    }
    return all;
}

std::string ranks_csv(const record::Record& record, const RankGrid& grid, const std::vector<Node>& node_of) {
    const bool planes = grid.planes > 1;
    std::string text = planes ? "rank,column,row,plane,node,finish_s" : "rank,column,row,node,finish_s";
    for (const auto& [name, part] : record::kBreakdownParts) text += ',' + seconds_key(name);
    const auto phases = phases_of(record);
    for (const auto& [name, times] : phases) {
        text += times == &record.phases->outside ? ",no_phase_s" : fmt::format(",phase_{}_s", name);
    }
    text += '\n';
    for (std::uint32_t rank = 0; rank < record.rank_breakdown.size(); ++rank) {
        fmt::format_to(std::back_inserter(text), "{},{},{},", rank, grid.column({rank}), grid.row({rank}));
        if (planes) fmt::format_to(std::back_inserter(text), "{},", grid.plane({rank}));
        fmt::format_to(std::back_inserter(text), "{}", node_of[rank].index);
        append_seconds(text, record.rank_finish[rank]);
        for (const auto& [name, part] : record::kBreakdownParts) {
            append_seconds(text, record.rank_breakdown[rank].*part);
        }
        for (const auto& [name, times] : phases) append_seconds(text, (*times)[rank]);
        text += '\n';
    }
    return text;
}

}  // namespace warpfront::results
