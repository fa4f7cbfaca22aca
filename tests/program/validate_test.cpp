
#include "tests/validation/validate.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "tests/program/programs.hpp"

using namespace warpfront::program;

namespace {

/// Returns the problem of `pair()` after one change of its first class.
template <class Change>
std::string after(Change change) {
    Program program = pair();
    change(program, program.classes[0]);
    return validate(program);
}

/// Returns the problem of two ranks that execute these steps in their one iteration. Choice 0 is a channel that its
/// reply 0 answers on.
std::string with(std::vector<Instruction> steps) {
    return after([&](Program& p, RankClass& c) {
        p.iterations = 1;
        steps.push_back(make(Op::iteration));
        steps.push_back(make(Op::finish));
        c.code = steps;
        c.receive_endpoints = {{+1, 1}};
        c.choices = {{{0}}};
        c.replies = {{0, {0}}};
        p.class_of = {0, 0};
        p.classes.pop_back();
    });
}

}  // namespace

TEST_CASE("a sound program has nothing wrong with it") { CHECK(validate(pair()) == ""); }

TEST_CASE("every rank needs a class that exists") {
    CHECK(after([](Program& p, RankClass&) { p.class_of.pop_back(); }) == "not every rank has a class");
    CHECK(after([](Program& p, RankClass&) { p.class_of[1] = 2; }) == "there is no class 2");
}

TEST_CASE("loops nest, run, and refer to their ends") {
    CHECK(after([](Program&, RankClass& c) { c.code[1].amount = 0; }) ==
          "class 0: instruction 1: a loop that never runs");
    CHECK(after([](Program&, RankClass& c) { c.code[1].operand = 2; }) ==
          "class 0: instruction 1: the loop leads nowhere");
    CHECK(after([](Program&, RankClass& c) { c.code[3].operand = 0; }) == "class 0: instruction 3: ends no loop");
    CHECK(after([](Program&, RankClass& c) { c.code[1].depth = 0; }) ==
          "class 0: instruction 1: the depth is not that of the loop");
}

TEST_CASE("an isend is waited for before anything else is sent on its send endpoint") {
    CHECK(with({make(Op::isend, 8), make(Op::wait_send), make(Op::send, 8)}) == "");
    CHECK(with({make(Op::isend, 8), make(Op::send, 8)}) == "class 0: instruction 1: sends beside an isend");
    CHECK(with({make(Op::isend, 8), make(Op::isend, 8)}) == "class 0: instruction 1: sends beside an isend");
    CHECK(with({make(Op::wait_send)}) == "class 0: instruction 0: no isend to wait for");
    CHECK(with({make(Op::isend, 8)}) == "class 0: the isend is never waited for");
}

TEST_CASE("a choice has one receive posted at a time, and a reply one message started") {
    const Instruction post = make(Op::irecv_any);
    const Instruction wait = make(Op::wait_recv_any);
    CHECK(with({post, wait, post, wait}) == "");
    CHECK(with({post, post}) == "class 0: instruction 1: a second receive of a choice");
    CHECK(with({wait}) == "class 0: instruction 0: no receive of a choice to wait for");
    CHECK(with({post}) == "class 0: the receive of a choice is never waited for");
    const Instruction answer = make(Op::ireply, 8);
    CHECK(with({answer, make(Op::wait_reply)}) == "");
    CHECK(with({answer, answer}) == "class 0: instruction 1: sends beside an isend");
    CHECK(with({make(Op::wait_reply)}) == "class 0: instruction 0: no ireply to wait for");
    CHECK(with({answer}) == "class 0: the ireply is never waited for");
}

TEST_CASE("an answer begins no second message on a channel where one may be under way, and none follows it there") {
    const std::string beside = "class 0: instruction 1: sends beside an isend";
    const Instruction answer = make(Op::ireply, 8);  // on the only channel
    CHECK(with({make(Op::isend, 8), answer}) == beside);
    CHECK(with({make(Op::isend, 8), make(Op::reply, 8)}) == beside);
    CHECK(with({answer, make(Op::isend, 8)}) == beside);
    CHECK(with({answer, make(Op::ssend, 8)}) == beside);
    CHECK(with({answer, make(Op::reply, 8)}) == beside);
    CHECK(with({answer, make(Op::wait_reply), make(Op::isend, 8), make(Op::wait_send), answer, make(Op::wait_reply)}) ==
          "");
}

TEST_CASE("requests that an iteration begins are waited for in it, or begun again for the next iteration") {
    const Instruction begin = make(Op::isend, 8);
    const Instruction wait = make(Op::wait_send);
    CHECK(with({make(Op::loop, 2, 2), begin, make(Op::end_loop), wait}) ==
          "class 0: instruction 2: an iteration leaves other requests open than it finds");
    CHECK(with({begin, make(Op::loop, 2, 4), wait, begin, make(Op::end_loop, 0, 1), wait}) == "");
}

