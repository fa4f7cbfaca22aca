#include "tools/checking/recorded_contents.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "tools/rendering/text_table.hpp"

namespace warpfront::tools {

namespace {

using trace::Call;
using trace::Event;
using trace::RecordedRank;
using trace::RecordedRun;

struct CallCount {
    std::uint64_t calls = 0;
    Wide bytes = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
};

std::string call_name(const Event& event) {
    switch (event.call) {
        case Call::send: return "send";
        case Call::ssend: return "ssend";
        case Call::isend: return "isend";
        case Call::issend: return "issend";
        case Call::recv: return event.any_source ? "recv from any source" : "recv";
        case Call::irecv: return event.any_source ? "irecv from any source" : "irecv";
        case Call::sendrecv: return "sendrecv";
        case Call::wait: return "wait";
        case Call::wait_any: return "wait for some of several";
        case Call::collective:
        case Call::begin_collective: break;
    }
    const std::string over = event.communicator == 0 ? "" : " over fewer than all ranks";
    return fmt::format("{}{}{}", event.call == Call::collective ? "" : "begun ", collectives::name_of(event.kind),
                       over);
}

std::string table_of_calls(const RecordedRun& run) {
    std::map<std::string, CallCount> counts;
    for (const RecordedRank& rank : run.ranks) {
        for (const Event& event : rank.events) {
            CallCount& count = counts[call_name(event)];
            ++count.calls;
            count.bytes += event.bytes.count;
            count.least = std::min(count.least, event.bytes.count);
            count.most = std::max(count.most, event.bytes.count);
        }
    }
    using Side = TextColumn::Side;
    std::vector<TextColumn> columns{
        {"call", {}, Side::left}, {"times", {}}, {"bytes in all", {}}, {"least", {}}, {"most", {}}};
    for (const auto& [name, count] : counts) {
        const bool sized = count.most > 0;
        columns[0].cells.push_back(name);
        columns[1].cells.push_back(results::grouped(count.calls));
        columns[2].cells.push_back(sized ? results::grouped(static_cast<std::uint64_t>(count.bytes))
                                         : std::string(kEmptyCell));
        columns[3].cells.push_back(sized ? fmt::format("{}", count.least) : std::string(kEmptyCell));
        columns[4].cells.push_back(sized ? fmt::format("{}", count.most) : std::string(kEmptyCell));
    }
    TextTable table(1);
    for (TextColumn& column : columns) table.add(std::move(column));
    return table.render();
}

/// The computing of ranks: least, middle, most.
std::string computing(const RecordedRun& run) {
    std::vector<Time> all;
    for (const RecordedRank& rank : run.ranks) {
        Time work = rank.work_after;
        for (const Event& event : rank.events) work += event.work;
        all.push_back(work);
    }
    std::sort(all.begin(), all.end());
    return fmt::format("computing of a rank: {:.4g}, {:.4g}, {:.4g} s (least, middle, most)\n", seconds(all.front()),
                       seconds(all[all.size() / 2]), seconds(all.back()));
}

std::string head(const RecordedRun& run) {
    std::uint64_t events = 0;
    Time longest;
    double cost = 0;  // share of the rank's time
    for (const RecordedRank& rank : run.ranks) {
        events += rank.events.size();
        if (rank.events.empty()) continue;
        const Time end = rank.events.back().end + rank.work_after;
        longest = std::max(longest, end);
        if (end.ps > 0) {
            cost = std::max(cost, seconds(rank.event_cost) * static_cast<double>(rank.events.size()) / seconds(end));
        }
    }
    return fmt::format("{} calls of {} ranks in `{}`, {:.4g} s, of which recording took {:.2g} %\n",
                       results::grouped(events), run.ranks.size(), run.name, seconds(longest), 100 * cost);
}

std::string incomplete(const RecordedRun& run) {
    std::string ranks;
    std::uint64_t lost = 0;
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        lost += run.ranks[rank].lost;
        if (!run.ranks[rank].complete) ranks += fmt::format("{}{}", ranks.empty() ? "" : ", ", rank);
    }
    if (ranks.empty()) return ranks;
    return fmt::format("not recorded to their ends: ranks {}{}; such a run is neither replayed nor learnt from\n",
                       ranks,
                       lost > 0 ? fmt::format(", whose full buffers lost {} calls", results::grouped(lost)) : "");
}

}  // namespace

std::string contents_text(const RecordedRun& run) {
    std::string text = head(run) + table_of_calls(run) + computing(run);
    for (const trace::Unread& each : run.unread) {
        text += fmt::format("{}: {} {}: {}\n", each.refused ? "refused" : "left out", each.call,
                            each.times == 1 ? "once" : fmt::format("{} times", results::grouped(each.times)), each.why);
    }
    return text + incomplete(run);
}

}  // namespace warpfront::tools
