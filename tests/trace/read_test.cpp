// Time-independent traces as programs.
#include <doctest/doctest.h>

#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "simulator/trace/write.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/trace/traces.hpp"

using namespace warpfront;
using namespace warpfront::test;
using program::Op;
using program::Program;

namespace {

struct Event {
    Op op = Op::finish;
    std::int64_t amount = 0;
    program::Channel channel;  // of a message
    friend bool operator==(const Event&, const Event&) = default;
};

std::vector<Event> events(const Program& program, std::uint32_t rank) {
    std::vector<Event> all;
    const program::RankClass& rank_class = program.of({rank});
    program::Cursor walk(rank_class);
    for (const program::Instruction* step = &walk.next(); step->op != Op::finish; step = &walk.next()) {
        const bool out = program::sends(step->op, program::Operand::send_endpoint) || step->op == Op::wait_send;
        const bool in = step->op == Op::recv || step->op == Op::irecv || step->op == Op::wait_recv;
        const program::Channel channel = out  ? rank_class.send_endpoints[step->operand]
                                         : in ? rank_class.receive_endpoints[step->operand]
                                              : program::Channel{};
        all.push_back({step->op, step->amount, channel});
    }
    return all;
}

const Event kMark{Op::iteration, 0, {}};

}  // namespace

TEST_CASE("computing, blocking messages and requests become instructions, flops picoseconds") {
    const Program program = Traces({"0 compute 1.5e3\n0 Send 1 7 300\n0 isend 1 7 20\n0 wait 0 1 7\n",
                                    "1 recv 0 7 300\n1 irecv 0 7 -1\n1 compute 2\n1 waitAll 1\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    CHECK(events(program, 0) == std::vector<Event>{{Op::compute, 1500, {}},
                                                   {Op::send, 300, {1, 7}},
                                                   {Op::isend, 20, {1, 7}},
                                                   {Op::wait_send, 0, {1, 7}},
                                                   kMark});
    CHECK(
        events(program, 1) ==
        std::vector<Event>{
            {Op::recv, 0, {-1, 7}}, {Op::irecv, 0, {-1, 7}}, {Op::compute, 2, {}}, {Op::wait_recv, 0, {-1, 7}}, kMark});
}

TEST_CASE("counts are of the datatype, of doubles after `init 1`, else of bytes") {
    const Traces traces({"0 send 1 0 10\n0 send 1 0 10 0\n0 send 1 0 10 1\n0 send 1 0 10 6\n",
                         "1 recv 0 0 10\n1 recv 0 0 10 0\n1 recv 0 0 10 1\n1 recv 0 0 10 6\n"});
    const std::vector<Event> sent = events(traces.read().program, 0);
    CHECK(sent[0].amount == 10);
    CHECK(sent[1].amount == 80);
    CHECK(sent[2].amount == 40);
    CHECK(sent[3].amount == 10);
    traces.write("rank-0.txt", "0 init 1\n0 send 1 0 10\n0 send 1 0 10\n0 send 1 0 10\n0 send 1 0 10\n0 finalize\n");
    CHECK(events(traces.read().program, 0)[0].amount == 80);
}

TEST_CASE("requests of one channel that are open together take channels of their own, in turn") {
    const Program program = Traces({"0 send 1 3 1\n0 send 1 3 2\n0 send 1 3 3\n",
                                    "1 irecv 0 3 1\n1 irecv 0 3 2\n1 wait 0 1 3\n1 irecv 0 3 3\n1 waitall\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    const std::vector<Event> sent = events(program, 0);
    CHECK(sent[0].channel == program::Channel{1, 3});
    CHECK(sent[1].channel != sent[0].channel);
    CHECK(sent[2].channel == sent[0].channel);
    const std::vector<Event> received = events(program, 1);
    CHECK(received[2] == Event{Op::wait_recv, 0, {-1, 3}});  // the first
    CHECK(received[3] == Event{Op::irecv, 0, {-1, 3}});      // the third takes its place
    CHECK(received[4].channel.tag == sent[1].channel.tag);   // waitall: the second, then the third
    CHECK(received[5] == Event{Op::wait_recv, 0, {-1, 3}});
}

TEST_CASE("sendrecv posts, sends, and waits for its own receive") {
    const Program program = Traces({"0 sendRecv 10 1 20 1\n", "1 sendRecv 20 0 10 0\n"}).read().program;
    CHECK(events(program, 0) ==
          std::vector<Event>{{Op::irecv, 0, {1, 0}}, {Op::send, 10, {1, 0}}, {Op::wait_recv, 0, {1, 0}}, kMark});
}

TEST_CASE("ranks with equal relative actions share a class") {
    std::vector<std::string> bodies;
    for (int rank = 0; rank < 6; ++rank) {
        const std::string own = std::to_string(rank);
        std::string body;
        if (rank > 0) body += own + " recv " + std::to_string(rank - 1) + " 0 8\n";
        if (rank < 5) body += own + " send " + std::to_string(rank + 1) + " 0 8\n";
        bodies.push_back(body);
    }
    const Program program = Traces(bodies).read().program;
    CHECK(program.classes.size() == 3);
    CHECK(program.class_of[1] == program.class_of[4]);
}

TEST_CASE("what is written is read again") {
    const RankGrid grid{4, 3};
    const Program code =
        wavefront({.grid = grid, .tiles = 3, .work = 1'234'567, .starts = {0, 3}, .allreduces = 1, .iterations = 2});
    const trace::Writer writer(code);
    std::vector<std::string> bodies(grid.ranks());
    const Traces traces(bodies);
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        traces.write("rank-" + std::to_string(rank) + ".txt", writer.text_of({rank}));
    }
    const Program again = traces.read_as(grid).program;
    CHECK(program::validate(again) == "");
    CHECK(program::mismatches(again, 1).empty());
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank)
        CHECK(trace::Writer(again).text_of({rank}) == writer.text_of({rank}));
}

TEST_CASE("comments, blank lines and line ends of other systems are ignored") {
    const Traces traces({"# a comment\n\n0 compute 5 # five\r\n"});
    CHECK(events(traces.read().program, 0) == std::vector<Event>{{Op::compute, 5, {}}, kMark});
}

TEST_CASE("a site is a line and its action") {
    const Program program = Traces({"0 compute 1\n0 send 1 0 8\n", "1 recv 0 0 8\n"}).read().program;
    const program::Instruction& send = program.of({0}).code[1];
    REQUIRE(send.op == Op::send);
    CHECK(program.sites[send.site].line == 3);
    CHECK(program.sites[send.site].text == "send");
    CHECK(program.sites[send.site].file.ends_with("/*"));
}
