// Receives from any source or of any tag, waitany and synchronous sends in traces, as SMPI writes them.
#include <doctest/doctest.h>

#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/trace/traces.hpp"

using namespace warpfront;
using namespace warpfront::test;
using program::Channel;
using program::Op;
using program::Program;

namespace {

std::vector<Channel> choice_of(const Program& program, std::uint32_t rank, std::size_t number) {
    const program::RankClass& rank_class = program.of({rank});
    std::vector<Channel> channels;
    for (const std::uint32_t place : rank_class.choices.at(number).receive_endpoints) {
        channels.push_back(rank_class.receive_endpoints[place]);
    }
    return channels;
}

std::vector<Op> operations(const Program& program, std::uint32_t rank) {
    std::vector<Op> all;
    for (const program::Instruction& step : program.of({rank}).code) all.push_back(step.op);
    return all;
}

}  // namespace

TEST_CASE("a receive from any source takes from all ranks that send with its tag, one of any tag from all") {
    const Program program = Traces({"0 recv -333 7 8\n0 recv -333 7 8\n0 recv -333 -444 8\n", "1 send 0 7 8\n",
                                    "2 send 0 7 8\n2 send 0 9 8\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    CHECK(operations(program, 0) ==
          std::vector<Op>{Op::recv_any, Op::recv_any, Op::recv_any, Op::iteration, Op::finish});
    CHECK(choice_of(program, 0, 0) == std::vector<Channel>{{+1, 7}, {+2, 7}});
    CHECK(choice_of(program, 0, 1) == std::vector<Channel>{{+1, 7}, {+2, 7}, {+2, 9}});
}

TEST_CASE("one that is posted is matched by its post") {
    const Program program =
        Traces({"0 irecv -333 7 8\n0 irecv -333 7 8\n0 compute 5\n0 wait -333 0 7\n0 irecv -333 7 8\n0 waitall 2\n",
                "1 send 0 7 8\n1 send 0 7 8\n1 send 0 7 8\n"})
            .read()
            .program;
    CHECK(program::validate(program) == "");
    CHECK(operations(program, 0) == std::vector<Op>{Op::irecv_any, Op::irecv_any, Op::compute, Op::wait_recv_any,
                                                    Op::irecv_any, Op::wait_recv_any, Op::wait_recv_any, Op::iteration,
                                                    Op::finish});
    // What is open at once has choices of its own; the third takes that of the first.
    CHECK(program.of({0}).code[0].operand == program.of({0}).code[4].operand);
    CHECK(program.of({0}).code[0].operand != program.of({0}).code[1].operand);
    CHECK(program.notes.back().find("posted for any source") == std::string::npos);
}

TEST_CASE("one beside which another receive may take its message takes it when it is waited for, and a note says so") {
    const auto with = [](const std::string& master, const std::string& worker) {
        return Traces({master, worker}).read().program;
    };
    const std::string both = "1 send 0 7 8\n1 send 0 7 8\n";
    const std::vector<Op> named{Op::recv, Op::recv_any, Op::iteration, Op::finish};
    const Program program = with("0 irecv -333 7 8\n0 recv 1 7 8\n0 wait -333 0 7\n", both);
    CHECK(operations(program, 0) == named);
    CHECK(program.notes.back().find("1 receives that are posted for any source") != std::string::npos);
    CHECK(operations(with("0 irecv -333 7 8\n0 recv -333 -444 8\n0 waitall 1\n", both), 0) ==
          std::vector<Op>{Op::recv_any, Op::recv_any, Op::iteration, Op::finish});
    CHECK(operations(with("0 irecv 1 7 8\n0 irecv -333 7 8\n0 waitall 2\n", both), 0) ==
          std::vector<Op>{Op::irecv, Op::wait_recv, Op::recv_any, Op::iteration, Op::finish});
    CHECK(operations(with("0 irecv -333 7 8\n0 recv 1 8 8\n0 barrier\n0 waitall 1\n",
                          "1 send 0 7 8\n1 send 0 8 8\n1 barrier\n"),
                     0)
              .front() == Op::irecv_any);
}

TEST_CASE("a rendezvous to a posted receive from any source does not wait for the receiver") {
    // Rank 1: busy 0-4, request there 5, back 6. Rank 0 computes to 100, takes the data, which is there, and receives
    // to 104.
    const Program program =
        Traces({"0 irecv -333 7 2000\n0 compute 100000000\n0 wait -333 0 7\n", "1 send 0 7 2000\n"}).read().program;
    const record::Record run = engine::run(program, simple_machine({2, 1}), {});
    CHECK(run.rank_finish == std::vector<WideTime>{WideTime{Time{104 * us}}, WideTime{Time{6 * us}}});
}

TEST_CASE("waitany takes one of the receives that are open, waitall the rest, then a send") {
    const Program program = Traces({"0 irecv 1 0 8\n0 irecv 2 0 8\n0 isend 1 3 8\n0 waitany 3\n0 waitall 2\n",
                                    "1 send 0 0 8\n1 recv 0 3 8\n", "2 send 0 0 8\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    CHECK(operations(program, 0) == std::vector<Op>{Op::irecv, Op::irecv, Op::isend, Op::wait_any, Op::wait_send,
                                                    Op::wait_any, Op::iteration, Op::finish});
    CHECK(choice_of(program, 0, 0) == std::vector<Channel>{{+1, 0}, {+2, 0}});
}

TEST_CASE("two open receives of one channel are two messages of a waitany") {
    const Program program =
        Traces({"0 irecv 1 0 8\n0 irecv 1 0 8\n0 waitany 2\n0 waitany 2\n", "1 send 0 0 8\n1 send 0 0 8\n"})
            .read()
            .program;
    CHECK(choice_of(program, 0, 0).size() == 2);
    // o = 4 us, L = 1 us, 8 ns of bytes: there 5.008 and 9.008; received 5.008-9.008-13.008.
    CHECK(engine::run(program, simple_machine({2, 1}), {}).rank_finish[0] == WideTime{Time{13'008'000}});
}

TEST_CASE("Ssend is synchronous") {
    const Program program = Traces({"0 Ssend 1 7 8\n", "1 recv 0 7 8\n"}).read().program;
    CHECK(operations(program, 0).front() == Op::ssend);
}

TEST_CASE("a master of a trace answers in the order in which its workers come in the simulation") {
    // The trace has rank 2's answer first, as it was when recorded; the messages are taken as they come here.
    const Program program = Traces({"0 recv -333 1 8\n0 send 2 2 8\n0 recv -333 1 8\n0 send 1 2 8\n",
                                    "1 send 0 1 8\n1 recv 0 2 8\n", "2 compute 50000000\n2 send 0 1 8\n2 recv 0 2 8\n"})
                                .read()
                                .program;
    // Rank 1's message is taken at 5.008, received to 9.008, and rank 2 is answered, which receives when it has sent.
    const record::Record run = engine::run(program, simple_machine({3, 1}), {});
    CHECK(run.rank_finish[2] == WideTime{Time{58 * us}});
}
