// The trace format of Paje (Schnorr, "Paje input data format", 2014): one container for each rank, its activity as
// state, its collectives as further states, messages as links, occupied resources as variables of the machine. Lines
// are ordered by time.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::results {

namespace {

constexpr std::string_view kHeader = R"(%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 2
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeDefineLinkType 3
% Alias string
% Type string
% StartContainerType string
% EndContainerType string
% Name string
%EndEventDef
%EventDef PajeDefineEntityValue 4
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeCreateContainer 5
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 6
% Time date
% Type string
% Name string
%EndEventDef
%EventDef PajeSetState 7
% Time date
% Type string
% Container string
% Value string
% Statement string
%EndEventDef
%EventDef PajeSetVariable 8
% Time date
% Type string
% Container string
% Value double
%EndEventDef
%EventDef PajeStartLink 9
% Time date
% Type string
% Container string
% StartContainer string
% Value string
% Key string
%EndEventDef
%EventDef PajeEndLink 10
% Time date
% Type string
% Container string
% EndContainer string
% Value string
% Key string
%EndEventDef
0 M 0 machine
0 R M rank
1 A R activity
1 C R collective
3 L M R R message
4 none A "-" "1 1 1"
4 in C "collective" "0.5 0.5 0.55"
4 out C "-" "1 1 1"
)";
/// Colours by activity, as on the page.
constexpr std::array<std::string_view, record::kActivityNames.size()> kColours{
    "0.23 0.51 0.77", "0.35 0.64 0.41", "0.55 0.76 0.31", "0.85 0.51 0.17",
    "0.76 0.31 0.29", "0.66 0.27 0.5",  "0.48 0.31 0.69", "0.63 0.38 0.18"};

class PajeText {
public:
    PajeText(const record::Timeline& timeline, const TimelineNames& names) : timeline_(timeline), names_(names) {
        for (const program::Site& site : names.program.sites) {
            statements_.push_back(quoted(fmt::format("{} at {}:{}", site.text, site.file, site.line)));
        }
    }

    std::string write() {
        define();
        for (const record::RankTimeline& rank : timeline_.ranks) states(rank);
        for (std::size_t k = 0; k < timeline_.messages.size(); ++k) link(timeline_.messages[k], k);
        for (std::size_t k = 0; k < record::kResourceNames.size(); ++k) variable(k);
        std::stable_sort(lines_.begin(), lines_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [time, line] : lines_) text_ += line;
        const std::string end = date(lines_.empty() ? Time{} : lines_.back().first);
        for (const record::RankTimeline& rank : timeline_.ranks) {
            text_ += fmt::format("6 {} R r{}\n", end, rank.rank.index);
        }
        return text_ + fmt::format("6 {} M m\n", end);
    }

private:
    static std::string quoted(std::string text) {
        std::replace(text.begin(), text.end(), '"', '\'');
        return '"' + text + '"';
    }
    /// Formats exact seconds.
    static std::string date(Time time) {
        constexpr std::int64_t kSecond = 1'000'000'000'000;
        return fmt::format("{}.{:012}", time.ps / kSecond, time.ps % kSecond);
    }

    void define() {
        text_ = kHeader;
        for (std::size_t k = 0; k < record::kActivityNames.size(); ++k) {
            text_ += fmt::format("4 a{} A \"{}\" \"{}\"\n", k, record::kActivityNames[k], kColours[k]);
        }
        for (const std::string_view name : record::kResourceNames) {
            text_ += fmt::format("2 {0} M \"{0} held\" \"0.5 0.5 0.55\"\n", name);
        }
        text_ += fmt::format("5 {} m M 0 {}\n", date({}), quoted(names_.title));
        for (const record::RankTimeline& rank : timeline_.ranks) {
            text_ += fmt::format("5 {} r{} R m {}\n", date({}), rank.rank.index, quoted(names_.of(rank.rank)));
        }
    }

    void states(const record::RankTimeline& rank) {
        const std::uint32_t number = rank.rank.index;
        for (const record::Span& span : rank.spans) {
            put(span.begin, "7 {} A r{} a{} {}\n", date(span.begin), number, static_cast<unsigned>(span.activity),
                statements_[span.site]);
        }
        if (!rank.spans.empty()) {
            const Time end = rank.spans.back().end;
            put(end, "7 {} A r{} none \"\"\n", date(end), number);
        }
        for (const record::Span& span : rank.collectives) {
            put(span.begin, "7 {} C r{} in {}\n", date(span.begin), number, statements_[span.site]);
            put(span.end, "7 {} C r{} out \"\"\n", date(span.end), number);
        }
    }

    void link(const record::TimedMessage& message, std::size_t key) {
        put(message.left, "9 {} L m r{} {}B {}\n", date(message.left), message.from.index, message.bytes.count, key);
        put(message.received, "10 {} L m r{} {}B {}\n", date(message.received), message.to.index, message.bytes.count,
            key);
    }

    void variable(std::size_t resource) {
        for (const Level& level : levels_of(timeline_, static_cast<record::Resource>(resource))) {
            put(level.time, "8 {} {} m {}\n", date(level.time), record::kResourceNames[resource], level.held);
        }
    }

    template <typename... Values>
    void put(Time time, fmt::format_string<Values...> form, Values&&... values) {
        lines_.emplace_back(time, fmt::format(form, std::forward<Values>(values)...));
    }

    const record::Timeline& timeline_;
    const TimelineNames& names_;
    std::vector<std::string> statements_;  // by site, quoted
    std::vector<std::pair<Time, std::string>> lines_;
    std::string text_;
};

}  // namespace

std::string paje_text(const record::Timeline& timeline, const TimelineNames& names) {
    return PajeText(timeline, names).write();
}

}  // namespace warpfront::results
