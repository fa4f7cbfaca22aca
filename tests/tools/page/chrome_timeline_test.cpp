// Timelines read back from Chrome's format: their contents, and the files that are refused.
#include "tools/report/page/chrome_timeline.hpp"

#include <memory>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "simulator/results/timeline/timeline_file.hpp"
#include "tests/faults.hpp"
#include "tests/tools/experiments.hpp"
#include "tools/report/page/named_result.hpp"

using namespace warpfront;
using namespace warpfront::tools;
using namespace warpfront::test;
using record::Activity;

namespace {

input::SourceFilePtr timeline_source(std::string text) {
    return std::make_shared<const input::SourceFile>("t.json", std::move(text));
}

ChromeTimeline read_back(const std::string& text) {
    const input::SourceFilePtr file = timeline_source(text);
    ChromeReader reader(file);
    const auto rest =
        parse_events(file, [&](const nlohmann::ordered_json& event, std::size_t at) { reader.read(event, at); });
    return reader.take(rest);
}

/// Returns the refusal of a timeline with these events, each on a line of its own from the second on.
std::string refusal_of(const std::string& events) {
    const auto file = timeline_source("{\"otherData\": {\"schema\": \"warpfront.timeline/1\"}, \"traceEvents\": [\n" +
                                      events + "\n]}\n");
    const auto faults = test::faults_of([&] { read_result(file); });
    CHECK(test::kinds_of(faults) == test::Kinds{input::DiagnosticKind::not_a_result});
    const std::string text = faults.render();
    return text.substr(0, text.find('\n'));
}

}  // namespace

TEST_CASE("spans, collectives and messages are read back as they were written") {
    record::Timeline timeline;
    timeline.ranks = {
        {{4}, {{{0}, {10'000'001}, Activity::compute, 0}, {{10'000'001}, {14'000'000}, Activity::send, 1}}, {}, {}},
        {{5},
         {{{0}, {15'500'000}, Activity::bus_wait, 1}, {{15'500'000}, {19'500'000}, Activity::recv, 1}},
         {{{15'500'000}, {19'500'000}, Activity::compute, 1}},
         {}}};
    timeline.messages = {{{4}, {5}, Bytes{500}, {14'000'000}, {15'500'000}}};
    program::Program program;
    program.grid = {4, 2};
    program.sites = {{"m.psl", 3, 5, "compute work"}, {"m.psl", 4, 5, "send \"8B\" to east"}};
    const ChromeTimeline read =
        read_back(results::timeline_text(results::TimelineFormat::chrome, timeline,
                                         {"m on x", program, [](Rank rank) { return Node{rank.index / 2}; }}));
    CHECK(read.title == "m on x");
    CHECK(read.ranks ==
          std::vector<std::string>{"rank 4 (column 1, row 2), node 2", "rank 5 (column 2, row 2), node 2"});
    CHECK(read.statements == std::vector<std::string>{"compute work at m.psl:3", "send \"8B\" to east at m.psl:4"});
    CHECK(read.timeline.ranks == timeline.ranks);
    timeline.messages.front().left.ps -= 1;
    CHECK(read.timeline.messages == timeline.messages);
}

TEST_CASE("events of other kinds, names and flows without an end are passed over, and order does not matter") {
    const ChromeTimeline read = read_back(R"({"traceEvents": [
        {"ph": "B", "name": "of another program"}, 7, [1],
        {"ph": "f", "id": 3, "tid": 1, "ts": 2}, {"ph": "s", "id": 4, "tid": 1, "ts": 2, "args": {"bytes": 1}},
        {"ph": "X", "tid": 1, "ts": 1, "dur": 2, "name": "wait"},
        {"ph": "X", "tid": 1, "ts": 3, "dur": 0, "name": "recv"},
        {"ph": "X", "tid": 0, "ts": 1.5, "dur": 2, "name": "link wait"}], "otherData": {}})");
    REQUIRE(read.timeline.ranks.size() == 2);
    CHECK(read.timeline.ranks[0].spans ==
          std::vector<record::Span>{{{1'500'000}, {3'500'000}, Activity::link_wait, 0}});
    CHECK(read.timeline.ranks[1].spans == std::vector<record::Span>{{{1'000'000}, {3'000'000}, Activity::wait, 0}});
    CHECK(read.timeline.messages.empty());
    CHECK(read.ranks[1] == "rank 1");
}

TEST_CASE("an event that cannot be one of a timeline is refused where it begins") {
    CHECK(refusal_of("{\"ph\": \"C\"},\n  {\"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"name\": \"wait\"}") ==
          "t.json:3:3: error: `t.json` is no timeline: `tid` of this event is no number from 0 to 4294967295");
    CHECK(refusal_of(R"({"ph": "X", "tid": 1, "ts": "now", "dur": 2, "name": "wait"})") ==
          "t.json:2:1: error: `t.json` is no timeline: `ts` of this event is no time in microseconds");
    for (const char* duration : {"-1", "1e300", "null"}) {
        CHECK(refusal_of(fmt::format(R"({{"ph": "X", "tid": 1, "ts": 1, "dur": {}, "name": "wait"}})", duration))
                  .ends_with("`dur` of this event is no time in microseconds"));
    }
    CHECK(refusal_of(R"({"ph": "X", "tid": 1, "ts": 1, "dur": 2, "name": "rest"})")
              .ends_with("`rest` is no activity of a rank"));
    CHECK(refusal_of(R"({"ph": "X", "tid": 1, "ts": 1, "dur": 2, "name": "wait"},
{"ph": "X", "tid": 1, "ts": 2, "dur": 2, "name": "wait"}, {"ph": "X"})") ==
          "t.json:3:1: error: `t.json` is no timeline: this slice begins before its rank's last one has ended");
    CHECK(holds(refusal_of(R"({"ph": "s", "id": -1, "tid": 1, "ts": 1, "args": {"bytes": 1}})"), "`id`"));
    CHECK(holds(refusal_of(R"({"ph": "s", "id": 1, "tid": 1, "ts": 1})"), "`bytes`"));
}

TEST_CASE("more statements than a model may have are refused") {
    std::string events;
    for (int k = 0; k <= 65'536; ++k) {
        events +=
            fmt::format("{}{{\"ph\":\"X\",\"tid\":0,\"ts\":{},\"dur\":1,\"name\":\"wait\",\"args\":{{\"in\":\"{}\"}}}}",
                        k > 0 ? ",\n" : "", k, k);
    }
    CHECK(refusal_of(events) ==
          "t.json:65538:1: error: `t.json` is no timeline: the file has more statements than a model may have");
}

TEST_CASE("a file says at its end that it is a timeline, or that it is not, and what it holds counts then") {
    const std::string bad = R"({"traceEvents": [{"ph": "X"}], "otherData": {"schema": ")";
    const auto message = [](const std::string& text) {
        return test::faults_of([&] { read_result(timeline_source(text)); }).render();
    };
    CHECK(holds(message(bad + "warpfront.timeline/1\"}}"), "is no timeline: `ts`"));
    CHECK(holds(message(bad + "another/1\"}}"), "is no result: its schema is `another/1`"));
    CHECK(holds(message(bad + "warpfront.timeline/1\"}"), "it is not JSON from here"));
    const NamedResult empty = read_result(timeline_source(R"({"otherData": {"schema": "warpfront.timeline/1"}})"));
    CHECK(empty.result["ranks"].empty());
}
