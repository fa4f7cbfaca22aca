#include "simulator/program/walk.hpp"
#include "simulator/program/execution.hpp"

#include <cstdint>

#include "tests/program/programs.hpp"

namespace warpfront::program {

namespace {

constexpr std::uint64_t kMost = 10'000;

/// Two ranks, each with these instructions towards the other, on channel 0 each way.
Program exchange(const std::vector<Instruction>& left, const std::vector<Instruction>& right,
                 std::int64_t iterations = 1) {
    Program program;
    program.grid = {2, 1};
    program.iterations = iterations;
    program.class_of = {0, 1};
    program.sites.resize(4);
    program.classes = {{left, {{+1, 0}}, {{+1, 0}}}, {right, {{-1, 0}}, {{-1, 0}}}};
    for (RankClass& each : program.classes) each.code.push_back(make(Op::finish));
    return program;
}

/// `body` in 3 iterations.
std::vector<Instruction> three_times(std::vector<Instruction> body) {
    const auto end = static_cast<std::uint32_t>(body.size() + 2);
    body.insert(body.begin(), make(Op::loop, 3, end));
    body.push_back(make(Op::iteration));
    body.push_back(make(Op::end_loop));
    return body;
}

}  // namespace

TEST_CASE("ranks that both receive first are stuck, buffered or not, each at its own receive") {
    const Program program = exchange({make(Op::recv, 0, 0, 0, 1), make(Op::send, 8, 0, 0, 2)},
                                     {make(Op::recv, 0, 0, 0, 3), make(Op::send, 8)});
    for (const Buffering& buffering : {all_eager(), all_rendezvous()}) {
        const auto stuck = stuck_ranks(program, buffering, kMost);
        REQUIRE(stuck->size() == 2);
        CHECK(stuck->at(0).what == Stuck::What::recv);
        CHECK(stuck->at(0).peer.index == 1);
        CHECK(stuck->at(0).site == 1);
        CHECK(stuck->at(1).peer.index == 0);
        CHECK(stuck->at(1).site == 3);
    }
}

TEST_CASE("ranks that both send first go on only where messages are buffered") {
    const std::vector<Instruction> both{make(Op::send, 8), make(Op::recv)};
    const Program program = exchange(both, both);
    CHECK(stuck_ranks(program, all_eager(), kMost)->empty());
    const auto stuck = stuck_ranks(program, all_rendezvous(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::send);
}

TEST_CASE("ranks that post their receives before they send go on without buffers") {
    const std::vector<Instruction> both{make(Op::irecv), make(Op::send, 8), make(Op::wait_recv)};
    CHECK(stuck_ranks(exchange(both, both), all_rendezvous(), kMost)->empty());
}

TEST_CASE("ranks that begin their sends without waiting go on without buffers") {
    const std::vector<Instruction> both{make(Op::isend, 8), make(Op::recv), make(Op::wait_send)};
    CHECK(stuck_ranks(exchange(both, both), all_rendezvous(), kMost)->empty());
}

TEST_CASE("a receive that is posted for any source lets a synchronous send leave before its rank waits") {
    Program program = exchange({make(Op::irecv_any), make(Op::ssend, 8), make(Op::wait_recv_any)},
                               {make(Op::ssend, 8), make(Op::recv)});
    program.classes[0].choices = {{{0}}};
    CHECK(stuck_ranks(program, all_rendezvous(), kMost)->empty());
    program.classes[0].code.erase(program.classes[0].code.begin());
    program.classes[0].code[1].op = Op::recv_any;
    CHECK(stuck_ranks(program, all_rendezvous(), kMost)->size() == 2);
}

TEST_CASE("a receive that is posted for any source and has no message is where its rank is stuck") {
    Program program = exchange({make(Op::irecv_any), make(Op::wait_recv_any, 0, 0, 0, 2), make(Op::send, 8)},
                               {make(Op::recv), make(Op::send, 8)});
    program.classes[0].choices = {{{0}}};
    const auto stuck = stuck_ranks(program, all_eager(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::recv);
    CHECK(stuck->at(0).site == 2);
    CHECK(stuck->at(0).peer.index == 1);
}

TEST_CASE("an answer that is begun is waited for until it is received") {
    Program program =
        exchange({make(Op::recv_any), make(Op::ireply, 8), make(Op::wait_reply, 0, 0, 0, 3), make(Op::recv)},
                 {make(Op::send, 8), make(Op::ssend, 8), make(Op::recv)});
    program.classes[0].choices = {{{0}}};
    program.classes[0].replies = {{0, {0}}};
    CHECK(stuck_ranks(program, all_eager(), kMost)->empty());
    const auto stuck = stuck_ranks(program, all_rendezvous(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::send);
    CHECK(stuck->at(0).site == 3);
}

TEST_CASE("a rank that never comes to the allreduce is waited for there") {
    const Program program = exchange({make(Op::allreduce, 8)}, {make(Op::recv)});
    const auto stuck = stuck_ranks(program, all_eager(), kMost);
    REQUIRE(stuck->size() == 2);
    CHECK(stuck->at(0).what == Stuck::What::allreduce);
    CHECK(stuck->at(0).peer.index == 1);
}

TEST_CASE("a walk that takes too many instructions has no answer") {
    // rank 0: loop of 3 with 5 sends, each a send and an end_loop: over 30
    CHECK_FALSE(stuck_ranks(pair(), all_eager(), 20));
    CHECK(stuck_ranks(pair(), all_eager(), 200)->empty());
}

TEST_CASE("a rank that only sends runs ahead of its receiver") {
    CHECK(*run_ahead(pair(), all_eager(), kMost) == std::vector<RunAhead>{{{0}, {1}, 1}});
}

TEST_CASE("a rank that hears from its receiver once an iteration does not run ahead") {
    const Program program =
        exchange(three_times({make(Op::send, 8), make(Op::recv)}), three_times({make(Op::recv), make(Op::send, 8)}), 3);
    CHECK(run_ahead(program, all_eager(), kMost)->empty());
}

TEST_CASE("a rank whose messages are not buffered does not run ahead") {
    CHECK(run_ahead(pair(), all_rendezvous(), kMost)->empty());
}

TEST_CASE("a single message on a channel is no run-ahead") {
    CHECK(run_ahead(exchange({make(Op::send, 8)}, {make(Op::recv)}), all_eager(), kMost)->empty());
}

TEST_CASE("where messages between some ranks are buffered, sends wait for posts between the others alone") {
    const std::vector<Instruction> both{make(Op::send, 8), make(Op::recv)};
    const Program program = exchange(both, both);
    const Buffering eastward{[](Rank sender, Rank receiver, const Instruction&) { return sender < receiver; }};
    CHECK(stuck_ranks(program, eastward, kMost)->empty());  // rank 0 goes on to its receive
    const Buffering small{[](Rank, Rank, const Instruction& send) { return send.amount < 8; }};
    CHECK(stuck_ranks(program, small, kMost)->size() == 2);
}

TEST_CASE("a wait for an isend waits for the post only if its message is not buffered") {
    const std::vector<Instruction> both{make(Op::isend, 8), make(Op::wait_send), make(Op::recv)};
    const Program program = exchange(both, both);
    CHECK(stuck_ranks(program, all_eager(), kMost)->empty());
    CHECK(stuck_ranks(program, all_rendezvous(), kMost)->size() == 2);
}

TEST_CASE("loops are shortened alike on all ranks, unless messages then no longer match") {
    const std::optional<Program> two = shortened(pair(), 2);
    REQUIRE(two);
    CHECK(traffic(*two).messages == 2 * 2);
    Program uneven = pair();
    // The receiver takes 15 messages in one loop of 15 trips, which would be 2.
    uneven.classes[1].code = {make(Op::loop, 15, 2), make(Op::recv, 0, 0, 0, 1), make(Op::end_loop), make(Op::finish)};
    CHECK_FALSE(shortened(uneven, 2));
}

}  // namespace warpfront::program
