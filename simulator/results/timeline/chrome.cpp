// The Trace Event Format of Chrome ("Trace Event Format", N. Duca and D. Sinclair 2016): complete events X, flows s and
// f, counters C, metadata M. All ranks are threads of one process; the thread number is the rank. The format does not
// define the content of `otherData`: here it contains the schema, by which tools/report/page recognises the file, and
// the excerpt that the page draws.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/results/timeline/excerpt.hpp"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::results {

namespace {

std::string dumped(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}
std::string quoted(const std::string& text) { return dumped(text); }

/// Formats exact microseconds.
std::string microseconds(Time time) { return fmt::format("{}.{:06}", time.ps / 1'000'000, time.ps % 1'000'000); }

class ChromeText {
public:
    ChromeText(const record::Timeline& timeline, const TimelineNames& names) : timeline_(timeline), names_(names) {
        for (std::size_t site = 0; site < names.program.sites.size(); ++site) {
            statements_.push_back(quoted(names.statement(static_cast<std::uint16_t>(site))));
        }
    }

    std::string write() {
        put(R"({{"displayTimeUnit":"ns","otherData":{{"schema":"{}","title":{},"excerpt":{}}},"traceEvents":[)",
            kTimelineSchema, quoted(names_.title), dumped(excerpt_json(timeline_, names_)));
        put(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}}})", quoted(names_.title));
        for (const record::RankTimeline& rank : timeline_.ranks) tracks(rank);
        for (const record::TimedMessage& message : timeline_.messages) arrow(message);
        for (std::size_t k = 0; k < record::kResourceNames.size(); ++k) counter(static_cast<record::Resource>(k));
        put("\n]}}\n");
        return fmt::to_string(text_);
    }

private:
    void tracks(const record::RankTimeline& rank) {
        const std::uint32_t number = rank.rank.index;
        put(",\n"
            R"({{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
            number, quoted(names_.of(rank.rank)));
        put(",\n"
            R"({{"ph":"M","pid":1,"tid":{0},"name":"thread_sort_index","args":{{"sort_index":{0}}}}})",
            number);
        for (const record::Span& span : rank.collectives) slice(number, span, "collective");
        for (const record::Span& span : rank.spans) {
            slice(number, span, record::kActivityNames[static_cast<std::size_t>(span.activity)]);
        }
    }

    void slice(std::uint32_t rank, const record::Span& span, std::string_view name) {
        put(",\n"
            R"({{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":"{}","args":{{"in":{}}}}})",
            rank, microseconds(span.begin), microseconds(span.end - span.begin), name, statements_[span.site]);
    }

    /// Draws an arrow bound to the slices that enclose its ends: just before it leaves, and just after its receiver
    /// begins to take it.
    void arrow(const record::TimedMessage& message) {
        ++arrows_;
        constexpr std::string_view kHead = R"("pid":1,"cat":"message","name":"message","id":)";
        put(",\n"
            R"({{"ph":"s",{}{},"tid":{},"ts":{},"args":{{"bytes":{}}}}})",
            kHead, arrows_, message.from.index, microseconds({std::max<std::int64_t>(0, message.left.ps - 1)}),
            message.bytes.count);
        put(",\n"
            R"({{"ph":"f","bp":"e",{}{},"tid":{},"ts":{}}})",
            kHead, arrows_, message.to.index, microseconds(message.received));
    }

    void counter(record::Resource resource) {
        for (const Level& level : levels_of(timeline_, resource)) {
            put(",\n"
                R"({{"ph":"C","pid":1,"name":"{} occupancy","ts":{},"args":{{"occupied":{}}}}})",
                record::kResourceNames[static_cast<std::size_t>(resource)], microseconds(level.time), level.occupied);
        }
    }

    template <typename... Values>
    void put(fmt::format_string<Values...> form, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
    }

    const record::Timeline& timeline_;
    const TimelineNames& names_;
    std::vector<std::string> statements_;  // quoted statement of each site
    std::size_t arrows_ = 0;
    fmt::memory_buffer text_;
};

}  // namespace

std::string chrome_text(const record::Timeline& timeline, const TimelineNames& names) {
    return ChromeText(timeline, names).write();
}

}  // namespace warpfront::results
