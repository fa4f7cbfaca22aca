#include "simulator/results/over_ranks.hpp"

#include <algorithm>
#include <iterator>

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

std::string ranks_csv(const record::Record& record, const RankGrid& grid, const std::vector<Node>& node_of) {
    std::string text = "rank,column,row,node,finish_s";
    for (const auto& [name, part] : record::kBreakdownParts) text += ',' + seconds_key(name);
    text += '\n';
    for (std::uint32_t rank = 0; rank < record.rank_breakdown.size(); ++rank) {
        fmt::format_to(std::back_inserter(text), "{},{},{},{}", rank, grid.column({rank}), grid.row({rank}),
                       node_of[rank].index);
        append_seconds(text, record.rank_finish[rank]);
        for (const auto& [name, part] : record::kBreakdownParts) {
            append_seconds(text, record.rank_breakdown[rank].*part);
        }
        text += '\n';
    }
    return text;
}

}  // namespace warpfront::results
