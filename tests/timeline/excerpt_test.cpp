// The excerpt of a timeline that is drawn: which ranks, how much of their time, and which messages.
#include "simulator/results/timeline/excerpt.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::results;
using record::Activity;

namespace {

/// Ranks from 10 on, each of which computes and waits by turns, 10 ps each, from `begin` on.
record::Timeline by_turns(std::uint32_t ranks, int spans, std::int64_t begin = 0) {
    record::Timeline timeline;
    for (std::uint32_t k = 0; k < ranks; ++k) {
        record::RankTimeline rank{{10 + k}, {}, {}, {}};
        for (int span = 0; span < spans; ++span) {
            const std::int64_t from = begin + 10 * span;
            rank.spans.push_back({{from}, {from + 10}, span % 2 == 0 ? Activity::compute : Activity::wait, 0});
        }
        timeline.ranks.push_back(rank);
    }
    return timeline;
}

record::TimedMessage message_between(std::uint32_t from, std::uint32_t to, std::int64_t left, std::int64_t received) {
    return {{from}, {to}, Bytes{8}, {left}, {received}};
}

}  // namespace

TEST_CASE("a timeline that has room is drawn whole") {
    record::Timeline whole = by_turns(3, 4);
    whole.messages = {message_between(10, 11, 5, 30), message_between(12, 10, 0, 40)};
    const TimelineExcerpt excerpt = excerpt_of(whole, {.ranks = 3, .spans = 12});
    CHECK(excerpt.timeline == whole);
    CHECK(excerpt.begin == Time{0});
    CHECK(excerpt.end == Time{40});
}

TEST_CASE("only the first of many ranks are drawn, and the messages between them") {
    record::Timeline whole = by_turns(5, 2);
    whole.messages = {message_between(10, 11, 1, 9), message_between(11, 12, 1, 9), message_between(14, 10, 1, 9)};
    const TimelineExcerpt excerpt = excerpt_of(whole, {.ranks = 2, .spans = 100});
    REQUIRE(excerpt.timeline.ranks.size() == 2);
    CHECK(excerpt.timeline.ranks[1] == whole.ranks[1]);
    CHECK(excerpt.timeline.messages == std::vector{message_between(10, 11, 1, 9)});
}

TEST_CASE("the window ends before the first span for which there is no room, and cuts those that go on") {
    record::Timeline whole = by_turns(2, 10, 1000);
    whole.ranks[1].spans = {{{1000}, {1095}, Activity::compute, 0}, {{1095}, {1100}, Activity::wait, 0}};
    whole.ranks[1].collectives = {{{1030}, {1100}, Activity::compute, 0}, {{1100}, {1200}, Activity::compute, 0}};
    whole.messages = {message_between(10, 11, 1001, 1040), message_between(10, 11, 1035, 1041),
                      message_between(10, 11, 990, 1030)};
    const TimelineExcerpt excerpt = excerpt_of(whole, {.ranks = 2, .spans = 5});
    CHECK(excerpt.begin == Time{1000});
    CHECK(excerpt.end == Time{1040});
    CHECK(excerpt.timeline.ranks[0].spans.size() == 4);
    CHECK(excerpt.timeline.ranks[1].spans == std::vector<record::Span>{{{1000}, {1040}, Activity::compute, 0}});
    CHECK(excerpt.timeline.ranks[1].collectives == std::vector<record::Span>{{{1030}, {1040}, Activity::compute, 0}});
    CHECK(excerpt.timeline.messages == std::vector{message_between(10, 11, 1001, 1040)});
}

TEST_CASE("a long wait of all ranks before the first works is left out, but for its end") {
    record::Timeline whole = by_turns(2, 3, 1000);
    for (record::RankTimeline& rank : whole.ranks) {
        rank.spans.insert(rank.spans.begin(), {{0}, {1000}, Activity::wait, 0});
    }
    whole.messages = {message_between(10, 11, 900, 1010), message_between(10, 11, 1000, 1010)};
    whole.ranks[1].spans[1].activity = Activity::link_wait;
    const TimelineExcerpt excerpt = excerpt_of(whole);
    CHECK(excerpt.begin == Time{1000 - 30 / 8});
    CHECK(excerpt.end == Time{1030});
    CHECK(excerpt.timeline.ranks[0].spans.front() == record::Span{excerpt.begin, {1000}, Activity::wait, 0});
    CHECK(excerpt.timeline.ranks[0].spans.size() == 4);
    CHECK(excerpt.timeline.messages == std::vector{message_between(10, 11, 1000, 1010)});
    for (record::RankTimeline& rank : whole.ranks) rank.spans.erase(rank.spans.begin() + 1, rank.spans.end());
    CHECK(excerpt_of(whole).begin == Time{0});  // none works
}

TEST_CASE("only the ranks of a timeline without spans are drawn") {
    const TimelineExcerpt excerpt = excerpt_of(by_turns(3, 0), {.ranks = 2, .spans = 5});
    CHECK(excerpt.timeline.ranks.size() == 2);
    CHECK(excerpt.begin == excerpt.end);
    CHECK(excerpt_of({}).timeline.ranks.empty());
}

TEST_CASE("the page gets times from the beginning of the window, and ends of messages by lane") {
    record::Timeline timeline = by_turns(20, 2, 1000);
    for (record::Span& span : timeline.ranks[0].spans) span.site = 1;
    timeline.ranks[0].collectives = {{{1010}, {1020}, Activity::compute, 0}};
    timeline.messages = {message_between(11, 10, 1002, 1010)};
    program::Program program;
    program.grid = {40, 1};
    program.sites = {{"m.psl", 3, 5, "allreduce"}, {"m.psl", 4, 5, "compute work"}};
    const auto excerpt = excerpt_json(timeline, {"m on x", program, [](Rank rank) { return Node{rank.index / 2}; }});
    CHECK(excerpt["schema"] == "warpfront.timeline-excerpt/1");
    CHECK(excerpt["title"] == "m on x");
    CHECK(excerpt["ranks"].size() == 12);
    CHECK(excerpt["ranks_in_file"] == 20);
    CHECK(excerpt["begin_s"] == 1e-9);
    CHECK(excerpt["end_s"] == seconds(Time{1020}));
    CHECK(excerpt["begin_of_file_s"] == excerpt["begin_s"]);
    CHECK(excerpt["end_of_file_s"] == excerpt["end_s"]);
    CHECK(excerpt["ranks"][0]["number"] == 10);
    CHECK(excerpt["ranks"][0]["name"] == "rank 10 (column 11, row 1), node 5");
    CHECK(excerpt["ranks"][0]["spans"].dump() == "[[0,10,0,0],[10,20,3,0]]");
    CHECK(excerpt["ranks"][0]["collectives"].dump() == "[[10,20,1]]");
    CHECK(excerpt["activities"][3] == "wait");
    CHECK(excerpt["statements"].dump() == R"(["compute work at m.psl:4","allreduce at m.psl:3"])");
    CHECK(excerpt["messages"].dump() == "[[1,0,2,10,8]]");
}
