#include "tools/program/checking/checking.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/words.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/trace/read_run.hpp"
#include "tools/answer/rendering/text_table.hpp"
#include "tools/study/regression/robust.hpp"

namespace warpfront::tools {

namespace {

using trace::Call;
using trace::Event;
using trace::RecordedRank;
using trace::RecordedRun;

constexpr std::size_t kMostRows = 40;  // limit of the rows of sites, and of those of communicators

std::string named_ranks(const std::vector<std::uint32_t>& ranks) {
    constexpr std::size_t kMostNamed = 16;
    const std::vector<std::uint32_t> named(ranks.begin(),
                                           ranks.size() > kMostNamed ? ranks.begin() + kMostNamed : ranks.end());
    return fmt::format("{} {}{}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(named, ", "),
                       ranks.size() > named.size() ? fmt::format(" and {} more", ranks.size() - named.size()) : "");
}

bool is_wait(Call call) { return call == Call::wait || call == Call::wait_any; }

/// The events of one call over one communicator.
struct CallCounts {
    std::uint64_t calls = 0;
    std::uint64_t any_source = 0;
    Wide bytes = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;

    void add(const Event& event) {
        std::int64_t size = event.bytes.count;
        for (const Bytes share : event.shares) size += share.count;
        least = calls == 0 ? size : std::min(least, size);
        most = std::max(most, size);
        bytes += size;
        ++calls;
        if (event.any_source) ++any_source;
    }
};

class Contents {
public:
    void add(const RecordedRun& run, const RecordedRank& rank) {
        WideTime work = rank.work_after;
        for (const Event& event : rank.events) {
            work += event.work;
            if (event.call == Call::compute) continue;
            ++events_;
            const bool waits = is_wait(event.call);
            calls_[{event.call, std::string(trace::name_of(trace::verb_of(event))), waits ? 0 : event.communicator}]
                .add(event);
            if (run.has_sites) ++sites_[event.site];
        }
        work_.push_back(work);
        if (!rank.events.empty()) {
            const Time end = rank.events.back().end + rank.work_after;
            longest_ = std::max(longest_, end);
            const double recording = seconds(rank.event_cost) * static_cast<double>(rank.events.size());
            // Older recordings have one measurement of the cost, from a rank that may have been interrupted meanwhile.
            const double share = end.ps > 0 ? recording / seconds(end) : 0.0;
            if (share < 1.0) cost_ = std::max(cost_, share);
        }
        if (!rank.complete) incomplete_.push_back({static_cast<std::uint32_t>(work_.size() - 1), rank.lost});
    }

    std::string text(const RecordedRun& run) {
        std::string text = fmt::format("{} calls of {} ranks in `{}` ({})", results::grouped(events_), work_.size(),
                                       run.name, run.format);
        if (longest_.ps > 0) text += fmt::format(", {:.4g} s", seconds(longest_));
        if (cost_ > 0.0) text += fmt::format(", of which recording took {:.2f} %", 100 * cost_);
        text += "\n";
        if (!run.command.empty()) text += fmt::format("{:<16}{}\n", "command", fmt::join(run.command, " "));
        constexpr std::size_t kLongest = 100;
        const auto row = [&text](std::string_view name, const std::string& value) {
            if (!value.empty()) text += fmt::format("{:<16}{}\n", name, input::escaped(value, kLongest));
        };
        row("mpi", run.mpi);
        row("host", run.host);
        row("status", run.status);
        row("note", trace::computing_note(run));
        for (const auto& [name, value] : run.parameters)
            text += fmt::format("{:<16}{} = {}\n", "parameter", name, value);
        if (run.phases.size() > 1) {
            text += fmt::format("{:<16}{}\n", "phases", fmt::join(run.phases.begin() + 1, run.phases.end(), ", "));
        }
        add_ranks(text);
        add_calls(run, text);
        add_communicators(run, text);
        for (const trace::Unread& each : run.unread) {
            const std::string first = each.refused ? "; the first call is on " + trace::first_place(run, each) : "";
            text += fmt::format("{:<16}{} {}: {}{}\n", each.refused ? "refused" : "left out", each.call,
                                input::times(each.times), each.why, first);
        }
        add_sites(run, text);
        return text;
    }

private:
    void add_ranks(std::string& text) {
        if (incomplete_.empty()) {
            text += fmt::format("{:<16}the recordings of all ranks are complete\n", "ranks");
        }
        std::vector<std::uint32_t> killed;
        std::vector<std::uint32_t> full;
        std::uint64_t all_lost = 0;
        for (const auto& [rank, lost] : incomplete_) {
            (lost > 0 ? full : killed).push_back(rank);
            all_lost += lost;
        }
        if (!killed.empty()) {
            text += fmt::format("{:<16}{}: killed, without MPI_Finalize\n", "incomplete", named_ranks(killed));
        }
        if (!full.empty()) {
            text += fmt::format("{:<16}{}: full buffers, which lost {} calls\n", "incomplete", named_ranks(full),
                                results::grouped(all_lost));
        }
        const auto [least, most] = std::ranges::minmax(work_);
        std::vector<Wide> picoseconds;
        for (const WideTime time : work_) picoseconds.push_back(time.ps);
        const WideTime median{regression::median_of(std::move(picoseconds))};
        text += fmt::format("{:<16}{} least, {} median, {} most, by rank\n", "computing", results::duration(least),
                            results::duration(median), results::duration(most));
    }

