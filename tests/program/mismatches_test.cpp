#include "simulator/program/mismatches.hpp"
#include "tests/program/programs.hpp"

using namespace warpfront;
using namespace warpfront::program;

TEST_CASE("messages that are all received are not a mismatch") { CHECK(mismatches(pair(), 10).empty()); }

TEST_CASE("counts that differ are reported once, by the sender") {
    Program program = pair();
    program.classes[1].code[1].amount = 4;
    const auto found = mismatches(program, 10);
    REQUIRE(found.size() == 1);
    CHECK(found[0].rank == Rank{0});
    CHECK(found[0].is_send);
    CHECK(found[0].channel == Channel{+1, 0});
    CHECK(found[0].site == 1);
    CHECK(found[0].count == 15);
    CHECK(found[0].peer_count == 12);
}

TEST_CASE("another tag is another channel: the send and the receive are both alone") {
    Program program = pair();
    program.classes[1].receive_endpoints[0].tag = 9;
    const auto found = mismatches(program, 10);
    REQUIRE(found.size() == 2);
    CHECK(found[0].is_send);
    CHECK(!found[1].is_send);
    CHECK(found[1].rank == Rank{1});
    CHECK(found[1].channel == Channel{-1, 9});
    CHECK(found[1].count == 15);
    CHECK(found[1].peer_count == 0);
    CHECK(mismatches(program, 1).size() == 1);
}

TEST_CASE("a partner that does not exist receives nothing") {
    Program program = pair();
    program.classes[0].send_endpoints[0].delta = -1;
    CHECK(mismatches(program, 10)[0].peer_count == 0);
}

TEST_CASE("a posted receive counts, its wait does not count again") {
    Program program = pair();
    auto& code = program.classes[1].code;
    code[2].op = Op::irecv;
    code.insert(code.begin() + 3, make(Op::wait_recv, 0, 0, 0, 1));
    code[0].operand = 6;
    code[1].operand = 4;
    CHECK(validate(program) == "");
    CHECK(mismatches(program, 10).empty());
}
