#include "simulator/results/ranks.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/sha256.hpp"
#include "simulator/results/formatting.hpp"

namespace warpfront::results {

namespace {

using Json = nlohmann::ordered_json;

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

/// Returns name and times by rank of each phase, then those of the time outside of all phases.
std::vector<std::pair<std::string_view, const std::vector<WideTime>*>> phases_of(const record::Record& record) {
    std::vector<std::pair<std::string_view, const std::vector<WideTime>*>> all;
    if (!record.phases) return all;
    for (std::size_t k = 0; k < record.phases->names.size(); ++k) {
        all.emplace_back(record.phases->names[k], &record.phases->times[k]);
    }
    const std::vector<WideTime>& outside = record.phases->outside;
    const bool some = std::ranges::any_of(outside, [](WideTime time) { return time.ps != 0; });
    if (some) all.emplace_back("no phase", &outside);
    return all;
}

std::uint32_t divided_up(std::uint32_t count, std::uint32_t by) { return (count + by - 1) / by; }

constexpr int kDigits = 6;
constexpr int kDigitsOfFinish = 10;  // ranks finish microseconds apart after a long run

double rounded(double value, int digits) { return std::stod(fmt::format("{:.{}e}", value, digits - 1)); }

/// Returns the largest number of cells along a side with which all planes together have at most kMostCells x kMostCells
/// cells.
std::uint32_t most_along_a_side(const Extents& grid) {
    const auto cells = [&](std::uint32_t most) {
        return Extents{std::min(grid.columns, most), std::min(grid.rows, most), std::min(grid.planes, most)}.count();
    };
    std::uint32_t most = kMostCells;
    while (cells(most) > std::uint64_t{kMostCells} * kMostCells) --most;
    return most;
}

/// The division of the process grid.
struct Cells {
    Extents each;  // number of ranks in a cell
    RankGrid array;

    explicit Cells(const RankGrid& grid) {
        const std::uint32_t most = most_along_a_side(grid);
        each = {divided_up(grid.columns, most), divided_up(grid.rows, most), divided_up(grid.planes, most)};
        array = {divided_up(grid.columns, each.columns), divided_up(grid.rows, each.rows),
                 divided_up(grid.planes, each.planes)};
    }

    std::size_t of(Rank rank, const RankGrid& grid) const {
        return array
            .at((grid.column(rank) - 1) / each.columns + 1, (grid.row(rank) - 1) / each.rows + 1,
                (grid.plane(rank) - 1) / each.planes + 1)
            .index;
    }
};

Json means(const Cells& cells, const RankGrid& grid, int digits, const std::function<WideTime(std::uint32_t)>& time) {
    std::vector<double> sums(cells.array.count());
    std::vector<double> counts(sums.size());
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        const std::size_t cell = cells.of({rank}, grid);
        sums[cell] += seconds(time(rank));
        counts[cell] += 1.0;
    }
    Json list = Json::array();
    for (std::size_t cell = 0; cell < sums.size(); ++cell) list.push_back(rounded(sums[cell] / counts[cell], digits));
    return list;
}

WideTime queueing(const record::Breakdown& parts) {
    return parts.bus_wait + parts.processing_wait + parts.nic_wait + parts.link_wait;
}

static_assert(record::kBreakdownParts[3].name == "wait", "the kinds of waiting stand behind the processor's time");
constexpr std::span kKinds = std::span(record::kBreakdownParts).subspan<3>();

constexpr Wide kNotable = 20;  // reciprocal of a notable share

}  // namespace

WideTime waiting(const record::Breakdown& parts) {
    WideTime sum;
    for (const record::BreakdownPart& kind : kKinds) sum += parts.*kind.time;
    return sum;
}

