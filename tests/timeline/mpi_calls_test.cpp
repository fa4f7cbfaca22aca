// What ranks do as calls of MPI: which spans are one call, its name, and in which call a message is sent and received.
#include "simulator/results/timeline/mpi_calls.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace warpfront;
using namespace warpfront::results;
using program::Op;
using record::Activity;
using record::Span;

namespace {

constexpr std::int64_t kMicrosecond = 1'000'000;

Span span(std::int64_t from, std::int64_t to, Activity activity, std::uint16_t site) {
    return {{from * kMicrosecond}, {to * kMicrosecond}, activity, site};
}

/// Two ranks: the first executes `west` on the channel to the second, the second `east` on the channel from it;
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

TEST_CASE("where sending and receiving take no time the ends of a message stand alone") {
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
