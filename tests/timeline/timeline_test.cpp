// Timelines as files: the common parts of the formats, and each format as text.
//
// Not pinned here: the recording of activities (tests/engine/timeline_test.cpp); the reading of the files by other
// programs (tests/end_to_end); the pages that show a timeline (tests/page).
#include "simulator/results/timeline/timeline_file.hpp"

#include <nlohmann/json.hpp>

#include "simulator/results/timeline/mpi_calls.hpp"
#include "tests/approx.hpp"
#include "tests/texts.hpp"

using namespace warpfront::results;
using program::Op;
using record::Activity;
using record::Resource;
using record::Span;

namespace {

constexpr std::int64_t us = 1'000'000;

/// Returns ranks 4 and 5: the first computes for 10 us and sends for 4; the message arrives at 15.5 us, and is received
/// until 19.5.
record::Timeline two_ranks() {
    record::Timeline timeline;
    record::RankTimeline west;
    west.rank = {4};
    west.spans = {{{0}, {10 * us}, Activity::compute, 0}, {{10 * us}, {14 * us}, Activity::send, 1}};
    west.holds = {{{11 * us}, {13 * us}, Resource::bus}, {{13 * us}, {14 * us}, Resource::nic}};
    record::RankTimeline east;
    east.rank = {5};
    east.spans = {{{0}, {15'500'000}, Activity::wait, 1}, {{15'500'000}, {19'500'000}, Activity::recv, 1}};
    east.collectives = {{{15'500'000}, {19'500'000}, Activity::compute, 1}};
    east.holds = {{{12 * us}, {15 * us}, Resource::bus}};
    timeline.ranks = {west, east};
    timeline.messages = {{{4}, {5}, Bytes{500}, {14 * us}, {15'500'000}}};
    return timeline;
}

program::Program example() {
    program::Program program;
    program.grid = {4, 2};
    program.sites = {{"m.psl", 3, 5, "compute work"}, {"m.psl", 4, 5, "send \"8B\" to east"}};
    return program;
}

std::string text(TimelineFormat format) {
    const program::Program names = example();
    return timeline_text(format, two_ranks(),
                         {"m on x, 8 ranks", names, [](Rank rank) { return Node{rank.index / 2}; }});
}

}  // namespace

TEST_CASE("the ending of the name decides the format") {
    CHECK(timeline_format("a/t.pftrace") == TimelineFormat::perfetto);
    CHECK(timeline_format("t.json") == TimelineFormat::chrome);
    CHECK_FALSE(timeline_format("t.paje"));
    CHECK(timeline_format("t/traces.otf2") == TimelineFormat::otf2);
    CHECK(timeline_format("t.prv") == TimelineFormat::paraver);
    CHECK_FALSE(timeline_format("t.txt"));
    CHECK_FALSE(timeline_format("json"));
}

TEST_CASE("a message goes from the span in which it leaves to the one in which it is taken") {
    const Flows flows = flows_of(two_ranks());
    REQUIRE(flows.leave[0].size() == 1);
    CHECK(flows.leave[0][0].span == 1);
    REQUIRE(flows.received[1].size() == 1);
    CHECK(flows.received[1][0].span == 1);
    CHECK(flows.leave[1].empty());
}

TEST_CASE("levels are means over equal stretches of the time in which something is occupied, where they change") {
    // bus: 11-13 and 12-15, so 5 us of occupancy in 4 us; 2048 stretches of 1954 ps (4,000,000 / 2048 rounded up)
    const std::vector<Level> levels = levels_of(two_ranks(), Resource::bus);
    REQUIRE(levels.size() == 7);  // 1, between, 2, between, 1, the end of the last stretch, and 0
    CHECK(levels[0].time == Time{11 * us});
    CHECK(levels[0].occupied == 1.0);
    CHECK(levels[1].time == Time{11 * us + us / 1954 * 1954});  // the stretch in which 12 us lies
    CHECK(levels[1].occupied == test::approx(2.0 - (us % 1954) / 1954.0));
    CHECK(levels[2].time == Time{11 * us + (us / 1954 + 1) * 1954});
    CHECK(levels[2].occupied == 2.0);
    CHECK(levels[3].occupied == test::approx(1.0 + (2 * us % 1954) / 1954.0));
    CHECK(levels[4].occupied == 1.0);
    CHECK(levels[5].occupied == test::approx((4 * us % 1954) / 1954.0));
    CHECK(levels.back().time == Time{15 * us});
    CHECK(levels.back().occupied == 0.0);
    const std::vector<Level> none = levels_of(two_ranks(), Resource::link);
    REQUIRE(none.size() == 1);
    CHECK(none[0].occupied == 0.0);
}