    void add_calls(const RecordedRun& run, std::string& text) const {
        using Side = TextColumn::Side;
        std::vector<TextColumn> columns{{"call", {}, Side::left}, {"communicator", {}}, {"times", {}},
                                        {"bytes in all", {}},     {"least", {}},        {"most", {}},
                                        {"from any source", {}}};
        const auto put = [&columns](std::size_t column, bool holds, std::uint64_t number) {
            columns[column].cells.push_back(holds ? results::grouped(number) : std::string(kEmptyCell));
        };
        for (const auto& [key, counts] : calls_) {
            const auto& [call, name, communicator] = key;
            const bool sized = counts.most > 0 && !is_wait(call);
            columns[0].cells.push_back(call == Call::begin_collective ? "nonblocking " + name : name);
            columns[1].cells.push_back(is_wait(call)       ? std::string(kEmptyCell)
                                       : communicator == 0 ? "world"
                                                           : fmt::format("{}", communicator));
            put(2, true, counts.calls);
            put(3, sized, static_cast<std::uint64_t>(counts.bytes));
            put(4, sized, static_cast<std::uint64_t>(counts.least));
            put(5, sized, static_cast<std::uint64_t>(counts.most));
            put(6, counts.any_source > 0, counts.any_source);
        }
        TextTable table(1);
        for (TextColumn& column : columns) table.add(std::move(column));
        text += "\n" + table.render();
        if (run.communicators.size() > 1 || !run.unread.empty()) text += "\n";
    }

    static void add_communicators(const RecordedRun& run, std::string& text) {
        const std::size_t shown = std::min(run.communicators.size(), kMostRows);
        for (std::size_t number = 1; number < shown; ++number) {
            std::vector<std::uint32_t> ranks;
            for (const Rank rank : run.communicators[number]) ranks.push_back(rank.index);
            text += fmt::format("{:<16}{}\n", fmt::format("communicator {}", number), named_ranks(ranks));
        }
        if (run.communicators.size() > shown) {
            text += fmt::format("{:<16}and {} more communicators\n", "", run.communicators.size() - shown);
        }
    }

    void add_sites(const RecordedRun& run, std::string& text) const {
        if (sites_.empty()) return;
        std::map<std::string, std::uint64_t> places;  // one line may contain several calls
        for (const auto& [number, calls] : sites_) {
            const trace::RecordedSite& site = run.sites[number];
            const std::string at = site.file.empty() ? "?" : fmt::format("{}:{}", site.file, site.line);
            places[site.function.empty() ? at : at + " in " + site.function] += calls;
        }
        std::vector<std::pair<std::uint64_t, std::string>> most;
        for (const auto& [place, calls] : places) most.emplace_back(calls, place);
        std::ranges::stable_sort(most, std::greater<>(), &std::pair<std::uint64_t, std::string>::first);
        text += fmt::format("\n{:>12}  {}\n", "calls", "in the code");
        for (std::size_t row = 0; row < std::min(most.size(), kMostRows); ++row) {
            text += fmt::format("{:>12}  {}\n", results::grouped(most[row].first), most[row].second);
        }
        if (most.size() > kMostRows) text += fmt::format("{:>12}  and {} more places\n", "", most.size() - kMostRows);
    }

    std::map<std::tuple<Call, std::string, std::uint32_t>, CallCounts> calls_;
    std::map<std::uint32_t, std::uint64_t> sites_;
    std::vector<WideTime> work_;  // computing time by rank
    std::vector<std::pair<std::uint32_t, std::uint64_t>> incomplete_;
    std::uint64_t events_ = 0;
    Time longest_;
    double cost_ = 0.0;  // cost of recording, as a share of the rank's time
};

}  // namespace

std::string contents_text(const RecordedRun& run) {
    Contents contents;
    for (const RecordedRank& rank : run.ranks) contents.add(run, rank);
    return contents.text(run);
}

RecordedContents contents_of(const trace::RunFiles& files) {
    Contents contents;
    std::uint64_t lost = 0;
    const RecordedRun run =
        trace::read_recorded_run(files, {}, [&](const RecordedRun& so_far, const RecordedRank& rank) {
            contents.add(so_far, rank);
            lost += rank.lost;
        });
    return {contents.text(run), lost, static_cast<std::uint32_t>(run.communicators.front().size())};
}

}  // namespace warpfront::tools
