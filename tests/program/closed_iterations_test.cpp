#include "simulator/program/mismatches.hpp"
#include "tests/program/programs.hpp"

using namespace warpfront;
using namespace warpfront::program;

namespace {

/// The program of pair(), with an allreduce at the end of each iteration.
Program closed_pair() {
    Program program = pair();
    for (RankClass& rank_class : program.classes) {
        rank_class.code.insert(rank_class.code.begin() + 4, make(Op::allreduce, 8));
        rank_class.code[0].operand = 6;
    }
    return program;
}

}  // namespace

TEST_CASE("iterations whose messages are received in them, with an allreduce at their ends, are closed") {
    CHECK(validate(closed_pair()) == "");
    CHECK(has_closed_iterations(closed_pair()));
}

TEST_CASE("without an allreduce a rank may begin an iteration while others wait for it in the one before") {
    CHECK_FALSE(has_closed_iterations(pair()));
}

TEST_CASE("an allreduce of some ranks does not end an iteration") {
    Program program = closed_pair();
    program.classes[1] = pair().classes[1];
    CHECK_FALSE(has_closed_iterations(program));
}

TEST_CASE("iterations are not closed where a message is received in a later one") {
    // One message is sent before the loop and one received after it, so every receive takes the message before.
    Program program = closed_pair();
    auto& sends = program.classes[0].code;
    auto& receives = program.classes[1].code;
    sends.insert(sends.begin(), make(Op::send, 8, 0));
    receives.insert(receives.end() - 1, make(Op::recv, 0, 0));
    sends[1].operand += 1;
    sends[2].operand += 1;
    sends[4].operand += 1;
    sends[7].operand += 1;
    CHECK(validate(program) == "");
    CHECK(mismatches(program, 1).empty());
    CHECK_FALSE(has_closed_iterations(program));
}

TEST_CASE("iterations are not closed where one loop sends what another receives") {
    // Two loops of 3 trips with 5 sends each: 30. With 4 receives a trip in the first and 6 in the second: 30, too.
    Program program = closed_pair();
    for (RankClass& rank_class : program.classes) {
        const std::vector<Instruction> loop(rank_class.code.begin(), rank_class.code.end() - 1);
        rank_class.code.insert(rank_class.code.end() - 1, loop.begin(), loop.end());
        rank_class.code[7].operand += 7;
        rank_class.code[8].operand += 7;
        rank_class.code[10].operand += 7;
        rank_class.code[13].operand += 7;
    }
    program.iterations = 6;
    REQUIRE(validate(program) == "");
    CHECK(has_closed_iterations(program));
    program.classes[1].code[1].amount = 4;  // of 5 messages a trip
    program.classes[1].code[8].amount = 6;
    REQUIRE(mismatches(program, 1).empty());
    CHECK_FALSE(has_closed_iterations(program));
}

TEST_CASE("iterations with messages that are begun are not taken to be closed") {
    Program program = closed_pair();
    auto& code = program.classes[0].code;
    code[2].op = Op::isend;
    code.insert(code.begin() + 3, make(Op::wait_send, 0, 0, 0, 1));
    code[0].operand = 7;
    code[1].operand = 4;
    CHECK(validate(program) == "");
    CHECK_FALSE(has_closed_iterations(program));
}
