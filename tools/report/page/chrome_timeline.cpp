#include "tools/report/page/chrome_timeline.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

/// The reason why an event cannot belong to a timeline.
struct BadEvent {
    std::string why;
};

/// Returns the value of a member, null if there is none.
const ordered_json& member_of(const ordered_json& object, const char* name) {
    static const ordered_json kNothing;
    if (!object.is_object()) return kNothing;
    const auto found = object.find(name);
    return found != object.end() ? *found : kNothing;
}

std::string text_in(const ordered_json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

template <typename Number>
Number number_in(const ordered_json& event, const char* name) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
    const ordered_json& value = member_of(event, name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost) {
        throw BadEvent{fmt::format("`{}` of this event is no number from 0 to {}", name, kMost)};
    }
    return static_cast<Number>(value.get<std::uint64_t>());
}

/// Reads microseconds; picoseconds are exact while a double can represent them, up to half an hour.
Time time_in(const ordered_json& event, const char* name) {
    const ordered_json& value = member_of(event, name);
    const auto time = value.is_number() ? from_seconds(value.get<double>() * 1e-6) : std::nullopt;
    if (!time) throw BadEvent{fmt::format("`{}` of this event is no time in microseconds", name)};
    return *time;
}

record::Activity activity_named(std::string_view name) {
    const auto found = std::find(record::kActivityNames.begin(), record::kActivityNames.end(), name);
    if (found == record::kActivityNames.end()) throw BadEvent{fmt::format("`{}` is no activity of a rank", name)};
    return static_cast<record::Activity>(found - record::kActivityNames.begin());
}

}  // namespace

void ChromeReader::read(const ordered_json& event, std::size_t offset) {
    if (fault_) return;
    try {
        read_one(event);
    } catch (const BadEvent& bad) {
        fault_.emplace(offset, bad.why);
    }
}

void ChromeReader::read_one(const ordered_json& event) {
    const std::string phase = text_in(member_of(event, "ph"));
    if (phase == "X") slice(event);
    if (phase == "s") {
        Flow& begun = flow(event);
        begun.from = {number_in<std::uint32_t>(event, "tid")};
        begun.bytes = {number_in<std::int64_t>(member_of(event, "args"), "bytes")};
        begun.left = time_in(event, "ts");
    }
    if (phase == "f") {
        Flow& ended = flow(event);
        ended.to = {number_in<std::uint32_t>(event, "tid")};
        ended.received = time_in(event, "ts");
    }
    if (phase == "M" && member_of(event, "name") == "thread_name") {
        rank(event).name = text_in(member_of(member_of(event, "args"), "name"));
    }
}

void ChromeReader::slice(const ordered_json& event) {
    record::Span span;
    span.begin = time_in(event, "ts");
    span.end = span.begin + time_in(event, "dur");
    const std::string name = text_in(member_of(event, "name"));
    const bool collective = name == results::kCollectiveName;
    if (!collective) span.activity = activity_named(name);
    span.site = site(text_in(member_of(member_of(event, "args"), "in")));
    record::RankTimeline& timeline = rank(event).timeline;
    std::vector<record::Span>& spans = collective ? timeline.collectives : timeline.spans;
    if (!spans.empty() && span.begin < spans.back().end) {
        throw BadEvent{"this slice begins before its rank's last one has ended"};
    }
    if (span.begin < span.end) spans.push_back(span);
}

ChromeReader::Flow& ChromeReader::flow(const ordered_json& event) {
    return flows_[number_in<std::uint64_t>(event, "id")];
}

ChromeReader::OfRank& ChromeReader::rank(const ordered_json& event) {
    return ranks_[number_in<std::uint32_t>(event, "tid")];
}

std::uint16_t ChromeReader::site(const std::string& statement) {
    const auto known = sites_.find(statement);
    if (known != sites_.end()) return known->second;
    if (statements_.size() > std::numeric_limits<std::uint16_t>::max()) {
        throw BadEvent{"the file has more statements than a model may have"};
    }
    statements_.push_back(statement);
    return sites_[statement] = static_cast<std::uint16_t>(statements_.size() - 1);
}

ChromeTimeline ChromeReader::take(const ordered_json& rest) {
    if (fault_) refuse_result(file_, fault_->first, fmt::format("is no timeline: {}", fault_->second));
    ChromeTimeline all;
    all.title = text_in(member_of(member_of(rest, "otherData"), "title"));
    all.statements = std::move(statements_);
    for (auto& [number, rank] : ranks_) {
        rank.timeline.rank = {number};
        all.timeline.ranks.push_back(std::move(rank.timeline));
        all.ranks.push_back(rank.name.empty() ? fmt::format("rank {}", number) : std::move(rank.name));
    }
    for (const auto& [id, flow] : flows_) {
        if (!flow.from || !flow.to) continue;
        all.timeline.messages.push_back({*flow.from, *flow.to, flow.bytes, flow.left, flow.received});
    }
    return all;
}

namespace {

constexpr std::string_view kEvents = "traceEvents";
constexpr int kDepthOfEvents = 2;  // elements of a list in the outermost object

/// An iterator over the letters of a text for the parser, which copies its iterators: `taken` counts the letters read.
class CountedLetters {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountedLetters(const char* at, std::size_t& taken) : at_(at), taken_(&taken) {}
    reference operator*() const { return *at_; }
    CountedLetters& operator++() {
        ++at_;
        ++*taken_;
        return *this;
    }
    friend bool operator==(const CountedLetters& a, const CountedLetters& b) { return a.at_ == b.at_; }
    friend bool operator!=(const CountedLetters& a, const CountedLetters& b) { return a.at_ != b.at_; }

private:
    const char* at_;
    std::size_t* taken_;
};

}  // namespace

ordered_json parse_events(const input::SourceFilePtr& file, const TraceEventSink& sink) {
    using Step = ordered_json::parse_event_t;
    std::size_t taken = 0;
    std::size_t begin = 0;
    bool in_events = false;
    const auto keep = [&](int depth, Step step, ordered_json& parsed) {
        if (depth == 1 && step == Step::key) in_events = parsed == kEvents;
        if (!in_events || depth != kDepthOfEvents) return true;
        if (step == Step::object_start) begin = taken - 1;
        if (step != Step::object_end) return true;
        sink(parsed, begin);
        return false;
    };
    const std::string_view text = file->text();
    try {
        return ordered_json::parse(CountedLetters(text.data(), taken), CountedLetters(text.data() + text.size(), taken),
                                   keep);
    } catch (const ordered_json::parse_error& error) {
        refuse_result(file, error.byte > 0 ? error.byte - 1 : 0, "is no result: it is not JSON from here");
    }
}

void refuse_result(const input::SourceFilePtr& file, std::size_t offset, std::string_view observation) {
    throw input::BadInput(input::DiagnosticKind::not_a_result, {file, offset, 1},
                          fmt::format("`{}` {}", file->name(), observation),
                          "expected what `--json` of `run`, `compare` or `study` has written, or a timeline of `run "
                          "--timeline FILE.json`");
}

}  // namespace warpfront::tools
