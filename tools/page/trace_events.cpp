#include "tools/page/trace_events.hpp"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kEvents = "traceEvents";
constexpr int kDepthOfEvents = 2;  // elements of a list in the outermost object

/// Letters of a text for the parser, which copies what it reads from: `taken` says how many it has.
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