namespace {

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

std::string digest(std::span<const WideTime> rank_finish) {
    input::Sha256 hash;
    std::array<char, sizeof(Wide)> bytes{};
    for (const WideTime time : rank_finish) {
        Wide rest = time.ps;
        for (char& byte : bytes) {
            byte = static_cast<char>(static_cast<unsigned char>(rest & 0xFF));
            rest >>= 8;
        }
        hash.update({bytes.data(), bytes.size()});
    }
    return hash.hex();
}

Json rank_array(const record::Record& record, const RankGrid& grid) {
    if (record.rank_breakdown.empty()) return nullptr;
    const Cells cells(grid);
    Json json = {{"columns", cells.array.columns},
                 {"rows", cells.array.rows},
                 {"columns_per_cell", cells.each.columns},
                 {"rows_per_cell", cells.each.rows}};
    if (grid.planes > 1) {
        json["planes"] = cells.array.planes;
        json["planes_per_cell"] = cells.each.planes;
    }
    const auto add = [&](const char* name, int digits, const std::function<WideTime(std::uint32_t)>& time) {
        json[name] = means(cells, grid, digits, time);
    };
    if (!record.rank_first_tile.empty()) {
        add("first_tile_s", kDigits, [&](std::uint32_t rank) { return record.rank_first_tile[rank]; });
    }
    add("compute_s", kDigits, [&](std::uint32_t rank) { return record.rank_breakdown[rank].compute; });
    add("wait_s", kDigits, [&](std::uint32_t rank) { return record.rank_breakdown[rank].wait; });
    add("queue_s", kDigits, [&](std::uint32_t rank) { return queueing(record.rank_breakdown[rank]); });
    add("finish_s", kDigitsOfFinish, [&](std::uint32_t rank) { return record.rank_finish[rank]; });
    return json;
}

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
        if (!record::is_waiting(span.activity) || span.begin == span.end) continue;
        sums[{span.site, span.activity}] += WideTime{Wide{span.end.ps} - Wide{span.begin.ps}};
    }
    std::vector<StatementWait> all;
    for (const auto& [what, waited] : sums) all.push_back({what.first, what.second, waited});
    std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.waited > b.waited; });
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

namespace {

/// Returns the wait of a receiver that ends with span `last`, all in one statement: the wait for the message, and then
/// the waits of the message for links and the NIC.
WideTime wait_up_to(const std::vector<record::Span>& spans, std::size_t last) {
    using record::Activity;
    WideTime waited;
    std::size_t at = last + 1;
    for (const Activity activity : {Activity::nic_wait, Activity::link_wait, Activity::wait}) {
        if (at == 0) break;
        const record::Span& span = spans[at - 1];
        const bool follows = at == last + 1 || span.end == spans[at].begin;
        if (span.activity != activity || span.site != spans[last].site || !follows) continue;
        waited += WideTime{Wide{span.end.ps} - Wide{span.begin.ps}};
        --at;
    }
    return waited;
}

}  // namespace

std::vector<PairWait> waits_by_pair(const record::Timeline& timeline) {
    std::vector<const record::TimedMessage*> taken;  // in the order of receivers, moments, and times of leaving
    for (const record::TimedMessage& message : timeline.messages) taken.push_back(&message);
    const auto moment_of = [](const record::TimedMessage* message) {
        return std::pair(message->to, message->received);
    };
    std::ranges::stable_sort(taken, {}, moment_of);
    std::map<std::pair<Rank, Rank>, WideTime> sums;
    auto next = taken.begin();  // spans are sorted by rank and time as well
    for (const record::RankTimeline& of : timeline.ranks) {
        for (std::size_t k = 0; k < of.spans.size(); ++k) {
            const record::Span& span = of.spans[k];
            if (span.begin == span.end || !record::is_waiting(span.activity)) continue;
            while (next != taken.end() && moment_of(*next) < std::pair(of.rank, span.end)) ++next;
            const record::TimedMessage* last = nullptr;
            for (auto at = next; at != taken.end() && moment_of(*at) == std::pair(of.rank, span.end); ++at) last = *at;
            if (last != nullptr) sums[{of.rank, last->from}] += wait_up_to(of.spans, k);
        }
    }
    std::vector<PairWait> all;
    for (const auto& [pair, waited] : sums) {
        if (waited > WideTime{}) all.push_back({pair.first, pair.second, waited});
    }
    std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.waited > b.waited; });
    if (all.size() > kMostWaitingNamed) all.resize(kMostWaitingNamed);
    return all;
}

std::string pairs_table(const std::vector<PairWait>& waits, const RankGrid& grid) {
    std::string text;
    for (const PairWait& each : waits) {
        text += fmt::format("  {:<64}{:>10}\n",
                            fmt::format("{} for {}", rank_text(each.receiver, grid), rank_text(each.sender, grid)),
                            duration(each.waited));
    }
    return text;
}

Json pairs_json(const std::vector<PairWait>& waits) {
    Json list = Json::array();
    for (const PairWait& each : waits) {
        list.push_back(
            {{"receiver", each.receiver.index}, {"sender", each.sender.index}, {"time_s", seconds(each.waited)}});
    }
    return list;
}

}  // namespace warpfront::results