TEST_CASE("Chrome's events: complete slices in exact microseconds, arrows within their slices, counters, names") {
    const auto json = nlohmann::json::parse(text(TimelineFormat::chrome));
    std::map<std::string, int> phases;
    for (const auto& event : json["traceEvents"]) ++phases[event["ph"].get<std::string>()];
    CHECK(phases["M"] == 1 + 2 * 2);
    CHECK(phases["X"] == 5);
    CHECK(phases["s"] == 1);
    CHECK(phases["f"] == 1);
    CHECK(phases["C"] > 3);
    const std::string all = text(TimelineFormat::chrome);
    CHECK(holds(
        all, R"("tid":5,"ts":15.500000,"dur":4.000000,"name":"recv","args":{"in":"send \"8B\" to east at m.psl:4"})"));
    CHECK(holds(all, R"("ph":"s","pid":1,"cat":"message","name":"message","id":1,"tid":4,"ts":13.999999)"));
    CHECK(holds(all, R"("name":"rank 5 (column 2, row 2), node 2")"));
    CHECK(json["otherData"]["schema"] == "warpfront.timeline/1");
    CHECK(json["otherData"]["title"] == "m on x, 8 ranks");
}

TEST_CASE("a message that leaves at the very beginning has its arrow there") {
    record::Timeline timeline = two_ranks();
    timeline.messages.front().left = Time{0};
    const program::Program names = example();
    const std::string all = timeline_text(TimelineFormat::chrome, timeline, {"m", names, [](Rank) { return Node{0}; }});
    CHECK(holds(all, "\"tid\":4,\"ts\":0.000000,\"args\":{\"bytes\":500}"));
    CHECK(nlohmann::json::accept(all));
}

