#include "simulator/results/timeline/timeline_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace warpfront::results {

namespace {

using Spans = std::vector<record::Span>;

/// Returns the span that begins before `time` and ends at `time` or later.
std::optional<std::size_t> ends_at_or_after(const Spans& spans, Time time) {
    const auto at = std::ranges::lower_bound(spans, time, {}, &record::Span::end);
    if (at == spans.end() || at->begin >= time) return std::nullopt;
    return static_cast<std::size_t>(at - spans.begin());
}

/// Returns the span that contains `time` or begins at `time`.
std::optional<std::size_t> holds(const Spans& spans, Time time) {
    const auto at = std::ranges::upper_bound(spans, time, {}, &record::Span::end);
    if (at == spans.end() || at->begin > time) return std::nullopt;
    return static_cast<std::size_t>(at - spans.begin());
}

}  // namespace

std::optional<TimelineFormat> timeline_format(const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".pftrace") return TimelineFormat::perfetto;
    if (ending == ".json") return TimelineFormat::chrome;
    if (ending == ".otf2") return TimelineFormat::otf2;
    if (ending == ".prv") return TimelineFormat::paraver;
    return std::nullopt;
}

std::string_view missing_package(TimelineFormat format) {
    if (!WARPFRONT_WITH_PERFETTO && format == TimelineFormat::perfetto) return "libprotobuf-dev";
    if (!WARPFRONT_WITH_OTF2 && format == TimelineFormat::otf2) return "libopen-trace-format2-dev";
    return {};
}

bool is_several_files(TimelineFormat format) {
    return format == TimelineFormat::otf2 || format == TimelineFormat::paraver;
}

std::string timeline_text(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names) {
    switch (format) {
        case TimelineFormat::perfetto:
            if constexpr (WARPFRONT_WITH_PERFETTO) return perfetto_text(timeline, names);
            break;
        case TimelineFormat::chrome: return chrome_text(timeline, names);
        case TimelineFormat::otf2:
        case TimelineFormat::paraver: break;
    }
    throw std::logic_error("a format of several files, or without its package, has no text");
}

void write_timeline_files(TimelineFormat format, const record::Timeline& timeline, const TimelineNames& names,
                          const std::filesystem::path& file) {
    if constexpr (WARPFRONT_WITH_OTF2) {
        if (format == TimelineFormat::otf2) return write_otf2(timeline, names, file);
    }
    const ParaverText text = paraver_text(timeline, names);
    for (const auto& [part, ending] :
         {std::pair(&text.records, ".prv"), std::pair(&text.names, ".pcf"), std::pair(&text.rows, ".row")}) {
        std::filesystem::path beside = file;
        std::ofstream stream(beside.replace_extension(ending), std::ios::binary);
        stream << *part << std::flush;
        if (!stream) throw std::runtime_error(std::strerror(errno));
    }
}

std::string TimelineNames::of(Rank rank) const {
    return fmt::format("rank {} ({}), node {}", rank.index, program.grid.coordinates(rank), node_of(rank).index);
}

std::string TimelineNames::statement(std::uint16_t site) const {
    const program::Site& place = program.sites[site];
    return fmt::format("{} at {}:{}", place.text, place.file, place.line);
}

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
    std::vector<record::Hold> holds;
    for (const record::RankTimeline& rank : timeline.ranks) {
        std::copy_if(rank.holds.begin(), rank.holds.end(), std::back_inserter(holds),
                     [&](const record::Hold& each) { return each.resource == resource; });
    }
    if (holds.empty()) return {{Time{}, 0.0}};
    Time begin = holds.front().begin;
    Time end = holds.front().end;
    for (const record::Hold& hold : holds) {
        begin = std::min(begin, hold.begin);
        end = std::max(end, hold.end);
    }
    const std::int64_t stretch = (end.ps - begin.ps + kLevels - 1) / kLevels;
    std::vector<std::int64_t> occupied(static_cast<std::size_t>((end.ps - begin.ps + stretch - 1) / stretch), 0);
    for (const record::Hold& hold : holds) {
        for (std::int64_t from = hold.begin.ps - begin.ps; from < hold.end.ps - begin.ps;) {
            const std::int64_t place = from / stretch;
            const std::int64_t to = std::min(hold.end.ps - begin.ps, (place + 1) * stretch);
            occupied[static_cast<std::size_t>(place)] += to - from;
            from = to;
        }
    }
    std::vector<Level> levels;
    for (std::size_t k = 0; k < occupied.size(); ++k) {
        if (k > 0 && occupied[k] == occupied[k - 1]) continue;
        levels.push_back({{begin.ps + static_cast<std::int64_t>(k) * stretch},
                          static_cast<double>(occupied[k]) / static_cast<double>(stretch)});
    }
    levels.push_back({end, 0.0});
    return levels;
}

}  // namespace warpfront::results