TEST_CASE("loops nest four deep at most") {
    const auto nested = [](std::uint8_t levels) {
        Program program = pair();
        program.iterations = 1;
        RankClass& first = program.classes[0];
        first = {};
        for (std::uint8_t i = 0; i < levels; ++i) first.code.push_back(make(Op::loop, 2, 2U * levels - i, i));
        first.code.push_back(make(Op::compute, 1));
        for (std::uint8_t i = levels; i > 0; --i)
            first.code.push_back(make(Op::end_loop, 0, i - 1U, static_cast<std::uint8_t>(i - 1)));
        first.code.push_back(make(Op::iteration));
        first.code.push_back(make(Op::finish));
        program.class_of = {0, 0};
        program.classes.pop_back();
        return validate(program);
    };
    CHECK(nested(4) == "");
    CHECK(nested(5) == "class 0: instruction 4: loops nest too deep");
}

TEST_CASE("the marks are as many as the iterations, in executed order") {
    CHECK(after([](Program& p, RankClass&) { p.iterations = 4; }) ==
          "class 0: the iteration marks are not as many as the iterations");
    CHECK(after([](Program& p, RankClass&) { p.iterations = 2; }) ==
          "class 0: instruction 5: more iteration marks than iterations");
}

TEST_CASE("finish is last and nowhere else") {
    CHECK(after([](Program&, RankClass& c) { c.code.pop_back(); }) == "class 0: the code does not end with finish");
    CHECK(after([](Program&, RankClass& c) { c.code[2].op = Op::finish; }) ==
          "class 0: instruction 2: finish is not last");
}

TEST_CASE("amounts, channels and sites are what they refer to") {
    CHECK(after([](Program&, RankClass& c) { c.code[2].amount = -8; }) == "class 0: instruction 2: a negative amount");
    CHECK(after([](Program&, RankClass& c) { c.code[2].operand = 1; }) == "class 0: instruction 2: no such channel");
    CHECK(after([](Program&, RankClass& c) { c.code[2].site = 2; }) == "class 0: instruction 2: no such site");
    CHECK(after([](Program&, RankClass& c) {
              c.send_endpoints.push_back({+1, 0});
          }) == "class 0: a channel stands twice among the send endpoints");
}

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

TEST_CASE("loops and the ranks of a class multiply messages and bytes") {
    Program program = pair();
    CHECK(traffic(program).messages == 3 * 5);
    CHECK((traffic(program).bytes == 3 * 5 * 8));
    program.grid = {2, 2};
    program.class_of = {0, 1, 0, 1};
    CHECK(traffic(program).messages == 2 * 3 * 5);
}

TEST_CASE("a rank's traffic is reported by channel") {
    RankClass two = pair().classes[0];
    two.send_endpoints.push_back({+2, 7});
    two.code.insert(two.code.end() - 1, {make(Op::send, 100, 1), make(Op::send, 20, 1)});
    const auto share = traffic_by_send_endpoint(two);
    REQUIRE(share.size() == 2);
    CHECK(share[0].messages == 15);
    CHECK((share[0].bytes == 120));
    CHECK(share[1].messages == 2);
    CHECK((share[1].bytes == 120));
}

TEST_CASE("bytes beyond 64 bits are counted, messages beyond are an overflow") {
    Program program = pair();
    program.classes[0].code[0].amount = std::int64_t{1} << 40;
    program.classes[0].code[2].amount = std::int64_t{1} << 40;
    CHECK((traffic(program).bytes == Wide{5} << 80));  // 2^40 iterations of 5 messages of 2^40 bytes
    program.classes[0].code[1].amount = std::int64_t{1} << 40;
    CHECK_THROWS_AS(traffic(program), std::overflow_error);
}

// A program as text.

TEST_CASE("a class is listed instruction by instruction, loops indented, with partners and lines") {
    Program program;
    program.name = "pair";
    program.grid = {2, 1};
    program.class_of = {0, 1};
    program.sites = {
        {"models/pair.psl", 3, 5, "repeat"}, {"models/pair.psl", 4, 9, "send"}, {"models/pair.psl", 2, 1, ""}};
    RankClass first;
    first.send_endpoints = {{1, 7}};
    first.code = {{.op = Op::loop, .site = 0, .operand = 3, .amount = 20},
                  {.op = Op::compute, .site = 0, .amount = 1'500'000},
                  {.op = Op::send, .site = 1, .operand = 0, .amount = 64},
                  {.op = Op::end_loop, .site = 0, .operand = 0},
                  {.op = Op::iteration, .site = 2},
                  {.op = Op::finish, .site = 2}};
    RankClass second = first;
    second.send_endpoints.clear();
    second.receive_endpoints = {{-1, 7}};
    second.code[1] = {.op = Op::delay, .site = 0, .amount = 2};
    second.code[2] = {.op = Op::recv, .site = 1, .operand = 0};
    program.classes = {first, second};
    CHECK(listing(program) ==
          "pair: 2 ranks in 2 classes\n"
          "\n"
          "class 1 of 2: rank 0 (column 1, row 1)\n"
          "  loop 20 times                                      pair.psl:3\n"
          "    compute 1.5us                                    pair.psl:3\n"
          "    send 64 B to rank + 1, tag 7                     pair.psl:4\n"
          "  end of loop\n"
          "  end of iteration\n"
          "  finish\n"
          "\n"
          "class 2 of 2: rank 1 (column 2, row 1)\n"
          "  loop 20 times                                      pair.psl:3\n"
          "    delay 0.000002us                                 pair.psl:3\n"
          "    recv from rank - 1, tag 7                        pair.psl:4\n"
          "  end of loop\n"
          "  end of iteration\n"
          "  finish\n");
}