TEST_CASE("Perfetto's file is compressed packets, the same each time") {
    const std::string all = text(TimelineFormat::perfetto);
    CHECK(all.size() > 100);
    CHECK(all.size() < 40'000);
    CHECK(all == text(TimelineFormat::perfetto));
}

// The activities of ranks as MPI calls: the spans of one call, its name, and the calls that send and receive a message.

namespace {

constexpr std::int64_t kMicrosecond = 1'000'000;

Span span(std::int64_t from, std::int64_t to, Activity activity, std::uint16_t site) {
    return {{from * kMicrosecond}, {to * kMicrosecond}, activity, site};
}

/// Returns two ranks: the first executes `west` on the channel to the second, the second `east` on the channel from it;
/// statement k is instruction k.
program::Program program_of(const std::vector<Op>& west, const std::vector<Op>& east, std::int32_t tag) {
    program::Program program;
    program.grid = {2, 1};
    program.class_of = {0, 1};
    for (const std::vector<Op>& ops : {west, east}) {
        program::RankClass& rank_class = program.classes.emplace_back();
        for (const Op op : ops) {
            const auto site = static_cast<std::uint16_t>(rank_class.code.size());
            rank_class.code.push_back({.op = op, .site = site, .amount = 8});
        }
    }
    program.classes[0].send_endpoints = {{1, tag}};
    program.classes[1].receive_endpoints = {{-1, tag}};
    return program;
}

record::Timeline timeline_of(std::vector<Span> west, std::vector<Span> east,
                             std::vector<record::TimedMessage> messages) {
    record::Timeline timeline;
    timeline.ranks = {{{0}, std::move(west), {}, {}}, {{1}, std::move(east), {}, {}}};
    timeline.messages = std::move(messages);
    return timeline;
}

record::TimedMessage message(std::int64_t left, std::int64_t received) {
    return {{0}, {1}, Bytes{8}, {left * kMicrosecond}, {received * kMicrosecond}, 7};
}

}  // namespace

TEST_CASE("spans of one statement are one call, in which its message is sent and received") {
    const program::Program program = program_of({Op::compute, Op::send}, {Op::recv}, 7);
    const MpiTimeline found = mpi_timeline_of(
        timeline_of(
            {span(0, 10, Activity::compute, 0), span(10, 14, Activity::send, 1), span(14, 20, Activity::wait, 1)},
            {span(0, 21, Activity::wait, 0), span(21, 25, Activity::recv, 0)}, {message(20, 21)}),
        program);
    REQUIRE(found.calls.size() == 2);
    CHECK(found.calls[0] ==
          std::vector<MpiCall>{{MpiFunction::send, 1, {10 * kMicrosecond}, {20 * kMicrosecond}, 1, 2}});
    CHECK(found.calls[1] == std::vector<MpiCall>{{MpiFunction::recv, 0, {0}, {25 * kMicrosecond}, 0, 2}});
    REQUIRE(found.messages.size() == 1);
    CHECK(found.messages[0].send.called == Time{10 * kMicrosecond});
    CHECK(found.messages[0].send.done == Time{20 * kMicrosecond});
    CHECK(found.messages[0].recv.called == Time{0});
    CHECK(found.messages[0].recv.done == Time{25 * kMicrosecond});
    CHECK_FALSE(found.messages[0].recv.alone);
}

TEST_CASE("a message that leaves while its rank computes is sent by the isend before") {
    const program::Program program = program_of({Op::isend, Op::compute, Op::wait_send}, {Op::recv}, 7);
    const MpiTimeline found =
        mpi_timeline_of(timeline_of({span(0, 4, Activity::send, 0), span(4, 14, Activity::compute, 1)},
                                    {span(0, 9, Activity::wait, 0), span(9, 10, Activity::recv, 0)}, {message(8, 9)}),
                        program);
    CHECK(found.calls[0] == std::vector<MpiCall>{{MpiFunction::isend, 0, {0}, {4 * kMicrosecond}, 0, 1}});
    CHECK(found.messages[0].send.called == Time{0});
    CHECK_FALSE(found.messages[0].send.alone);
}

TEST_CASE("if sending and receiving take no time, the ends of a message appear alone") {
    const program::Program program = program_of({Op::compute, Op::send}, {Op::compute, Op::recv}, 7);
    const MpiTimeline found = mpi_timeline_of(
        timeline_of({span(0, 10, Activity::compute, 0)}, {span(0, 20, Activity::compute, 0)}, {message(10, 20)}),
        program);
    CHECK(found.calls[0].empty());
    CHECK(found.messages[0].send.alone);
    CHECK(found.messages[0].send.called == Time{10 * kMicrosecond});
    CHECK(found.messages[0].recv.alone);
}

TEST_CASE("an allreduce is one call, and its messages are not listed") {
    const program::Program program = program_of({Op::allreduce}, {Op::allreduce}, 7);
    record::TimedMessage inside = message(4, 5);
    inside.tag.reset();
    const MpiTimeline found =
        mpi_timeline_of(timeline_of({span(0, 4, Activity::send, 0), span(4, 9, Activity::recv, 0)},
                                    {span(0, 5, Activity::wait, 0), span(5, 9, Activity::recv, 0)}, {inside}),
                        program);
    CHECK(found.calls[0] == std::vector<MpiCall>{{MpiFunction::allreduce, 0, {0}, {9 * kMicrosecond}, 0, 2}});
    CHECK(found.messages.empty());
    CHECK(allreduced_bytes(program, {0}, 0) == Bytes{8});
}
